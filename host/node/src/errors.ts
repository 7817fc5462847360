import type { ErrorKind } from "./abi.js";

/**
 * A request that was refused, by the module or, where JSON cannot carry a value, by this package. It changed nothing:
 * the state that the caller holds is still the thread's.
 */
export class RequestError extends Error {
  static {
    RequestError.prototype.name = "RequestError";
  }

  readonly kind: ErrorKind;
  /** The code of JSON-RPC 2.0, section 5.1, that goes with the kind. */
  readonly code: number;
  /** Depends on the kind, such as `{path, offset}` for `invalid_params`; what this package refuses has no offset. */
  readonly data: Readonly<Record<string, unknown>> | undefined;

  /** @internal */
  constructor(kind: ErrorKind, code: number, message: string, data?: Record<string, unknown>) {
    super(message);
    this.kind = kind;
    this.code = code;
    this.data = data;
  }
}

/**
 * The module itself failed: it trapped, exited, ran out of memory or time, or answered what it should not; or the file
 * is no module that this package can use. The instance was dropped with all that was in it, which is nothing that a
 * caller needs: the same call may be made again.
 */
export class ModuleError extends Error {
  static {
    ModuleError.prototype.name = "ModuleError";
  }

  /** What failed, as the ABI names it (`merge`), or `open`. */
  readonly function: string;

  /** @internal */
  constructor(name: string, cause: Error) {
    super(`the module failed in ${name}: ${cause.message}`, { cause });
    this.function = name;
  }
}
