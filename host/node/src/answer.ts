import type { ErrorKind } from "./abi.js";
import { RequestError } from "./errors.js";

type JsonType = "object" | "array" | "string";

const told = { inputs: "array", receipts: "array" } as const;

// What an answer has at least. An answer of reconcile has a store or a state besides.
const members: Record<string, Record<string, JsonType>> = {
  describe: { abi: "object", functions: "array" },
  merge: { store: "object", ...told },
  turn_start: { state: "object", turn: "object", ...told },
  turn_steer: { state: "object", turn: "object", ...told },
  turn_set: { state: "object" },
  reconcile: told,
  classify: { items: "array" },
  guidance: { text: "string" },
};

/**
 * Returns the answer of a function of the module. Throws a {@link RequestError} where it refuses the request, and
 * another Error where it is malformed or the module reports a failure of its own.
 */
export function readAnswer<T>(name: string, text: string): T {
  const answer: unknown = JSON.parse(text);
  if (typeOf(answer) !== "object") throw malformed(text);
  const object = answer as Record<string, unknown>;
  if (object.error !== undefined) throw readError(object.error, text);
  for (const [member, type] of Object.entries(members[name] ?? {})) {
    if (typeOf(object[member]) !== type) throw malformed(text);
  }
  return answer as T;
}

function readError(error: unknown, text: string): Error {
  if (typeOf(error) !== "object") return malformed(text);
  const { kind, code, message, data } = error as Record<string, unknown>;
  if (typeof kind !== "string" || typeof code !== "number" || typeof message !== "string") {
    return malformed(text);
  }
  if (kind === "internal") return new Error(message);
  return new RequestError(kind as ErrorKind, code, message, data as Record<string, unknown>);
}

function typeOf(value: unknown): string {
  if (value === null) return "null";
  return Array.isArray(value) ? "array" : typeof value;
}

function malformed(text: string): Error {
  return new Error(`it gave a malformed answer: ${text.slice(0, 100)}`);
}
