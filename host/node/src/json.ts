// Writes requests. JSON.stringify drops or changes what JSON cannot carry; here it is refused, with its path.
import { RequestError } from "./errors.js";

/** What to do with a string that is not well-formed, because it has a lone surrogate. */
export type IllFormed = "refuse" | "replace";

// What nests deeper is refused by the module (README.md of the ABI, "Limits").
const maxDepth = 128;

/**
 * Returns a value as JSON text. Members that are `undefined` are left out. Throws a {@link RequestError} of kind
 * `invalid_params` with the path of what JSON cannot carry: anything but strings, finite numbers, booleans, null,
 * arrays and plain objects, a value within itself, and, unless they are replaced, strings with lone surrogates.
 */
export function write(value: unknown, illFormed: IllFormed): string {
  return new Writer(illFormed).value(value);
}

type Step = string | number | symbol;

class Writer {
  readonly #illFormed: IllFormed;
  readonly #path: Step[] = [];
  readonly #open: object[] = [];

  constructor(illFormed: IllFormed) {
    this.#illFormed = illFormed;
  }

  value(value: unknown): string {
    switch (typeof value) {
      case "string":
        return this.#string(value);
      case "number":
        return Number.isFinite(value) ? String(value) : this.#refuse(`${value} is no JSON number`);
      case "boolean":
        return String(value);
      case "object":
        return value === null ? "null" : this.#container(value);
      default:
        return this.#refuse(`JSON has no ${typeof value}`);
    }
  }

  #string(text: string): string {
    if (text.isWellFormed()) return JSON.stringify(text);
    if (this.#illFormed === "replace") return JSON.stringify(text.toWellFormed());
    return this.#refuse("the string has a lone surrogate");
  }

  #container(value: object): string {
    const isArray = Array.isArray(value);
    if (!isArray && !isPlain(value)) {
      return this.#refuse(`JSON has no ${value.constructor?.name || "such object"}`);
    }
    if (this.#open.includes(value)) return this.#refuse("the value is within itself");
    // The module refuses the bracket, so what is behind it does not matter.
    if (this.#open.length === maxDepth) return isArray ? "[]" : "{}";
    this.#open.push(value);
    const text = isArray ? this.#array(value) : this.#object(value as Record<string, unknown>);
    this.#open.pop();
    return text;
  }

  #array(items: unknown[]): string {
    let text = "[";
    for (let i = 0; i < items.length; i++) {
      this.#path.push(i);
      text += (i > 0 ? "," : "") + this.value(items[i]);
      this.#path.pop();
    }
    return `${text}]`;
  }

  #object(members: Record<string, unknown>): string {
    const symbol = findSymbol(members);
    if (symbol) {
      this.#path.push(symbol);
      this.#refuse("a member's name is a symbol");
    }
    let text = "{";
    for (const name of Object.keys(members)) {
      const member = members[name];
      if (member === undefined) continue;
      this.#path.push(name);
      text += `${(text === "{" ? "" : ",") + this.#string(name)}:${this.value(member)}`;
      this.#path.pop();
    }
    return `${text}}`;
  }

  #refuse(reason: string): never {
    const path = pathText(this.#path);
    throw new RequestError("invalid_params", -32602, `${path}: ${reason}`, { path });
  }
}

/** Tells an object literal, also of another realm, from an instance of a class and what else inherits members. */
export function isPlain(value: unknown): value is Record<string, unknown> {
  if (typeof value !== "object" || value === null) return false;
  const prototype = Object.getPrototypeOf(value);
  if (prototype === null || prototype === Object.prototype) return true;
  return Object.getPrototypeOf(prototype) === null && Object.hasOwn(prototype, "isPrototypeOf");
}

/** Returns a member's name that is a symbol, if there is one. */
export function findSymbol(members: object): symbol | undefined {
  const isMember = (symbol: symbol) => Object.prototype.propertyIsEnumerable.call(members, symbol);
  return Object.getOwnPropertySymbols(members).find(isMember);
}

/** Writes a path as the ABI does ("Paths and offsets"): what is inside `params` begins there. */
function pathText(path: readonly Step[]): string {
  const steps = path[0] === "params" && path.length > 1 ? path.slice(1) : path;
  const text = steps.map(stepText).join("");
  return text.startsWith(".") ? text.slice(1) : text;
}

function stepText(step: Step): string {
  if (typeof step === "symbol") return `[${String(step)}]`;
  if (typeof step === "number") return `[${step}]`;
  return /^[A-Za-z_][A-Za-z0-9_]*$/.test(step) ? `.${step}` : `[${JSON.stringify(step)}]`;
}

/**
 * Returns a JSON text in UTF-8. Throws a {@link RequestError} of kind `invalid_json` with the offset in bytes of a lone
 * surrogate, unless they are replaced.
 */
export function encode(text: string, illFormed: IllFormed): Uint8Array<ArrayBuffer> {
  if (illFormed === "refuse" && !text.isWellFormed()) {
    const offset = Buffer.byteLength(text.slice(0, text.search(/\p{Surrogate}/u)));
    throw new RequestError("invalid_json", -32700, "the request has a lone surrogate", { offset });
  }
  return new TextEncoder().encode(text);
}

// A byte-order mark in an answer is not swallowed: it is no JSON.
const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** Returns the text of an answer. Throws where it is not UTF-8. */
export function decode(bytes: Uint8Array): string {
  return decoder.decode(bytes);
}
