// One copy of the code serves both kinds of module, so that an error is an instance of the same class in either.
export type * from "./index.js";
export { ModuleError, open, RequestError } from "./index.js";
