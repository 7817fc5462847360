// Makes so many calls of 43 KB, and prints ten times on the way what the process holds, a line of JSON each.
import { open } from "turncontext";
import { requests } from "./workload.mjs";

const calls = Number(process.argv[2]);
const encoder = new TextEncoder();
const texts = requests({ size: 43_000, entries: 10, every: 10 }, 64).map((request) =>
  encoder.encode(JSON.stringify(request)),
);
const module = await open();
for (let i = 0; i <= calls; i++) {
  if (i % (calls / 10) === 0) {
    const { rss, arrayBuffers } = process.memoryUsage();
    console.log(JSON.stringify({ calls: i, rss, arrayBuffers }));
  }
  await module.call("merge", /** @type {Uint8Array} */ (texts[i % texts.length]));
}
await module.close();
