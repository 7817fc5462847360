// Every conformance vector through the package. With TURNCONTEXT_CONFORM set, the counts go to that file, a line.
import assert from "node:assert/strict";
import { appendFileSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { open, RequestError } from "turncontext";
import { NotRun, readVectors } from "./vectors.mjs";

const vectors = readVectors(new URL("../../../testdata/vectors/", import.meta.url));

test("every vector gives the same bytes", async (t) => {
  const module = await open();
  t.after(() => module.close());
  const { functions } = await module.describe();
  const failed = [];
  const notRun = new Map();
  let passed = 0;
  for (const { file, name, run } of vectors) {
    try {
      await run(async (name, request) => {
        if (!functions.includes(name)) throw new NotRun(`the module has no function ${name}`);
        return module.call(name, request);
      });
      passed++;
    } catch (error) {
      if (error instanceof NotRun) {
        const reason = `${file}: ${error.message}`;
        notRun.set(reason, (notRun.get(reason) ?? 0) + 1);
      } else {
        failed.push(`${file}: ${name}: ${/** @type {Error} */ (error).message}`);
      }
    }
  }
  const left = [...notRun.values()].reduce((sum, n) => sum + n, 0);
  for (const [reason, n] of notRun) t.diagnostic(`not run: ${n} vectors: ${reason}`);
  t.diagnostic(`${passed} passed, ${failed.length} failed, ${left} not run`);
  report({ host: "node", passed, failed: failed.length, notRun: left });
  assert.deepEqual(failed, []);
  assert.ok(passed > 0);
});

// What the writer of this package would write too goes through the typed functions, and has to come back the same:
// numbers, null and absent members, text, errors with their offsets.
test("typed functions say the same", async (t) => {
  const module = await open();
  t.after(() => module.close());
  /** @type {Record<string, (request: any) => Promise<object>>} */
  const functions = {
    merge: (request) => module.merge(request),
    turn_start: (request) => module.turnStart(request),
    turn_steer: (request) => module.turnSteer(request),
    turn_set: (request) => module.turnSet(request),
    reconcile: (request) => module.reconcile(request),
    classify: (request) => module.classify(request),
    guidance: (request) => module.guidance(request),
  };
  /** Sends what a typed function refuses, as that would. @param {string} name */
  const written = (name) => async (/** @type {any} */ request) => {
    const internal = /** @type {any} */ (module);
    return internal.ask(name, internal.write(request));
  };
  const counts = { answers: 0, errors: 0 };
  for (const { run } of vectors.filter((vector) => vector.file.startsWith("calls-"))) {
    await run(async (name, request) => {
      const answer = await module.call(name, request);
      const value = parse(request);
      const typed = functions[name];
      if (value === undefined || !typed) return answer;
      const known = isKnown(name, value);
      if (!known) await assert.rejects(typed(value), TypeError);
      const send = known ? typed : written(name);
      const { error, ...expected } = JSON.parse(Buffer.from(answer).toString());
      if (error) {
        counts.errors++;
        await assert.rejects(send(value), (thrown) => {
          assert.ok(thrown instanceof RequestError);
          const { kind, code, message, data } = thrown;
          assert.deepEqual({ kind, code, message, data }, { data: undefined, ...error });
          return true;
        });
      } else {
        counts.answers++;
        assert.deepEqual(await send(value), expected);
      }
      return answer;
    });
  }
  t.diagnostic(`${counts.answers} answers, ${counts.errors} errors`);
  assert.ok(counts.answers > 100 && counts.errors > 100);
});

/**
 * Tells whether a request has no other members than those that the ABI's schema names.
 *
 * @param {string} name of the function
 * @param {any} request
 */
function isKnown(name, request) {
  if (typeof request !== "object" || request === null || Array.isArray(request)) return false;
  const file = new URL(`../../../abi/schema/${name}_request.schema.json`, import.meta.url);
  const { properties } = JSON.parse(readFileSync(file, "utf8"));
  return Object.keys(request).every((member) => Object.hasOwn(properties, member));
}

const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/**
 * Returns the request's value, if writing it gives the request again.
 *
 * @param {Uint8Array} request
 */
function parse(request) {
  if (request.length > 100_000) return undefined;
  try {
    const text = decoder.decode(request);
    const value = JSON.parse(text);
    const loneSurrogate = /\\ud[89a-f]/;
    return JSON.stringify(value) === text && !loneSurrogate.test(text) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** @param {object} counts */
function report(counts) {
  const file = process.env.TURNCONTEXT_CONFORM;
  if (file) appendFileSync(file, `${JSON.stringify(counts)}\n`);
}
