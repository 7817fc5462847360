// `node:wasi`, which Extism's SDK imports, prints a warning when it is first loaded. It says nothing to those who use
// this package, so it is loaded here, with that one warning left out.
import { createRequire } from "node:module";

const emitWarning = process.emitWarning;
process.emitWarning = (warning: string | Error, ...rest: unknown[]) => {
  if (String(warning).includes("WASI is an experimental feature")) return;
  Reflect.apply(emitWarning, process, [warning, ...rest]);
};
try {
  createRequire(__filename)("node:wasi");
} finally {
  process.emitWarning = emitWarning;
}
