export type * from "./abi.js";
export { ModuleError, RequestError } from "./errors.js";
export type { IllFormed } from "./json.js";
export { type Module, type OpenOptions, open, type ThreadOptions } from "./module.js";
export type {
  Prepared,
  StartRequest,
  SteerRequest,
  Thread,
  ThreadReconcileRequest,
} from "./thread.js";
