import assert from "node:assert/strict";
import { once } from "node:events";
import { test } from "node:test";
import { Worker } from "node:worker_threads";
import { open } from "turncontext";

test("four workers at once answer as one", async (t) => {
  const requests = Array.from({ length: 500 }, (_, i) => {
    const value = `${i} é `.repeat(1 + ((i * 37) % 1000));
    const changed = { value: `${value}!`, kind: "untrusted" };
    const store = { ci: { value, kind: "untrusted" }, tab: { value, kind: "application" } };
    return JSON.stringify({ store, additionalContext: { ...store, ci: changed } });
  });
  const module = await open();
  t.after(() => module.close());
  const expected = [];
  for (const request of requests) expected.push(await module.call("merge", request));

  const answers = Array.from({ length: 4 }, async () => {
    const worker = new Worker(new URL("worker.mjs", import.meta.url), { workerData: requests });
    const [answers] = await once(worker, "message");
    return answers;
  });
  for (const answer of await Promise.all(answers)) assert.deepEqual(answer, expected);
});
