import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { test } from "node:test";
import wabt from "wabt";

const { boundMemory } = createRequire(import.meta.url)("../dist/memory.js");
const { parseWat } = await wabt();

/** @param {string} text @returns {Uint8Array} */
const assemble = (text) => parseWat("test.wat", text).toBinary({}).buffer;

/** Returns how many pages an instance's memory can have. @param {Uint8Array<ArrayBuffer>} bytes */
async function mostPages(bytes) {
  const { instance } = await WebAssembly.instantiate(bytes);
  const memory = /** @type {WebAssembly.Memory} */ (instance.exports.memory);
  for (;;) {
    try {
      memory.grow(1);
    } catch {
      return memory.buffer.byteLength / 65536;
    }
  }
}

/** @type {[declared: string, limit: number, most: number][]} */
const cases = [
  ["1", 1, 1],
  ["1", 3, 3],
  ["0", 127, 127],
  ["150", 300, 300],
  ["1 5", 100, 5],
  ["1 500", 200, 200],
  ["1 5", 5, 5],
];

for (const [declared, limit, most] of cases) {
  test(`(memory ${declared}), bounded to ${limit} pages`, async () => {
    const module = assemble(
      `(module (global i32 (i32.const 7)) (memory (export "memory") ${declared}) (func))`,
    );
    assert.equal(await mostPages(boundMemory(module, limit)), most);
  });
}

test("a module without a memory stays as it is", () => {
  const module = assemble("(module (func))");
  assert.equal(boundMemory(module, 1), module);
});

test("half a module is left to the engine", () => {
  const module = assemble('(module (func (unreachable)) (memory (export "memory") 1))');
  const whole = boundMemory(module, 9);
  assert.ok(WebAssembly.validate(whole));
  const section = module.indexOf(5, 8); // of 5 bytes
  for (let i = 0; i < section + 5; i++) {
    const half = module.subarray(0, i);
    assert.equal(boundMemory(half, 9), half);
  }
});
