// A worker of workers.test.mjs: opens a module of its own and answers requests to merge.
import { parentPort, workerData } from "node:worker_threads";
import { open } from "turncontext";

const module = await open();
/** @type {string[]} */
const answers = [];
for (const request of /** @type {string[]} */ (workerData)) {
  answers.push(await module.call("merge", request));
}
await module.close();
parentPort?.postMessage(answers);
