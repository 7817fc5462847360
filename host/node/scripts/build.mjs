// Makes dist/: the compiled sources, and the module with its licences beside them. These and
// the package's own licence are copied, so that the repository has each of them once.
import { spawnSync } from "node:child_process";
import { copyFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const here = fileURLToPath(new URL("..", import.meta.url));
const repository = join(here, "..", "..");
const typescript = dirname(createRequire(import.meta.url).resolve("typescript/package.json"));

rmSync(join(here, "dist"), { recursive: true, force: true });
const compiler = [join(typescript, "bin", "tsc")];
const { status } = spawnSync(process.execPath, compiler, { cwd: here, stdio: "inherit" });
if (status !== 0) process.exit(1);
for (const built of ["turncontext.wasm", "THIRD_PARTY_LICENSES"]) {
  copyFileSync(join(repository, "build", built), join(here, "dist", built));
}
copyFileSync(join(repository, "LICENSE"), join(here, "LICENSE"));
