import { once } from "node:events";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import type { Answerer } from "./instance.js";
import type { Compiled } from "./load.js";
import type { Reply } from "./worker.js";

/** An instance of the module in a worker of its own, which can be stopped at any time. */
export class RemoteInstance implements Answerer {
  readonly #worker: Worker;
  readonly #timeout: number;
  #bloated = false;

  private constructor(worker: Worker, timeout: number) {
    this.#worker = worker;
    this.#timeout = timeout;
  }

  /** The timeout is that of a call, in milliseconds. */
  static async make(compiled: Compiled, timeout: number): Promise<RemoteInstance> {
    const worker = new Worker(join(__dirname, "worker.js"), { workerData: compiled });
    await once(worker, "message"); // it is ready
    worker.unref(); // an idle one does not keep the process from ending
    worker.on("error", () => {}); // a call that waits finds out for itself
    return new RemoteInstance(worker, timeout);
  }

  get bloated(): boolean {
    return this.#bloated;
  }

  async call(name: string, request: Uint8Array<ArrayBuffer>): Promise<Uint8Array> {
    const reply = await this.#ask(name, request);
    if ("reason" in reply) throw new Error(reply.reason);
    this.#bloated = reply.bloated;
    return reply.answer;
  }

  async #ask(name: string, request: Uint8Array<ArrayBuffer>): Promise<Reply> {
    const late = new AbortController();
    // Where the caller's own work held up the event loop, an answer that came in time is read before it is late.
    const abort = () => setImmediate(() => late.abort());
    const timer = setTimeout(abort, this.#timeout);
    this.#worker.ref();
    try {
      const replied = once(this.#worker, "message", { signal: late.signal });
      this.#worker.postMessage({ name, request }, [request.buffer]);
      const [reply] = await replied;
      return reply;
    } catch (cause) {
      throw late.signal.aborted ? new Error(`it took more than ${this.#timeout} ms`) : cause;
    } finally {
      clearTimeout(timer);
      this.#worker.unref();
    }
  }

  async drop(): Promise<void> {
    await this.#worker.terminate();
  }
}
