import "./quiet.js";
import { createPlugin, type Plugin } from "@extism/extism";
import type { Compiled } from "./load.js";
import { pageBytes } from "./memory.js";

/** What answers calls, one at a time. After it threw, it is to be dropped. */
export interface Answerer {
  /** Sends a request, which it may keep, and returns the answer. Throws an Error that tells what failed. */
  call(name: string, request: Uint8Array<ArrayBuffer>): Promise<Uint8Array>;
  /** Whether it holds more memory than is good to keep. */
  readonly bloated: boolean;
  /** Gives everything back. */
  drop(): Promise<void>;
}

// An instance's memory never shrinks, so one very large request would hold on to its memory for good.
const retainBytes = 64 << 20;

// The SDK puts this before the text of an error that the module set.
const errorPrefix = "Plugin-originated error: ";

/** An instance of the module on this thread. */
export class Instance implements Answerer {
  readonly #plugin: Plugin;
  readonly #memory: WebAssembly.Memory;
  readonly #maxPages: number;

  private constructor(plugin: Plugin, memory: WebAssembly.Memory, maxPages: number) {
    this.#plugin = plugin;
    this.#memory = memory;
    this.#maxPages = maxPages;
  }

  static async make({ module, maxPages }: Compiled): Promise<Instance> {
    try {
      const plugin = await createPlugin({ wasm: [{ module }] }, { useWasi: true });
      const { exports } = await plugin.getInstance();
      return new Instance(plugin, exports.memory as WebAssembly.Memory, maxPages);
    } catch (cause) {
      throw new Error(reasonOf(cause), { cause });
    }
  }

  get #memoryBytes(): number {
    return this.#memory.buffer.byteLength;
  }

  get bloated(): boolean {
    return this.#memoryBytes > retainBytes;
  }

  async call(name: string, request: Uint8Array<ArrayBuffer>): Promise<Uint8Array> {
    const answer = await this.#answer(name, request);
    // The SDK keeps the blocks of all calls until then, and runs out of numbers for them.
    await this.#plugin.reset();
    return answer;
  }

  async #answer(name: string, request: Uint8Array<ArrayBuffer>): Promise<Uint8Array> {
    const output = await this.#send(name, request);
    if (!output) throw new Error("it answered nothing");
    return output.bytes();
  }

  async #send(name: string, request: Uint8Array<ArrayBuffer>) {
    try {
      // The SDK sends the whole buffer behind a view, so nothing else may be in it.
      return await this.#plugin.call(name, request);
    } catch (cause) {
      const most = this.#maxPages * pageBytes;
      const memory = `it had ${this.#memoryBytes} of at most ${most} bytes of memory`;
      throw new Error(`${reasonOf(cause)} (${memory})`, { cause });
    }
  }

  drop(): Promise<void> {
    return this.#plugin.close();
  }
}

/** Tells what was thrown. An exit of the module is a symbol of Node's. */
function reasonOf(thrown: unknown): string {
  if (typeof thrown === "symbol") return "it exited";
  const text = thrown instanceof Error ? thrown.message : String(thrown);
  return text.startsWith(errorPrefix) ? text.slice(errorPrefix.length) : text;
}
