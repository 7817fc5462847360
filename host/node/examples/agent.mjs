// A small agent. Each turn tells the model what changed outside, ahead of what the user says.
//
//   API_KEY=… node examples/agent.mjs
//
// RESPONSES_URL and MODEL name another server that speaks the Responses API, and its model.
import { randomUUID } from "node:crypto";
import { open } from "turncontext";

const url = process.env.RESPONSES_URL ?? "https://api.openai.com/v1/responses";
const model = process.env.MODEL ?? "gpt-5-mini";

const module = await open();
const { text: guidance } = await module.guidance();
const thread = module.newThread(randomUUID());

/** What the model sees, and what the thread was told. A real agent keeps both on a disk. @type {object[]} */
let history = [];
let saved = thread.snapshot();

/** Asks the model, and returns what it says. Everything about the model is in here. @returns {Promise<any[]>} */
async function ask() {
  const response = await fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: `Bearer ${process.env.API_KEY}` },
    body: JSON.stringify({ model, instructions: guidance, input: history, store: false }),
  });
  if (!response.ok) throw new Error(`${response.status}: ${await response.text()}`);
  return (await response.json()).output;
}

/**
 * One turn: the context and the user's words go into the history, then the state is saved, then the model is asked.
 *
 * @param {string} text
 * @param {import("turncontext").AdditionalContext} additionalContext the complete current context
 */
async function turn(text, additionalContext) {
  const prepared = await thread.prepareStart({
    turnId: randomUUID(),
    params: { input: [{ type: "text", text }], additionalContext },
  });
  try {
    history.push(...prepared.inputs.map((input) => input.item));
    saved = prepared.state;
    prepared.commit();
  } finally {
    prepared.discard(); // had the history or the state failed, nothing would have been told
  }
  const output = await ask();
  history.push(...output);
  await thread.end(prepared.turn.id);
  saved = thread.snapshot();
  for (const item of output) {
    if (item.type === "message") console.log(item.content[0].text);
  }
}

/** Keeps the newest items only. What the model was told and no longer sees is told again. @param {number} items */
async function compact(items) {
  history = history.slice(-items);
  const { inputs, state } = await thread.reconcile({ history });
  history.push(...inputs.map((input) => input.item));
  saved = state;
}

const project = {
  value: "turncontext, on branch main",
  kind: /** @type {const} */ ("application"),
};
/** @param {string} value */
const ci = (value) => ({ value, kind: /** @type {const} */ ("untrusted") });

await turn("Is the build fine?", { project, ci: ci("build 812 failed: 3 tests") });
await turn("Which ones?", { project, ci: ci("build 812 failed: 3 tests") });
await turn("I pushed a fix.", { project, ci: ci("build 813 passed") });
await compact(2);
await turn("So can I merge?", { project, ci: ci("build 813 passed") });
await module.close();
console.log(`The thread was told: ${Object.keys(saved.additionalContext).join(", ")}.`);
