// What happens when the module fails: a clear error, the instance replaced, the next call right.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { ModuleError, open, RequestError } from "turncontext";
import wabt from "wabt";
import { openFiles, uncountable } from "./files.mjs";

const folder = new URL("../../../testdata/faults/", import.meta.url);
const fault = new URL("fault.wasm", folder);

test("fault.wasm is what fault.wat gives", async () => {
  const { parseWat } = await wabt();
  const { buffer } = parseWat(
    "fault.wat",
    readFileSync(new URL("fault.wat", folder), "utf8"),
  ).toBinary({});
  assert.deepEqual(new Uint8Array(readFileSync(fault)), buffer);
});

/** @type {[request: string, what: string, message: RegExp][]} */
const failures = [
  ["t", "a trap", /unreachable/],
  ["e", "an exit with code 0", /exited/],
  ["E", "an exit with another code", /exited/],
  ["m", "an exhausted memory", /had 50397184 of at most 65536000 bytes of memory/],
  ["r", "an exhausted stack", /call stack/],
  ["f", "a failure that the module reports", /broken/],
  ["n", "no answer", /answered nothing/],
];

for (const timeout of [undefined, 60_000]) {
  const where = timeout ? "in a worker" : "on the caller's thread";
  for (const [request, what, message] of failures) {
    test(`${what}, ${where}`, async (t) => {
      const module = await open({ module: fault, memoryLimit: 1000 * 65536, timeout });
      t.after(() => module.close());
      assert.equal(await module.call("merge", "c"), "1");
      assert.equal(await module.call("merge", "c"), "2");
      await assert.rejects(module.call("merge", request), (error) => {
        assert.ok(error instanceof ModuleError);
        assert.equal(error.name, "ModuleError");
        assert.equal(error.function, "merge");
        assert.match(error.message, message);
        return true;
      });
      assert.equal(await module.call("merge", "c"), "1");
    });
  }
}

test("a call that takes too long", async (t) => {
  const module = await open({ module: fault, timeout: 200 });
  t.after(() => module.close());
  assert.equal(await module.call("merge", "c"), "1");
  const late = module.call("merge", "l");
  const next = module.call("merge", "c"); // waits behind it
  await assert.rejects(late, { name: "ModuleError", message: /took more than 200 ms/ });
  assert.equal(await next, "1");
});

test("an answer that came while the event loop was held up is not late", async (t) => {
  const module = await open({ module: fault, timeout: 200 });
  t.after(() => module.close());
  for (const expected of ["1", "2", "3"]) {
    const answer = module.call("merge", "c");
    await new Promise((resolve) => setImmediate(resolve)); // the request is sent
    const end = performance.now() + 400;
    while (performance.now() < end);
    assert.equal(await answer, expected);
  }
});

test("a malformed answer", async (t) => {
  const module = await open({ module: fault });
  t.after(() => module.close());
  assert.equal(await module.call("merge", "j"), '{"store":', "the raw call checks nothing");
  await assert.rejects(module.merge({ store: {} }), {
    name: "ModuleError",
    message: /malformed answer: {"store":{}}/, // the request, echoed
  });
  assert.equal(await module.call("merge", "c"), "1");
});

test("a refused request is no failure", async (t) => {
  const module = await open({ module: fault });
  t.after(() => module.close());
  const refused = '{"error":{"kind":"invalid_request","code":-32600,"message":"refused"}}';
  assert.equal(await module.call("merge", "o"), refused);
  assert.equal(await module.call("merge", "c"), "2");
});

test("an error that the real module answers leaves the instance", async (t) => {
  const module = await open();
  t.after(() => module.close());
  const request = /** @type {any} */ ({
    additionalContext: { ci: { value: 1, kind: "untrusted" } },
  });
  await assert.rejects(module.merge(request), (error) => {
    assert.ok(error instanceof RequestError);
    assert.equal(error.name, "RequestError");
    assert.equal(error.kind, "invalid_params");
    assert.equal(error.code, -32602);
    assert.deepEqual(error.data, { path: "additionalContext.ci.value", offset: 36 });
    return true;
  });
  await module.merge({});
});

test("the real module, out of memory", async (t) => {
  const module = await open({ memoryLimit: 8 << 20 });
  t.after(() => module.close());
  const value = "x".repeat(8 << 20);
  const request = module.merge({ additionalContext: { log: { value, kind: "untrusted" } } });
  await assert.rejects(request, {
    name: "ModuleError",
    message: /of at most 8388608 bytes of memory/,
  });
  const { store } = await module.merge({});
  assert.deepEqual(store, {});
});

test("failures leave no open files behind", { skip: uncountable }, async (t) => {
  const module = await open({ module: fault });
  t.after(() => module.close());
  const before = openFiles();
  for (let i = 0; i < 50; i++) await assert.rejects(module.call("merge", "t"));
  await module.call("merge", "c");
  assert.ok(openFiles() <= before, `${openFiles()} open files, ${before} before`);
});
