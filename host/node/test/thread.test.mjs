import assert from "node:assert/strict";
import { test } from "node:test";
import { open, RequestError } from "turncontext";
import { inheriting } from "./inheriting.mjs";

const module = await open();
test.after(() => module.close());

/** @param {string} value @returns {import("turncontext").AdditionalContext} */
const tab = (value) => ({ tab: { value, kind: "untrusted" } });

/** @param {string} text @returns {import("turncontext").UserInput[]} */
const says = (text) => [{ type: "text", text }];

/** @param {{inputs: import("turncontext").Input[]}} answer */
const texts = ({ inputs }) =>
  inputs.map(({ item }) =>
    item.content.map((part) => (part.type === "input_text" ? part.text : part.type)).join(),
  );

/** Tells whether a promise is still open after everything that can run has run. @param {Promise<unknown>} promise */
async function waits(promise) {
  const open = Symbol();
  const pause = new Promise((resolve) => setTimeout(resolve, 50, open));
  return (await Promise.race([promise, pause])) === open;
}

test("a thread from its first turn to its last", async () => {
  const thread = module.newThread("thread-1");
  assert.equal(thread.id, "thread-1");
  assert.equal(thread.activeTurn, null);

  const started = await thread.start({
    turnId: "turn-1",
    params: { input: says("What is this?"), additionalContext: tab("Inbox") },
  });
  assert.deepEqual(started.turn, { id: "turn-1", steered: false });
  assert.deepEqual(texts(started), ["<external_tab>Inbox</external_tab>", "What is this?"]);
  assert.deepEqual(thread.activeTurn, { id: "turn-1", kind: "regular" });
  assert.deepEqual(thread.snapshot(), started.state);

  const steered = await thread.steer({
    params: {
      expectedTurnId: "turn-1",
      input: says("In a word."),
      additionalContext: tab("Inbox"),
    },
  });
  assert.deepEqual(steered.turn, { id: "turn-1", steered: true });
  assert.deepEqual(texts(steered), ["In a word."]);
  assert.deepEqual(
    steered.receipts.map((receipt) => receipt.change),
    ["unchanged"],
  );

  await thread.end("another");
  assert.deepEqual(thread.activeTurn, { id: "turn-1", kind: "regular" });
  await thread.end("turn-1");
  assert.equal(thread.activeTurn, null);
});

test("no turn ends, and none begins, without an id", async () => {
  const thread = module.newThread("t");
  await thread.start({ turnId: "u", params: { input: says("1") } });
  for (const id of [undefined, null, 1, {}]) {
    const given = /** @type {any} */ (id);
    await assert.rejects(thread.end(given), { name: "TypeError", message: "turnId is no string" });
    assert.throws(() => module.newThread(given), {
      name: "TypeError",
      message: "the thread's id is no string",
    });
  }
  for (const turn of [undefined, null, "u"]) {
    await assert.rejects(thread.set(/** @type {any} */ (turn)), TypeError);
  }
  await thread.end("");
  assert.deepEqual(thread.activeTurn, { id: "u", kind: "regular" });
});

test("a review cannot be steered", async () => {
  const thread = module.newThread("t");
  await thread.set({ id: "r", kind: "review" });
  assert.deepEqual(thread.activeTurn, { id: "r", kind: "review" });
  const steer = thread.steer({ params: { expectedTurnId: "r", input: says("Hello") } });
  await assert.rejects(steer, (error) => {
    assert.ok(error instanceof RequestError);
    assert.equal(error.kind, "turn_not_steerable");
    assert.equal(error.message, "cannot steer a review turn");
    assert.deepEqual(error.data?.codexErrorInfo, {
      activeTurnNotSteerable: { turnKind: "review" },
    });
    return true;
  });
  await thread.end("r");
  assert.equal(thread.activeTurn, null);
});

test("what is prepared is the thread's only when it is committed", async () => {
  const thread = module.newThread("t");
  const before = thread.snapshot();
  const params = { input: says("Hello"), additionalContext: tab("Inbox") };

  const discarded = await thread.prepareStart({ turnId: "u1", params });
  assert.equal(texts(discarded).length, 2);
  assert.equal(thread.activeTurn, null);
  assert.deepEqual(thread.snapshot(), before);
  discarded.discard();
  discarded.discard();
  assert.throws(() => discarded.commit(), /committed or discarded already/);
  assert.deepEqual(thread.snapshot(), before);

  const prepared = await thread.prepareStart({ turnId: "u2", params });
  assert.deepEqual(
    texts(prepared),
    texts(discarded),
    "nothing was told by the one that was discarded",
  );
  assert.equal(prepared.receipts[0]?.change, "added");
  prepared.commit();
  assert.deepEqual(thread.snapshot(), prepared.state);
  assert.deepEqual(thread.activeTurn, { id: "u2", kind: "regular" });
  assert.throws(() => prepared.commit(), /committed or discarded already/);
  prepared[Symbol.dispose]();
  assert.deepEqual(thread.activeTurn, { id: "u2", kind: "regular" });
});

test("what would change a thread waits for what is prepared, in its order", async () => {
  const thread = module.newThread("t");
  const other = module.newThread("other");
  const prepared = await thread.prepareStart({ turnId: "u1", params: { input: says("1") } });
  /** @type {string[]} */
  const order = [];
  /** @param {string} name @param {Promise<unknown>} promise */
  const note = (name, promise) => promise.then(() => order.push(name));
  const all = Promise.all([
    note("steer", thread.steer({ params: { expectedTurnId: "u1", input: says("2") } })),
    note("set", thread.set({ id: "c", kind: "compact" })),
    note("end", thread.end("c")),
    note("restore", thread.restore(thread.snapshot())),
  ]);
  assert.ok(await waits(all));
  assert.deepEqual(order, []);
  await other.start({ turnId: "o", params: { input: says("3") } }); // is not held up
  await module.merge({}); // nor is this
  prepared.commit();
  await all;
  assert.deepEqual(order, ["steer", "set", "end", "restore"]);
  assert.equal(thread.activeTurn, null);
});

test("an error changes nothing, and holds nothing up", async () => {
  const thread = module.newThread("t");
  await thread.start({ turnId: "u", params: { input: [], additionalContext: tab("Inbox") } });
  const before = thread.snapshot();
  const steer = (/** @type {any} */ params) => thread.prepareSteer({ params });
  await assert.rejects(steer({ expectedTurnId: "v", input: says("1") }), {
    kind: "turn_mismatch",
    message: "expected active turn id `v` but found `u`",
  });
  await assert.rejects(steer({ expectedTurnId: "u", input: [], additionalContext: tab("x") }), {
    kind: "empty_input",
  });
  await assert.rejects(steer({ expectedTurnId: "u", input: says("\ud800") }), {
    data: { path: "input[0].text" },
  });
  await assert.rejects(steer({ threadId: "other", expectedTurnId: "u", input: says("1") }), {
    kind: "invalid_params",
  });
  await assert.rejects(steer(null), { kind: "invalid_params" });
  await assert.rejects(thread.set({ id: "x", kind: /** @type {any} */ ("regal") }), {
    kind: "invalid_params",
  });
  await assert.rejects(thread.restore(/** @type {any} */ ({ version: 2, threadId: "t" })), {
    kind: "unsupported",
  });
  await assert.rejects(
    thread.restore(module.newThread("other").snapshot()),
    /of thread other, not of t/,
  );
  assert.deepEqual(thread.snapshot(), before);
});

test("params that are no plain object are refused", async () => {
  const thread = module.newThread("t");
  await thread.start({ turnId: "u", params: { input: [], additionalContext: tab("Inbox") } });
  const before = thread.snapshot();
  const members = { expectedTurnId: "u", input: says("1"), additionalContext: tab("Inbox") };
  const { additionalContext, ...own } = members;
  const partly = Object.assign(Object.create({ additionalContext }), own);
  for (const given of [partly, [], ...inheriting(members)]) {
    const params = /** @type {any} */ (given);
    const refused = { name: "RequestError", message: /^params: / };
    await assert.rejects(thread.start({ turnId: "u", params }), refused);
    await assert.rejects(thread.steer({ params }), refused);
  }
  assert.deepEqual(thread.snapshot(), before);
});

test("a snapshot goes on in another thread, and is the caller's own", async () => {
  const thread = module.newThread("t");
  await thread.start({
    turnId: "u",
    params: { input: says("1"), additionalContext: tab("Inbox") },
  });
  const snapshot = thread.snapshot();
  snapshot.additionalContext.tab = { value: "changed", kind: "untrusted" };
  assert.equal(thread.snapshot().additionalContext.tab?.value, "Inbox");

  const saved = JSON.parse(JSON.stringify(thread.snapshot()));
  const restored = await module.restoreThread({ ...saved, unknown: 1e300 });
  assert.equal(restored.id, "t");
  assert.deepEqual(restored.activeTurn, { id: "u", kind: "regular" });
  assert.deepEqual(restored.snapshot(), saved);
  const params = { expectedTurnId: "u", input: says("2"), additionalContext: tab("Inbox") };
  assert.deepEqual(texts(await restored.steer({ params })), ["2"]);

  const older = thread.snapshot();
  await thread.end("u");
  await thread.restore(older);
  assert.deepEqual(thread.activeTurn, { id: "u", kind: "regular" });

  await assert.rejects(module.restoreThread(/** @type {any} */ ({ version: 3, threadId: "t" })), {
    kind: "unsupported",
  });
  await assert.rejects(
    module.restoreThread(/** @type {any} */ ({ version: 1, threadId: "\ud800" })),
    {
      data: { path: "state.threadId" },
    },
  );
  assert.throws(() => module.newThread("\ud800"), { data: { path: "state.threadId" } });
});

test("a policy is the thread's, or a call's instead", async () => {
  const refused = { kind: "experimental_api_required" };
  const thread = module.newThread("t", { policy: { experimentalApi: false } });
  const params = { input: says("1"), additionalContext: tab("Inbox") };
  await assert.rejects(thread.start({ turnId: "u", params }), refused);
  for (const policy of [null, undefined]) {
    await assert.rejects(thread.start({ turnId: "u", params, policy }), refused);
  }
  for (const policy of [{}, { experimentalApi: true }]) {
    const prepared = await thread.prepareStart({ turnId: "u", params, policy });
    prepared.discard();
  }
  const restored = await module.restoreThread(thread.snapshot(), {
    policy: { experimentalApi: false },
  });
  await assert.rejects(restored.start({ turnId: "u", params }), refused);
});

test("a policy that JSON cannot carry is refused at once, with its path", async () => {
  const policy = { maxValueTokens: Number.NaN };
  const refused = { name: "RequestError", data: { path: "policy.maxValueTokens" } };
  assert.throws(() => module.newThread("t", { policy }), refused);
  await assert.rejects(module.restoreThread(module.newThread("t").snapshot(), { policy }), refused);
});

test("what was given and what was answered may be changed", async () => {
  const policy = { experimentalApi: false };
  const state = module.newThread("t").snapshot();
  const restored = module.restoreThread(state, { policy });
  const made = module.newThread("t", { policy });
  policy.experimentalApi = true;
  state.threadId = "changed";
  for (const thread of [made, await restored]) {
    const start = thread.start({ turnId: "u", params: { input: [], additionalContext: tab("x") } });
    await assert.rejects(start, { kind: "experimental_api_required" });

    const prepared = await thread.prepareStart({ turnId: "u", params: { input: says("1") } });
    change(prepared.state);
    prepared.commit();
    change((await thread.start({ turnId: "v", params: { input: says("2") } })).state);
    change((await thread.reconcile({ history: [] })).state);
    change(thread.snapshot());
    assert.ok(thread.activeTurn);
    thread.activeTurn.id = "changed";
    assert.equal(thread.id, "t");
    assert.deepEqual(thread.activeTurn, { id: "u", kind: "regular" });
    assert.deepEqual(thread.snapshot(), {
      version: 1,
      threadId: "t",
      activeTurn: { id: "u", kind: "regular" },
      additionalContext: {},
    });
  }

  /** @param {import("turncontext").State} state */
  function change(state) {
    state.threadId = "changed";
    if (state.activeTurn) state.activeTurn.id = "changed";
    state.additionalContext.changed = { value: "", kind: "untrusted" };
  }
});

test("a request is written when it is made", async () => {
  const thread = module.newThread("t");
  const first = await thread.prepareStart({ turnId: "u", params: { input: says("1") } });
  const params = { expectedTurnId: "u", input: says("2") };
  const steered = thread.steer({ params });
  params.input.push({ type: "text", text: "3" });
  first.commit();
  assert.deepEqual(texts(await steered), ["2"]);
});

test("a prompt hook", async () => {
  const thread = module.newThread("t");
  const answer = await thread.start({
    turnId: "u",
    params: { input: says("secret"), additionalContext: tab("Inbox") },
    promptHook: { blocked: true, contexts: ["Blocked."] },
  });
  assert.deepEqual(texts(answer), ["<external_tab>Inbox</external_tab>", "Blocked."]);
  assert.deepEqual(
    answer.inputs.map((input) => input.source),
    ["additionalContext", "promptHook"],
  );
});

test("reconcile tells again what a compaction dropped", async () => {
  const thread = module.newThread("t");
  const { inputs } = await thread.start({
    turnId: "u",
    params: { input: says("1"), additionalContext: tab("Inbox") },
  });
  const history = [
    ...inputs.map((input) => input.item),
    { type: "function_call_output", call_id: "c", output: "é", n: 1e21, nothing: null },
  ];
  const copy = structuredClone(history);
  const kept = await thread.reconcile({ history });
  assert.deepEqual(kept.inputs, []);
  assert.equal(kept.receipts[0]?.change, "unchanged");
  assert.deepEqual(history, copy, "the history is the host's");

  const lost = await thread.reconcile({ history: history.slice(1) });
  assert.deepEqual(texts(lost), ["<external_tab>Inbox</external_tab>"]);
  assert.equal(lost.receipts[0]?.change, "restored");
  assert.deepEqual(thread.snapshot(), lost.state);

  const prepared = await thread.prepareReconcile({ history: [] });
  assert.equal(prepared.turn, undefined);
  const waiting = thread.reconcile({ history });
  assert.ok(await waits(waiting));
  prepared.discard();
  assert.deepEqual(await waiting, kept);

  const { store } = await module.reconcile({ store: lost.state.additionalContext, history: [] });
  assert.deepEqual(store, lost.state.additionalContext);
  await assert.rejects(thread.reconcile({ history: [{ n: 1n }] }), {
    data: { path: "history[0].n" },
  });
});

test("classify and guidance", async () => {
  const { inputs } = await module.merge({ additionalContext: tab("Inbox") });
  const own = { type: "message", role: "user", content: [{ type: "input_text", text: "Hello" }] };
  const items = [...inputs.map((input) => input.item), own];
  const { items: classified } = await module.classify({ items });
  assert.deepEqual(classified, [
    { hidden: true, key: "tab", kind: "untrusted" },
    { hidden: false },
  ]);
  const { text } = await module.guidance();
  assert.match(text, /external_/);
  assert.deepEqual(await module.guidance({ policy: { wrapper: "reference" } }), { text });
});
