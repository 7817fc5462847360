// Reads and runs the conformance vectors, as testdata/README.md specifies them.
import { readdirSync, readFileSync } from "node:fs";
import { isDeepStrictEqual } from "node:util";

/** @typedef {(name: string, request: Uint8Array) => Promise<Uint8Array>} Call */
/** @typedef {{file: string, name: string, run: (ask: Call) => Promise<void>}} Vector */

/** Says why a vector cannot run. */
export class NotRun extends Error {}

const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** @type {Record<string, (ask: Call, vector: any) => Promise<void>>} */
const runners = { merge, wire, truncate, classify, calls };

/**
 * Reads every file of vectors in a folder. A format, kind or member that is not known is an error.
 *
 * @param {URL} folder
 * @returns {Vector[]}
 */
export function readVectors(folder) {
  const files = readdirSync(folder).filter((name) => name.endsWith(".json"));
  if (files.length === 0) throw new Error(`no vectors in ${folder}`);
  return files.flatMap((file) => {
    const { format, kind, vectors, ...rest } = JSON.parse(
      readFileSync(new URL(file, folder), "utf8"),
    );
    only(rest, ["about"]);
    const run = Object.hasOwn(runners, kind) ? runners[kind] : undefined;
    if (format !== "turncontext-vectors/1" || !run) {
      throw new Error(`${file}: unknown format ${format} or kind ${kind}`);
    }
    if (vectors.length === 0) throw new Error(`${file}: no vectors`);
    return vectors.map((/** @type {any} */ vector, /** @type {number} */ i) => ({
      file,
      name: `[${i}] ${vector.name ?? ""}`.trim(),
      run: (/** @type {Call} */ ask) => run(ask, vector),
    }));
  });
}

/** @param {Call} ask @param {any} vector */
async function merge(ask, { name: _, steps, ...rest }) {
  only(rest, []);
  let store;
  for (const { inputs, ...context } of steps) {
    only(context, ["additionalContext"]);
    const request = store === undefined ? context : { store, ...context };
    const answer = await askJson(ask, "merge", JSON.stringify(request));
    const told = answer.inputs.map((/** @type {any} */ { item }) => {
      equal(item.content.length, 1);
      return { role: item.role, text: item.content[0].text };
    });
    equal(told, inputs);
    store = answer.store;
  }
}

/** @param {Call} ask @param {any} vector */
async function wire(ask, { params, ok, ...rest }) {
  only(rest, ok ? ["entries"] : []);
  const answer = await askJson(ask, "merge", params);
  if (ok) {
    equal(answer.store, rest.entries ?? {});
    return;
  }
  const kinds = ["invalid_json", "invalid_request", "invalid_params"];
  equal(kinds.includes(readError(answer).kind), true);
}

/** @param {Call} ask @param {any} vector */
async function truncate(ask, { name: _, value, maxTokens, text, originalTokens, ...rest }) {
  only(rest, []);
  const additionalContext = { k: { value, kind: "untrusted" } };
  const request = { policy: { maxValueTokens: maxTokens }, additionalContext };
  const answer = await askJson(ask, "merge", JSON.stringify(request));
  if (answer.error?.data?.path === "policy.maxValueTokens") {
    throw new NotRun("the module's policy has no maxValueTokens");
  }
  equal(
    answer.inputs.map((/** @type {any} */ input) => input.item.content),
    [[{ type: "input_text", text: `<external_k>${text}</external_k>` }]],
  );
  equal(
    answer.receipts.map((/** @type {any} */ r) => r.truncated?.originalTokens ?? null),
    [originalTokens],
  );
}

/** @param {Call} ask @param {any} vector */
async function classify(ask, { text, hidden, ...rest }) {
  only(rest, []);
  const item = { type: "message", role: "user", content: [{ type: "input_text", text }] };
  const { items } = await askJson(ask, "classify", JSON.stringify({ items: [item] }));
  equal(
    items.map((/** @type {any} */ item) => item.hidden),
    [hidden],
  );
}

/** @param {Call} ask @param {any} vector */
async function calls(ask, { name: _, calls, ...rest }) {
  only(rest, []);
  for (const { function: name, ...step } of calls) {
    const [request, expectation, ...others] = Object.keys(step);
    if (!request || !expectation || others.length > 0)
      throw new Error(`members ${Object.keys(step)}`);
    check(await ask(name, bytes(request, step)), expectation, step);
  }
}

/** @param {string} form @param {any} step */
function bytes(form, step) {
  const value = step[form];
  switch (form) {
    case "request":
    case "response":
      return encoder.encode(value);
    case "requestBase64":
      return Buffer.from(value, "base64");
    case "requestParts":
    case "responseParts":
      return Buffer.concat(value.map((/** @type {[string, number]} */ part) => repeated(...part)));
    default:
      throw new Error(`unknown member ${form}`);
  }
}

/** @param {string} text @param {number} times */
function repeated(text, times) {
  const unit = encoder.encode(text);
  return Buffer.alloc(unit.length * times, times ? unit : undefined);
}

/** @param {Uint8Array} answer @param {string} expectation @param {any} step */
function check(answer, expectation, step) {
  if (expectation === "error") {
    const { data: wanted, message, ...rest } = step.error;
    only(rest, ["kind", "code"]);
    const got = readError(JSON.parse(decoder.decode(answer)));
    equal([got.kind, got.code, got.data], [rest.kind, rest.code, wanted]);
    if (message !== undefined) equal(got.message, message);
    return;
  }
  if (expectation === "responseContains") {
    contains(JSON.parse(decoder.decode(answer)), step.responseContains);
    return;
  }
  const wanted = bytes(expectation, step);
  if (Buffer.compare(answer, wanted) !== 0) equal(shown(answer), shown(wanted));
}

/** @param {unknown} got @param {any} wanted */
function contains(got, wanted) {
  if (typeof wanted !== "object" || wanted === null || Array.isArray(wanted)) {
    equal(got, wanted);
    return;
  }
  for (const [name, member] of Object.entries(wanted)) {
    contains(/** @type {any} */ (got)?.[name], member);
  }
}

/** @param {any} answer */
function readError(answer) {
  const { error, ...beside } = answer;
  only(beside, []);
  const { kind, code, message, data, ...rest } = error ?? {};
  only(rest, []);
  if (typeof message !== "string" || message === "") throw new Error("not an error object");
  return { kind, code, message, data };
}

/** @param {Call} ask @param {string} name @param {string} request */
async function askJson(ask, name, request) {
  return JSON.parse(decoder.decode(await ask(name, encoder.encode(request))));
}

/** @param {object} members @param {string[]} names */
function only(members, names) {
  const unknown = Object.keys(members).filter((name) => !names.includes(name));
  if (unknown.length > 0) throw new Error(`unknown members ${unknown}`);
}

/** @param {unknown} got @param {unknown} wanted */
function equal(got, wanted) {
  if (isDeepStrictEqual(got, wanted)) return;
  throw new Error(`want ${cut(JSON.stringify(wanted))}, got ${cut(JSON.stringify(got))}`);
}

/** @param {string | undefined} text */
const cut = (text) => (text && text.length > 500 ? `${text.slice(0, 500)}…` : text);

/** @param {Uint8Array} bytes */
const shown = (bytes) => Buffer.from(bytes).toString("utf8");
