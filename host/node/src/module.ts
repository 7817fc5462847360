import type {
  ClassifyRequest,
  ClassifyResponse,
  Description,
  GuidanceRequest,
  GuidanceResponse,
  MergeRequest,
  MergeResponse,
  Policy,
  ReconcileStateRequest,
  ReconcileStateResponse,
  ReconcileStoreRequest,
  ReconcileStoreResponse,
  State,
  TurnResponse,
  TurnSetRequest,
  TurnSetResponse,
  TurnStartRequest,
  TurnSteerRequest,
} from "./abi.js";
import { readAnswer } from "./answer.js";
import { ModuleError, RequestError } from "./errors.js";
import { type Answerer, Instance } from "./instance.js";
import { decode, encode, type IllFormed, write } from "./json.js";
import { Line } from "./line.js";
import { load } from "./load.js";
import { type Checked, checkMembers } from "./members.js";
import { pageBytes } from "./memory.js";
import { RemoteInstance } from "./remote.js";
import { newThread, restoreThread, type Thread } from "./thread.js";

const abi = { name: "turncontext", version: 1 };

const defaultMemoryLimit = 2 ** 30;
const maxMemoryLimit = 2 ** 32 - pageBytes;
const maxTimeout = 2 ** 31 - 1;

/** What to open, and within what bounds. The defaults are right for most programs. */
export interface OpenOptions {
  /** The module's file, as a path, a `file:` URL or its bytes. The one in this package by default. */
  module?: string | URL | Uint8Array | undefined;
  /**
   * The most memory in bytes that the instance may have, rounded down to pages of 64 KiB; at least one page, less than
   * 4 GiB, 1 GiB by default. A call that needs more fails with a {@link ModuleError}.
   */
  memoryLimit?: number | undefined;
  /**
   * The most time in milliseconds that a call may take; one that takes more fails with a {@link ModuleError}. The
   * module then runs in a worker, which adds some tens of microseconds to each call. By default it runs on the caller's
   * thread, where nothing can stop a call: the size of a request is bounded, and so is the work on it.
   */
  timeout?: number | undefined;
  /**
   * What to do with a string that has a lone surrogate, which UTF-8 cannot carry: `refuse` (the default) is a
   * {@link RequestError} with its path, `replace` makes it U+FFFD.
   */
  illFormed?: IllFormed | undefined;
}

/** What a thread goes by. */
export interface ThreadOptions {
  /** For every call of the thread that has none of its own; `{}` in a call is the default one. It is copied. */
  policy?: Policy | null | undefined;
}

/**
 * Opens a module: compiles it, makes its instance, and checks that it keeps the version of the ABI that this package
 * speaks. Throws a {@link ModuleError} where it does not or is no turncontext module, a RangeError or TypeError for an
 * option that is out of range or not known, and the error of the file system where the file cannot be read. Close the
 * module after use.
 */
export async function open(options: OpenOptions = {}): Promise<Module> {
  checkMembers("OpenOptions", options);
  const { memoryLimit = defaultMemoryLimit, timeout, illFormed = "refuse" } = options;
  checkRange("memoryLimit", memoryLimit, pageBytes, maxMemoryLimit);
  if (timeout !== undefined) checkRange("timeout", timeout, 1, maxTimeout);
  if (illFormed !== "refuse" && illFormed !== "replace") {
    throw new TypeError(`illFormed is neither "refuse" nor "replace"`);
  }
  try {
    const compiled = await load(options.module, Math.floor(memoryLimit / pageBytes));
    const make = () =>
      timeout === undefined ? Instance.make(compiled) : RemoteInstance.make(compiled, timeout);
    return await Module.open(make, illFormed);
  } catch (error) {
    throw error instanceof ModuleError ? naming(options.module, error) : error;
  }
}

/** Puts the name of the module's file, where there is one, into an error. */
function naming(source: OpenOptions["module"], error: ModuleError): ModuleError {
  if (source === undefined || source instanceof Uint8Array) return error;
  const cause = error.cause as Error;
  return new ModuleError(error.function, new Error(`${source}: ${cause.message}`, { cause }));
}

function checkRange(name: string, value: number, min: number, max: number) {
  if (typeof value !== "number") throw new TypeError(`${name} is no number`);
  if (!(value >= min && value <= max)) {
    throw new RangeError(`${name} is ${value}, which is not within ${min} and ${max}`);
  }
}

/**
 * An open module. It answers one call at a time, in the order in which they come, and keeps nothing between them. An
 * instance that failed is dropped; the next call makes another.
 *
 * A request that is refused is a {@link RequestError}, a module that fails a {@link ModuleError}, and options or a
 * request that are no plain object, or have a member that is not known, a TypeError.
 */
export class Module {
  readonly #make: () => Promise<Answerer>;
  readonly #illFormed: IllFormed;
  readonly #line = new Line();
  #functions = ["describe"];
  #instance: Answerer | undefined;
  #closed = false;

  private constructor(make: () => Promise<Answerer>, illFormed: IllFormed) {
    this.#make = make;
    this.#illFormed = illFormed;
  }

  /** @internal */
  static async open(make: () => Promise<Answerer>, illFormed: IllFormed): Promise<Module> {
    const module = new Module(make, illFormed);
    try {
      const description = await module.describe();
      checkVersion(description.abi);
      module.#functions = description.functions;
      return module;
    } catch (error) {
      await module.close();
      throw error;
    }
  }

  /**
   * Sends a request to one of the module's functions, as the ABI specifies it, and returns the answer: JSON text for
   * text, bytes of UTF-8 for bytes. Nothing is checked: a refused request is an answer too, the error object.
   */
  call(name: string, request: string): Promise<string>;
  call(name: string, request: Uint8Array): Promise<Uint8Array>;
  async call(name: string, request: string | Uint8Array): Promise<string | Uint8Array> {
    if (typeof request === "string") {
      return this.#run(name, encode(request, this.#illFormed), decode);
    }
    if (!(request instanceof Uint8Array)) {
      throw new TypeError("a request is a string or a Uint8Array");
    }
    // A copy, because a Buffer may be a part of a larger one, and the caller may change it.
    return this.#run(name, new Uint8Array(request), (answer) => answer);
  }

  /** Tells what the module is. */
  describe(): Promise<Description> {
    return this.ask("describe", "");
  }

  /** Compares the context that a client sent with what the thread was told before, for a runtime with turns of its own. */
  merge(request: MergeRequest): Promise<MergeResponse> {
    return this.#send("merge", "MergeRequest", request);
  }

  /** Starts a turn, or steers the active one. */
  turnStart(request: TurnStartRequest): Promise<TurnResponse> {
    return this.#send("turn_start", "TurnStartRequest", request);
  }

  /** Adds to the active turn. */
  turnSteer(request: TurnSteerRequest): Promise<TurnResponse> {
    return this.#send("turn_steer", "TurnSteerRequest", request);
  }

  /** Says that a turn began which the client did not start, or that the turn ended. */
  turnSet(request: TurnSetRequest): Promise<TurnSetResponse> {
    return this.#send("turn_set", "TurnSetRequest", request);
  }

  /** Compares what the thread was told with what is left in its history, and tells again what is missing. */
  reconcile(request: ReconcileStateRequest): Promise<ReconcileStateResponse>;
  reconcile(request: ReconcileStoreRequest): Promise<ReconcileStoreResponse>;
  reconcile(request: object): Promise<unknown> {
    return this.#send("reconcile", "ReconcileRequest", request);
  }

  /** Tells which items are hidden context. */
  classify(request: ClassifyRequest): Promise<ClassifyResponse> {
    return this.#send("classify", "ClassifyRequest", request);
  }

  /** Returns a paragraph for a system prompt, which tells the model what the hidden messages are. */
  guidance(request: GuidanceRequest = {}): Promise<GuidanceResponse> {
    return this.#send("guidance", "GuidanceRequest", request);
  }

  /**
   * Returns a thread that has had no turn. Throws a TypeError for an id that is no string, and a {@link RequestError}
   * for an id or a policy that JSON cannot carry.
   */
  newThread(id: string, options: ThreadOptions = {}): Thread {
    checkMembers("ThreadOptions", options);
    return newThread(this, id, options.policy);
  }

  /**
   * Returns a thread that goes on from a state, of {@link Thread.snapshot} or of an answer. The module reads it first:
   * a state that it refuses is a {@link RequestError}, of kind `unsupported` where a newer module wrote it.
   */
  async restoreThread(state: State, options: ThreadOptions = {}): Promise<Thread> {
    checkMembers("ThreadOptions", options);
    return restoreThread(this, state, options.policy);
  }

  /** Refuses new calls, waits for those that were made before, and gives everything back. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#line.alone(() => this.#drop());
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  /**
   * Writes a request as JSON.
   *
   * @internal
   */
  write(request: unknown): string {
    return write(request, this.#illFormed);
  }

  /**
   * Sends a request that is written already, and reads the answer.
   *
   * @internal
   */
  ask<T>(name: string, request: string): Promise<T> {
    const read = (answer: Uint8Array) => readAnswer<T>(name, decode(answer));
    return this.#run(name, encode(request, this.#illFormed), read);
  }

  /** Writes a request of this type, and makes the call. */
  async #send<T>(name: string, type: Checked, request: unknown): Promise<T> {
    checkMembers(type, request);
    return this.ask(name, this.write(request));
  }

  /** Makes a call, and reads its answer. If either fails, the instance is dropped. */
  async #run<T>(
    name: string,
    request: Uint8Array<ArrayBuffer>,
    read: (answer: Uint8Array) => T,
  ): Promise<T> {
    if (this.#closed) throw new Error("the module is closed");
    if (!this.#functions.includes(name)) {
      const list = this.#functions.join(", ");
      throw new RangeError(`the module has no function ${String(name)}; it has ${list}`);
    }
    return this.#line.alone(async () => {
      try {
        this.#instance ??= await this.#make();
        const result = read(await this.#instance.call(name, request));
        if (this.#instance.bloated) await this.#drop();
        return result;
      } catch (error) {
        if (error instanceof RequestError) throw error;
        await this.#drop();
        throw new ModuleError(name, error as Error);
      }
    });
  }

  async #drop(): Promise<void> {
    const instance = this.#instance;
    this.#instance = undefined;
    await instance?.drop();
  }
}

function checkVersion(got: Description["abi"]) {
  if (got.name === abi.name && got.version === abi.version) return;
  const kept = `it keeps version ${got.version} of the ABI "${got.name}"`;
  const spoken = `this package speaks version ${abi.version} of "${abi.name}"`;
  throw new ModuleError("describe", new Error(`${kept}, ${spoken}`));
}
