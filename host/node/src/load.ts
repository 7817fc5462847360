import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { ModuleError } from "./errors.js";
import { boundMemory } from "./memory.js";

/** The module in this package. */
const packaged = join(__dirname, "turncontext.wasm");

const magic = "\0asm";
const importable = ["wasi_snapshot_preview1", "extism:host/env"];
const required = ["memory", "_initialize", "describe"];

/** A module that is compiled, and the most pages of memory that an instance of it gets. */
export interface Compiled {
  module: WebAssembly.Module;
  maxPages: number;
}

/**
 * Reads and compiles a module, with its memory bounded to so many pages. Throws a {@link ModuleError} where it cannot
 * be a turncontext module, and the error of the file system where it cannot be read.
 */
export async function load(
  source: string | URL | Uint8Array = packaged,
  maxPages: number,
): Promise<Compiled> {
  const bytes = source instanceof Uint8Array ? source : await readFile(source);
  if (Buffer.from(bytes.subarray(0, 4)).toString("latin1") !== magic) {
    throw foreign("it is not a WebAssembly file");
  }
  const bounded = boundMemory(bytes, maxPages);
  if (!bounded) throw foreign("its memory cannot be bounded");
  const module = await compile(bounded);
  const strange = WebAssembly.Module.imports(module).find((i) => !importable.includes(i.module));
  if (strange) throw foreign(`it imports ${strange.module}.${strange.name}`);
  const names = WebAssembly.Module.exports(module).map((e) => e.name);
  const missing = required.find((name) => !names.includes(name));
  if (missing) throw foreign(`it exports no ${missing}`);
  return { module, maxPages };
}

async function compile(bytes: Uint8Array): Promise<WebAssembly.Module> {
  try {
    return await WebAssembly.compile(bytes as Uint8Array<ArrayBuffer>);
  } catch (cause) {
    throw new ModuleError("open", cause as Error);
  }
}

function foreign(reason: string): ModuleError {
  return new ModuleError("open", new Error(`${reason}, so it is no turncontext module`));
}
