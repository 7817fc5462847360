// The module in host/node, as a child of the benchmark (the protocol is in child.go).

import { open } from "../../host/node/dist/index.mjs";

const [moduleFile, echoFile] = process.argv.slice(2);
const modules = {
  merge: await open({ module: moduleFile }),
  echo: await open({ module: echoFile }),
};

let requests = [];

const commands = {
  async load(count) {
    requests = [];
    for (let i = 0; i < Number(count); i++) requests.push(await read(Number(await readLine())));
    return "\n";
  },
  async answer(call, index) {
    const answer = await modules[call].call("merge", requests[index]);
    return Buffer.concat([Buffer.from(`${answer.length}\n`), answer]);
  },
  async run(call, first, count) {
    const module = modules[call];
    const start = process.hrtime.bigint();
    for (let i = 0, next = Number(first); i < Number(count); i++, next++) {
      await module.call("merge", requests[next % requests.length]);
    }
    return `${process.hrtime.bigint() - start}\n`;
  },
};

// What was read of the standard input, and not yet asked for.
let rest = Buffer.alloc(0);
const chunks = process.stdin[Symbol.asyncIterator]();

/** Reads more; false at the end of the input. */
async function more() {
  const { value, done } = await chunks.next();
  if (!done) rest = Buffer.concat([rest, value]);
  return !done;
}

/** Reads so many bytes. */
async function read(length) {
  const parts = [rest];
  let missing = length - rest.length;
  while (missing > 0) {
    const { value, done } = await chunks.next();
    if (done) throw new Error("the input ends in a request");
    parts.push(value);
    missing -= value.length;
  }
  const all = Buffer.concat(parts);
  rest = all.subarray(length);
  return new Uint8Array(all.subarray(0, length));
}

/** Reads a line, without its line feed; undefined at the end of the input. */
async function readLine() {
  while (!rest.includes("\n")) {
    if (!(await more())) return undefined;
  }
  const end = rest.indexOf("\n");
  const line = rest.toString("utf8", 0, end);
  rest = rest.subarray(end + 1);
  return line;
}

for (let line = await readLine(); line !== undefined; line = await readLine()) {
  const [command, ...words] = line.split(" ");
  process.stdout.write(await commands[command](...words));
}
for (const module of Object.values(modules)) await module.close();
