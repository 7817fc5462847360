// What is published works in an empty folder, without the repository and without a network.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { example } from "./readme.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "turncontext-"));
test.after(() => rmSync(folder, { recursive: true }));

const require = createRequire(import.meta.url);
const tsc = join(dirname(require.resolve("typescript/package.json")), "bin", "tsc");

/** @param {string[]} args @param {string} cwd */
const npm = (args, cwd) => execFileSync("npm", args, { cwd, encoding: "utf8", stdio: "pipe" });

/** @param {string[]} args */
const node = (...args) =>
  execFileSync(process.execPath, args, { cwd: folder, encoding: "utf8", stdio: "pipe" });

/** Packs a package into the folder. @param {string} from @returns {{filename: string, files: {path: string}[]}} */
function pack(from) {
  const args = ["pack", "--json", "--ignore-scripts", "--pack-destination", folder, from];
  return JSON.parse(npm(args, root))[0];
}

/** @type {string[]} */
let files;

test.before(() => {
  const packed = pack(".");
  files = packed.files.map((file) => file.path);
  const sdk = pack("./node_modules/@extism/extism"); // as a registry would give it
  writeFileSync(join(folder, "package.json"), "{}");
  npm(["install", "--offline", "--no-audit", "--no-fund", packed.filename, sdk.filename], folder);
});

test("the package has what it needs, and nothing else", () => {
  const others = files.filter((path) => !/^dist\/\w+\.(js|d\.ts)$/.test(path)).sort();
  assert.deepEqual(others, [
    "LICENSE",
    "README.md",
    "dist/THIRD_PARTY_LICENSES",
    "dist/index.d.mts",
    "dist/index.mjs",
    "dist/turncontext.wasm",
    "package.json",
  ]);
});

test("the module in it is the one of the repository", () => {
  const installed = join(folder, "node_modules", "turncontext", "dist", "turncontext.wasm");
  const sums = readFileSync(join(root, "..", "..", "build", "turncontext.wasm.sha256"), "utf8");
  const sum = createHash("sha256").update(readFileSync(installed)).digest("hex");
  assert.equal(sum, sums.split(" ")[0]);
});

test("the README's example runs, as an ES module and as CommonJS", () => {
  const code = example("first");
  writeFileSync(join(folder, "example.mjs"), code);
  assert.equal(node("example.mjs"), example("output"));

  const required = code.replace(/import (.*) from (.*);\n/, "const $1 = require($2);\n");
  writeFileSync(join(folder, "example.cjs"), `(async () => {\n${required}\n})();\n`);
  assert.equal(node("example.cjs"), example("output"));
});

test("its types are right for both kinds of module", () => {
  const use = `
    const module: Module = await open({ memoryLimit: 1 << 20, timeout: 100, illFormed: "replace" });
    const { inputs, store } = await module.merge({ additionalContext: { a: { value: "", kind: "untrusted" } } });
    for (const input of inputs) if (input.source === "additionalContext") input.kind satisfies Kind;
    // @ts-expect-error: there is no such kind
    await module.merge({ store, additionalContext: { a: { value: "", kind: "trusted" } } });
    const thread = module.newThread("t", { policy: { preset: "safe" } });
    using prepared = await thread.prepareStart({ turnId: "u", params: { input: [] } });
    prepared.commit();
    // @ts-expect-error: nor such a request
    await thread.steer({ params: { input: [] } });
    await thread.start({ turnId: "v", params: { input: [], model: null, cwd: "/", summary: "auto" } });
    // @ts-expect-error: what is misspelt would say that there is no context
    await thread.start({ turnId: "v", params: { input: [], additionalContexts: {} } });
    // @ts-expect-error: and so would this
    await thread.steer({ params: { expectedTurnId: "v", input: [], aditionalContext: {} } });
    // @ts-expect-error: a steer has no other members
    await thread.steer({ params: { expectedTurnId: "v", input: [], model: null } });
    const reconciled = await module.reconcile({ state: thread.snapshot(), history: [{ type: "message" }] });
    reconciled.state satisfies State;
    // @ts-expect-error: nothing to compare with is no store
    await module.reconcile({ store: null, history: [] });
    const text: string = await module.call("merge", "{}");
    const bytes: Uint8Array = await module.call("merge", new Uint8Array());
    const error: unknown = [text, bytes];
    if (error instanceof RequestError) error.kind satisfies ErrorKind;
    if (error instanceof ModuleError) error.function satisfies string;`;
  const names =
    "{ type ErrorKind, type Kind, type Module, ModuleError, open, RequestError, type State }";
  const source = `import ${names} from "turncontext";\nexport async function use() {${use}\n}\n`;
  writeFileSync(join(folder, "module.mts"), source);
  writeFileSync(join(folder, "common.cts"), source);
  const compilerOptions = {
    module: "nodenext",
    target: "es2022",
    lib: ["es2022"], // the rest comes with the types of Node.js
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    noEmit: true,
    skipLibCheck: false,
    typeRoots: [join(root, "node_modules", "@types")],
    types: ["node"],
  };
  const config = { compilerOptions, files: ["module.mts", "common.cts"] };
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(config));
  assert.equal(node(tsc), "");
});
