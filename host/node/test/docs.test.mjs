// The examples run as they are written.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { open } from "turncontext";
import { example } from "./readme.mjs";

const run = promisify(execFile);
const root = fileURLToPath(new URL("..", import.meta.url));

/** Runs an example of the README in a folder of its own. @param {import("node:test").TestContext} t @param {string} name */
async function runExample(t, name) {
  const folder = mkdtempSync(join(tmpdir(), "turncontext-"));
  t.after(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, "example.mjs"), example(name));
  const modules = join(folder, "node_modules");
  mkdirSync(modules);
  symlinkSync(root, join(modules, "turncontext"));
  const { stdout, stderr } = await run(process.execPath, [join(folder, "example.mjs")]);
  assert.equal(stderr, "");
  return stdout;
}

test("the README's first example", async (t) => {
  assert.equal(await runExample(t, "first"), example("output"));
});

test("the README's thread", async (t) => {
  const state = {
    version: 1,
    threadId: "thread-1",
    activeTurn: { id: "turn-1", kind: "regular" },
    additionalContext: { ci: { value: "build 812 failed", kind: "untrusted" } },
  };
  assert.equal(await runExample(t, "thread"), `${JSON.stringify(state)}\n`);
});

test("the agent tells the model only what changed", async (t) => {
  /** @type {{path: string | undefined, key: string | undefined, body: any}[]} */
  const received = [];
  const server = createServer(async (request, response) => {
    let text = "";
    for await (const part of request.setEncoding("utf8")) text += part;
    const { url: path, headers } = request;
    received.push({
      path: `${request.method} ${path}`,
      key: headers.authorization,
      body: JSON.parse(text),
    });
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify({ output: [said(`Answer ${received.length}.`)] }));
  });
  server.listen(0, "127.0.0.1");
  t.after(() => server.close());
  await once(server, "listening");
  const { port } = /** @type {import("node:net").AddressInfo} */ (server.address());

  const { stdout, stderr } = await run(process.execPath, [join(root, "examples", "agent.mjs")], {
    env: {
      ...process.env,
      RESPONSES_URL: `http://127.0.0.1:${port}/v1/responses`,
      MODEL: "m",
      API_KEY: "k",
    },
  });
  assert.equal(stderr, "");
  assert.equal(
    stdout,
    "Answer 1.\nAnswer 2.\nAnswer 3.\nAnswer 4.\nThe thread was told: ci, project.\n",
  );

  const failed = user("<external_ci>build 812 failed: 3 tests</external_ci>");
  const passed = user("<external_ci>build 813 passed</external_ci>");
  const project = developer("<project>turncontext, on branch main</project>");
  const first = [failed, project, user("Is the build fine?")];
  const second = [...first, said("Answer 1."), user("Which ones?")];
  const third = [...second, said("Answer 2."), passed, user("I pushed a fix.")];
  const fourth = [
    user("I pushed a fix."),
    said("Answer 3."),
    passed,
    project,
    user("So can I merge?"),
  ];

  const module = await open();
  const { text: instructions } = await module.guidance();
  await module.close();
  assert.deepEqual(
    received,
    [first, second, third, fourth].map((input) => ({
      path: "POST /v1/responses",
      key: "Bearer k",
      body: { model: "m", instructions, input, store: false },
    })),
  );
});

/** @param {string} role @param {string} text */
const message = (role, text) => ({
  type: "message",
  role,
  content: [{ type: "input_text", text }],
});

/** @param {string} text */
const user = (text) => message("user", text);

/** @param {string} text */
const developer = (text) => message("developer", text);

/** @param {string} text */
const said = (text) => ({
  type: "message",
  role: "assistant",
  content: [{ type: "output_text", text, annotations: [] }],
});
