import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";
import { promisify } from "node:util";
import * as turncontext from "turncontext";
import wabt from "wabt";
import { openFiles, uncountable } from "./files.mjs";
import { inheriting } from "./inheriting.mjs";

const { ModuleError, open } = turncontext;
const path = createRequire(import.meta.url).resolve("turncontext/turncontext.wasm");
const request = '{"additionalContext":{"ci":{"value":"ok","kind":"untrusted"}}}';

test("a module is a path, a URL, bytes or the one in the package", async () => {
  const file = new URL(`file://${path}`);
  const bytes = readFileSync(path);
  for (const module of [path, file, bytes, new Uint8Array(bytes), undefined]) {
    const opened = await open({ module });
    const { abi, functions } = await opened.describe();
    assert.deepEqual(abi, { name: "turncontext", version: 1 });
    assert.ok(functions.includes("merge"));
    await opened.close();
  }
});

/** @param {string} text */
async function assemble(text) {
  const { parseWat } = await wabt();
  return parseWat("test.wat", text).toBinary({}).buffer;
}

/** @param {string} answer of describe */
const describing = (answer) => `(module
  (import "extism:host/env" "alloc" (func $alloc (param i64) (result i64)))
  (import "extism:host/env" "store_u8" (func $store_u8 (param i64 i32)))
  (import "extism:host/env" "output_set" (func $output_set (param i64 i64)))
  (memory (export "memory") 1)
  (data (i32.const 0) "${answer.replaceAll('"', '\\"')}")
  (func (export "_initialize"))
  (func (export "describe") (result i32) (local $to i64) (local $i i32)
    (local.set $to (call $alloc (i64.const ${answer.length})))
    (loop $next
      (call $store_u8 (i64.add (local.get $to) (i64.extend_i32_u (local.get $i))) (i32.load8_u (local.get $i)))
      (local.set $i (i32.add (local.get $i) (i32.const 1)))
      (br_if $next (i32.lt_u (local.get $i) (i32.const ${answer.length}))))
    (call $output_set (local.get $to) (i64.const ${answer.length}))
    (i32.const 0)))`;

/** @param {string} name @param {number} version */
const description = (name, version) =>
  `{"abi":{"name":"${name}","version":${version}},"functions":[]}`;

/** @type {[what: string, module: Uint8Array, message: RegExp][]} */
const foreign = [
  ["an empty file", new Uint8Array(), /not a WebAssembly file/],
  ["a text", Buffer.from("{}"), /not a WebAssembly file/],
  ["half a module", readFileSync(path).subarray(0, 100_000), /WebAssembly.compile\(\)/],
  ["another version of WebAssembly", Buffer.from("\0asm\x0d\0\x01\0"), /WebAssembly.compile\(\)/],
  ["an empty module", await assemble("(module)"), /exports no memory/],
  [
    "a module without describe",
    await assemble('(module (memory (export "memory") 1) (func (export "_initialize")))'),
    /exports no describe/,
  ],
  ["strange imports", await assemble('(module (import "env" "f" (func)))'), /imports env\.f/],
  [
    "another ABI",
    await assemble(describing(description("other", 1))),
    /version 1 of the ABI "other"/,
  ],
  [
    "another version",
    await assemble(describing(description("turncontext", 2))),
    /version 2 of the ABI "turncontext", this package speaks version 1/,
  ],
  ["an answer that is not JSON", await assemble(describing("hello")), /hello/],
  ["an answer of another kind", await assemble(describing('{"name":"x"}')), /malformed answer/],
  [
    "a larger memory",
    await assemble('(module (memory (export "memory") 20000))'),
    /WebAssembly.compile/,
  ],
  [
    "a shared memory",
    Buffer.from("\0asm\x01\0\0\0\x05\x04\x01\x03\x01\x02"),
    /memory cannot be bounded/,
  ],
];

for (const [what, module, message] of foreign) {
  test(`refused to open: ${what}`, async () => {
    await assert.rejects(open({ module }), (error) => {
      assert.ok(error instanceof ModuleError, String(error));
      assert.match(error.message, message);
      return true;
    });
  });
}

test("the file that is refused is named", async (t) => {
  const folder = mkdtempSync(join(tmpdir(), "turncontext-"));
  t.after(() => rmSync(folder, { recursive: true }));
  const file = join(folder, "notes.wasm");
  for (const [, content, message] of foreign) {
    writeFileSync(file, content);
    for (const module of [file, pathToFileURL(file)]) {
      await assert.rejects(open({ module }), (error) => {
        assert.ok(error instanceof ModuleError, String(error));
        assert.ok(error.message.includes(`: ${module}: `), error.message);
        assert.match(error.message, message);
        return true;
      });
    }
  }
});

test("a file that cannot be read", async () => {
  await assert.rejects(open({ module: `${path}.missing` }), { code: "ENOENT" });
});

test("options out of range", async () => {
  for (const memoryLimit of [0, 65535, 2 ** 32, Number.NaN]) {
    await assert.rejects(open({ memoryLimit }), RangeError);
  }
  for (const timeout of [0, -1, 2 ** 31, Number.NaN]) {
    await assert.rejects(open({ timeout }), RangeError);
  }
  await assert.rejects(open(/** @type {any} */ ({ timeout: "1" })), TypeError);
  for (const illFormed of ["drop", null, Symbol("drop"), Object.create(null)]) {
    const message = 'illFormed is neither "refuse" nor "replace"';
    await assert.rejects(open({ illFormed }), { name: "TypeError", message });
  }
});

test("members that are not known, and what is no plain object", async (t) => {
  /** @type {any} */
  const module = await open();
  t.after(() => module.close());
  const state = module.newThread("t").snapshot();
  const thread = module.newThread("t");
  /** @type {Record<string, (given: any) => Promise<unknown>>} */
  const takers = {
    OpenOptions: (given) => open(given),
    ThreadOptions: async (given) => module.newThread("t", given),
    "ThreadOptions of a state": (given) => module.restoreThread(state, given),
    MergeRequest: (given) => module.merge(given),
    TurnStartRequest: (given) => module.turnStart(given),
    TurnSteerRequest: (given) => module.turnSteer(given),
    TurnSetRequest: (given) => module.turnSet(given),
    ReconcileRequest: (given) => module.reconcile(given),
    ClassifyRequest: (given) => module.classify(given),
    GuidanceRequest: (given) => module.guidance(given),
    StartRequest: (given) => thread.start(given),
    "StartRequest to prepare": (given) => thread.prepareStart(given),
    SteerRequest: (given) => thread.steer(given),
    "SteerRequest to prepare": (given) => thread.prepareSteer(given),
    ThreadReconcileRequest: (given) => thread.reconcile(given),
    "ThreadReconcileRequest to prepare": (given) => thread.prepareReconcile(given),
    ActiveTurn: (given) => thread.set(given),
  };
  for (const [name, take] of Object.entries(takers)) {
    const [type] = name.split(" ");
    for (const member of ["preset", "polcy", "memorylimit", "toString", "__proto__", ""]) {
      await assert.rejects(take(JSON.parse(`{"${member}":null}`)), (error) => {
        assert.ok(error instanceof TypeError, String(error));
        assert.ok(error.message.startsWith(`${type} has no member ${member}; it has `), name);
        return true;
      });
    }
    await assert.rejects(take({ [Symbol("policy")]: null }), {
      name: "TypeError",
      message: new RegExp(`^${type} has no member Symbol\\(policy\\); it has `),
    });
    for (const given of [null, "x", 1, [], ...inheriting({ policy: null, timeout: 5 })]) {
      const message = `${type} is no plain object`;
      await assert.rejects(take(given), { name: "TypeError", message });
    }
  }
  await assert.rejects(thread.start({ state, turnId: "u", params: { input: [] } }), TypeError);
  await assert.rejects(thread.reconcile(), TypeError);
  await assert.rejects(module.merge(), TypeError);
  await module.guidance({ polcy: undefined }); // is absent
});

test("a raw call gives text for text and bytes for bytes", async (t) => {
  const module = await open();
  t.after(() => module.close());
  const text = await module.call("merge", request);
  const bytes = await module.call("merge", new TextEncoder().encode(request));
  assert.ok(bytes instanceof Uint8Array);
  assert.equal(Buffer.from(bytes).toString(), text);
  await assert.rejects(module.call("merge", /** @type {any} */ ({})), TypeError);
  for (const name of ["toString", /** @type {any} */ (Symbol("merge"))]) {
    const message = /no function (toString|Symbol\(merge\)); it has /;
    await assert.rejects(module.call(name, "{}"), { name: "RangeError", message });
  }
});

test("a view is sent without what is around it, and may be changed after the call", async (t) => {
  const module = await open();
  t.after(() => module.close());
  const expected = await module.call("merge", request);
  const pooled = Buffer.from(request);
  assert.notEqual(pooled.buffer.byteLength, pooled.byteLength, "the test needs a view");
  const shared = new Uint8Array(new SharedArrayBuffer(pooled.length));
  shared.set(pooled);
  for (const view of [pooled, shared]) {
    const answer = module.call("merge", view);
    view.fill(0);
    assert.equal(Buffer.from(await answer).toString(), expected);
  }
});

test("calls wait for each other", async (t) => {
  const module = await open();
  t.after(() => module.close());
  const answers = await Promise.all(
    Array.from({ length: 200 }, (_, i) =>
      module.merge({ additionalContext: { key: { value: `${i}`, kind: "untrusted" } } }),
    ),
  );
  answers.forEach(({ store }, i) => {
    assert.equal(store.key?.value, `${i}`);
  });
});

test("20,000 calls of one instance", async (t) => {
  const module = await open();
  t.after(() => module.close());
  const expected = await module.call("merge", request);
  for (let i = 0; i < 20_000; i++) assert.equal(await module.call("merge", request), expected);
});

test("an instance that has grown large is not kept", async (t) => {
  const require = createRequire(import.meta.url);
  const { Instance } = require("../dist/instance.js");
  const { load } = require("../dist/load.js");
  const instance = await Instance.make(await load(path, 16384));
  t.after(() => instance.drop());
  const text = request.replace("ok", "x".repeat(31 << 20));
  const large = new TextEncoder().encode(text);
  await instance.call("merge", new TextEncoder().encode(request));
  assert.equal(instance.bloated, false);
  const expected = await instance.call("merge", large.slice());
  assert.equal(instance.bloated, true);

  for (const timeout of [undefined, 60_000]) {
    const module = await open({ timeout });
    for (let i = 0; i < 2; i++) {
      assert.equal(Buffer.compare(await module.call("merge", large), expected), 0);
    }
    await module.close();
  }
});

test("close waits for calls, and refuses new ones", async () => {
  const module = await open();
  const call = module.merge({});
  const closed = module.close();
  await assert.rejects(module.merge({}), /the module is closed/);
  assert.deepEqual((await call).store, {});
  await closed;
  await module.close();
  await module[Symbol.asyncDispose]();
});

test("a closed module leaves no open files behind", { skip: uncountable }, async () => {
  await (await open()).close();
  const before = openFiles();
  for (const timeout of [undefined, 10_000]) {
    for (let i = 0; i < 5; i++) await (await open({ timeout })).close();
  }
  assert.ok(openFiles() <= before, `${openFiles()} open files, ${before} before`);
});

test("import and require give the same", () => {
  const required = createRequire(import.meta.url)("turncontext");
  assert.deepEqual(Object.keys(turncontext).sort(), Object.keys(required).sort());
  assert.equal(required.ModuleError, ModuleError);
  assert.equal(required.open, open);
});

test("Node's warning of WASI is silent, others are not, and nothing keeps the process", async (t) => {
  const folder = mkdtempSync(join(tmpdir(), "turncontext-"));
  t.after(() => rmSync(folder, { recursive: true }));
  const file = join(folder, "program.mjs");
  writeFileSync(
    file,
    `import { open } from ${JSON.stringify(import.meta.resolve("turncontext"))};
    for (const timeout of [undefined, 10_000]) await (await open({ timeout })).merge({});
    process.emitWarning("another", "ExperimentalWarning");`,
  );
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [file]);
  assert.equal(stdout, "");
  assert.match(stderr, /^\(node:\d+\) ExperimentalWarning: another\n/);
  assert.doesNotMatch(stderr, /WASI|descriptor/);
});

test("the module in the package is the one of the repository", async () => {
  const { createHash } = await import("node:crypto");
  const build = fileURLToPath(new URL("../../../build/", import.meta.url));
  const [sum] = readFileSync(join(build, "turncontext.wasm.sha256"), "utf8").split(" ");
  assert.equal(createHash("sha256").update(readFileSync(path)).digest("hex"), sum);
});
