// Makes dist/: the compiled sources, and the module beside them. The module and
// the licence are copied, so that the repository has each of them once.
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
copyFileSync(join(repository, "build", "turncontext.wasm"), join(here, "dist", "turncontext.wasm"));
copyFileSync(join(repository, "LICENSE"), join(here, "LICENSE"));
