// What JSON cannot carry is refused with its path, before the module is called.
import assert from "node:assert/strict";
import { test } from "node:test";
import { runInNewContext } from "node:vm";
import { open, RequestError } from "turncontext";

const module = await open();
test.after(() => module.close());

class Entry {
  value = "v";
  kind = "untrusted";
}

/** @type {Record<string, unknown>} */
const circular = { value: "v" };
circular.self = { again: [circular] };

/** @type {[what: string, request: object, path: string][]} */
const refused = [
  ["a function", { additionalContext: { ci: { value: () => {} } } }, "additionalContext.ci.value"],
  ["a symbol", { store: Symbol("s") }, "store"],
  ["a BigInt", { policy: { maxValueTokens: 1n } }, "policy.maxValueTokens"],
  ["NaN", { policy: { maxValueTokens: Number.NaN } }, "policy.maxValueTokens"],
  [
    "Infinity",
    { policy: { keys: { "a.b": { priority: Infinity } } } },
    'policy.keys["a.b"].priority',
  ],
  [
    "bytes",
    { additionalContext: { ci: { value: new Uint8Array(2) } } },
    "additionalContext.ci.value",
  ],
  ["a Buffer", { additionalContext: { ci: Buffer.from("x") } }, "additionalContext.ci"],
  ["a Map", { additionalContext: new Map() }, "additionalContext"],
  ["a Date", { additionalContext: { ci: { value: new Date(0) } } }, "additionalContext.ci.value"],
  ["an instance of a class", { additionalContext: { ci: new Entry() } }, "additionalContext.ci"],
  [
    "an object that inherits from one without a prototype",
    { additionalContext: { ci: Object.create(Object.create(null)) } },
    "additionalContext.ci",
  ],
  ["undefined in an array", { store: [1, undefined] }, "store[1]"],
  ["a hole in an array", { store: [Array(1)] }, "store[0][0]"],
  [
    "a symbol as a name",
    { additionalContext: { [Symbol("s")]: 1 } },
    "additionalContext[Symbol(s)]",
  ],
  ["a value within itself", { store: circular }, "store.self.again[0]"],
  [
    "a lone surrogate",
    { additionalContext: { ci: { value: "a\ud800b" } } },
    "additionalContext.ci.value",
  ],
  ["one in a name", { additionalContext: { "\udc00": {} } }, 'additionalContext["\\udc00"]'],
  [
    "a name that is empty",
    { additionalContext: { "": { value: NaN } } },
    'additionalContext[""].value',
  ],
  ["names with escapes", { store: { 'é"\n': { "1a": NaN } } }, 'store["é\\"\\n"]["1a"]'],
  [
    "inside params, whose paths begin there",
    { params: { input: [{ text: NaN }] } },
    "input[0].text",
  ],
  ["params", { params: NaN }, "params"],
];

for (const [what, request, path] of refused) {
  test(`refused: ${what}`, async () => {
    const given = /** @type {any} */ (request);
    const call = "params" in request ? module.turnStart(given) : module.merge(given);
    await assert.rejects(call, (error) => {
      assert.ok(error instanceof RequestError);
      const { kind, code, data } = error;
      assert.deepEqual(
        { kind, code, data },
        { kind: "invalid_params", code: -32602, data: { path } },
      );
      assert.ok(error.message.startsWith(`${path}: `), error.message);
      return true;
    });
  });
}

test("a lone surrogate in JSON text is refused with its offset", async () => {
  await assert.rejects(module.call("merge", '{"é":"\ud83d\ude00\ud800"}'), (error) => {
    assert.ok(error instanceof RequestError);
    assert.equal(error.kind, "invalid_json");
    assert.equal(error.code, -32700);
    assert.deepEqual(error.data, { offset: 11 });
    return true;
  });
});

test("a lone surrogate becomes U+FFFD on request", async (t) => {
  const module = await open({ illFormed: "replace" });
  t.after(() => module.close());
  const { store } = await module.merge({
    additionalContext: { "a\udc00": { value: "\ud800b", kind: "untrusted" } },
  });
  assert.deepEqual(store, { "a\ufffd": { value: "\ufffdb", kind: "untrusted" } });
  const answer = await module.call("merge", '{"x":"\ud800","store":null}');
  assert.equal(answer, '{"store":{},"inputs":[],"receipts":[]}');
  assert.equal(module.newThread("\ud800").id, "\ufffd");
});

test("what nests too deep is refused by the module", async () => {
  /** @type {unknown[]} */
  let deep = [];
  for (let i = 0; i < 100_000; i++) deep = [deep];
  await assert.rejects(module.merge(/** @type {any} */ ({ store: deep })), (error) => {
    assert.ok(error instanceof RequestError);
    assert.equal(error.kind, "invalid_json");
    assert.deepEqual(error.data, { offset: '{"store":'.length + 127 });
    return true;
  });
});

test("text goes through as it is", async () => {
  const keys = [
    "",
    "__proto__",
    "constructor",
    "10",
    "9",
    "日本語",
    "a\u0000b",
    "\u2028",
    "\u{1F600}",
  ];
  const entries = keys.map((key) => [key, { value: `<${key}>\r\n\t\\"\u007f`, kind: "untrusted" }]);
  const additionalContext = Object.fromEntries(entries);
  const { store, inputs, receipts } = await module.merge({ additionalContext });
  assert.deepEqual(store, additionalContext);
  assert.equal(Object.hasOwn(store, "__proto__"), true);
  const sorted = keys.toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
  assert.deepEqual(
    receipts.map((receipt) => receipt.key),
    sorted,
  );
  assert.equal(inputs.length, keys.length);
  const again = await module.merge({ store, additionalContext });
  assert.deepEqual(again.inputs, []);
});

test("undefined is absent, null is null", async () => {
  const entry = /** @type {const} */ ({ value: "v", kind: "untrusted" });
  const { store } = await module.merge({
    store: undefined,
    additionalContext: { a: entry },
    policy: null,
  });
  assert.deepEqual(store, { a: entry });
  const state = module.newThread("t").snapshot();
  const params = { threadId: "t", input: [], model: null, cwd: undefined };
  const answer = await module.turnStart({ state, turnId: "u", params });
  assert.equal(answer.turn.id, "u");
  const missing = module.turnSet({ state, activeTurn: /** @type {any} */ (undefined) });
  const offset = JSON.stringify({ state }).length - 1; // of the bracket at the end
  await assert.rejects(missing, { kind: "invalid_params", data: { path: "activeTurn", offset } });
});

test("objects of another realm and without a prototype are plain", async () => {
  const additionalContext = runInNewContext('({ a: { value: "v", kind: "untrusted" } })');
  additionalContext.b = Object.assign(Object.create(null), { value: "w", kind: "application" });
  const { receipts } = await module.merge({ additionalContext });
  assert.deepEqual(
    receipts.map((receipt) => receipt.change),
    ["added", "added"],
  );
});
