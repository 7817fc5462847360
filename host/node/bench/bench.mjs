// Measures the package beside an echo through the same SDK, how long it takes to start, and what memory it holds. With
// --once it makes every measurement briefly, to see that it works. It needs Go, to build the echo.
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { open } from "turncontext";
import { measure, median } from "./measure.mjs";
import { changeName, requests, workloads } from "./workload.mjs";

const { values: options } = parseArgs({ options: { once: { type: "boolean", default: false } } });
const plan = options.once ? { rounds: 1, milliseconds: 1 } : { rounds: 2001, milliseconds: 1 };
const rotation = options.once ? 4 : 64;
const starts = options.once ? 1 : 9;
const memoryCalls = options.once ? 2_000 : 100_000;

console.log(`Node.js ${process.version}, ${process.platform}/${process.arch}`);
console.log("bench: building the echo");
const echo = await openEcho();
const module = await open();
const encoder = new TextEncoder();

console.log("\nmerge beside the echo, in µs: the median of short alternating rounds");
console.log("The echo gets as many bytes as the request has, and gives as many as the answer has.");
const calls = [];
for (const workload of workloads) calls.push(await measureCalls(workload));
console.table(calls);

console.log(`how long a start takes, in ms: one process, then the median of ${starts} more`);
console.table(measureStart());

console.log(
  `memory over ${memoryCalls} calls of 43 KB, one entry in ten changed; the engine collects`,
);
console.log("the buffers of earlier calls when some 64 MiB of them have gathered");
console.table(measureMemory());

await module.close();
await echo.close();

/** Builds the echo of the repository's own bench, and opens it. */
async function openEcho() {
  const folder = mkdtempSync(join(tmpdir(), "turncontext-bench-"));
  try {
    const file = join(folder, "echo.wasm");
    const flags = [
      "-buildmode=c-shared",
      "-trimpath",
      "-buildvcs=false",
      "-ldflags=-s -w -buildid=",
    ];
    execFileSync("go", ["build", ...flags, "-o", file, "./echo"], {
      cwd: fileURLToPath(new URL("../../../bench/", import.meta.url)),
      env: { ...process.env, GOOS: "wasip1", GOARCH: "wasm", GOFLAGS: "", GOWORK: "off" },
      stdio: "inherit",
    });
    const compiled = await WebAssembly.compile(readFileSync(file));
    // Not before turncontext, which silences the warning of WASI.
    const { createPlugin } = await import("@extism/extism");
    return await createPlugin({ wasm: [{ module: compiled }] }, { useWasi: true });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Sends bytes to the echo, with the same care as the package. @param {Uint8Array} bytes */
async function echoed(bytes) {
  const output = await echo.call("merge", new Uint8Array(bytes));
  await echo.reset();
  return output?.bytes();
}

/** @param {import("./workload.mjs").Workload} workload */
async function measureCalls(workload) {
  const objects = requests(workload, rotation);
  const texts = objects.map((request) => encoder.encode(JSON.stringify(request)));
  /** @type {Uint8Array[]} */
  const answers = [];
  for (const text of texts) answers.push(await module.call("merge", text));
  for (const bytes of texts) {
    if (Buffer.compare((await echoed(bytes)) ?? bytes.subarray(1), bytes))
      throw new Error("no echo");
  }
  /** @template T @param {T[]} list @param {number} i @returns {T} */
  const at = (list, i) => /** @type {T} */ (list[i % list.length]);
  const [raw = NaN, typed = NaN, echoIn = NaN, echoOut = NaN] = await measure(plan, [
    (i) => module.call("merge", at(texts, i)),
    (i) => module.merge(at(objects, i)),
    (i) => echoed(at(texts, i)),
    (i) => echoed(at(answers, i)),
  ]);
  // The guest gives what it gets. Half of each is the way in of the one and the way out of the other.
  const floor = /** @type {number} */ (echoIn + /** @type {number} */ (echoOut)) / 2;
  return {
    request: `${workload.size} B`,
    answer: `${median(answers.map((answer) => answer.length))} B`,
    changed: changeName(workload),
    call: fixed(raw),
    echo: fixed(floor),
    ratio: fixed(raw / floor, 2),
    more: fixed(raw - floor),
    "typed merge": fixed(typed),
  };
}

/** Starts processes that open the module twice. */
function measureStart() {
  const run = () => JSON.parse(child("start.mjs"));
  const first = run();
  const more = Array.from({ length: starts }, run);
  const steps = Object.keys(first);
  const medians = steps.map((step) => [step, fixed(median(more.map((times) => times[step])))]);
  return {
    "first process": Object.fromEntries(steps.map((step) => [step, fixed(first[step])])),
    "further processes": Object.fromEntries(medians),
  };
}

/** Has a process of its own make the calls. */
function measureMemory() {
  const lines = child("memory.mjs", `${memoryCalls}`).trim().split("\n");
  return lines.map((line) => {
    const { calls, rss, arrayBuffers } = JSON.parse(line);
    return {
      calls,
      "RSS in MiB": mebibytes(rss),
      "of it not yet collected": mebibytes(arrayBuffers),
    };
  });
}

/** Runs a program of this folder, and returns what it prints. @param {string} file @param {string[]} args */
function child(file, ...args) {
  const path = fileURLToPath(new URL(file, import.meta.url));
  return execFileSync(process.execPath, [path, ...args], { encoding: "utf8" });
}

/** @param {number} bytes */
function mebibytes(bytes) {
  return fixed(bytes / 2 ** 20);
}

/** @param {number} value @param {number} digits */
function fixed(value, digits = 1) {
  return Number(value.toFixed(digits));
}
