// Requests to merge as a thread makes them: the store of the answer before, and a context of the same keys, some of
// them with another value. They are the same in every run.

/** @typedef {{size: number, entries: number, every: number}} Workload of so many bytes; one entry in so many changed, 0 for none */

/** @type {Workload[]} */
export const workloads = [
  { size: 300, entries: 1 },
  { size: 43_000, entries: 10 },
].flatMap((request) => [4, 10, 0].map((every) => ({ ...request, every })));

/** @param {Workload} workload */
export const changeName = ({ every }) => (every ? `1 in ${every}` : "none");

const words =
  `account browser build change client column context deploy document editor entry error event field file
header history index issue library message network order parser project record release report request review schema
server session source stream system thread token update version warning window worker`.split(/\s+/);

/** @typedef {() => number} Random below 1 */

/** A generator of random numbers (mulberry32). @param {number} seed @returns {Random} */
function generator(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** @param {Random} random */
const word = (random) => words[Math.floor(random() * words.length)];

/** @param {Random} random */
const prose = (random) =>
  `The ${word(random)} of the ${word(random)} said "${word(random)}", and the ${word(random)} was late.\n`;

/** @param {Random} random */
const code = (random) =>
  `\tif ${word(random)}.${word(random)} < ${Math.floor(random() * 1000)} {\n\t\treturn "${word(random)}"\n\t}\n`;

/** @param {Random} random */
const record = (random) =>
  `2026-03-07T11:24:${10 + Math.floor(random() * 50)}Z INFO ${word(random)}/${word(random)}: ${word(random)}=${Math.floor(random() * 1e5)}\n`;

/** Where a client has entries from. */
const sources = [
  { name: "browser_tab", kind: "untrusted", line: prose },
  { name: "open_file", kind: "untrusted", line: code },
  { name: "ci_run", kind: "untrusted", line: record },
  { name: "workspace", kind: "application", line: prose },
  { name: "terminal", kind: "untrusted", line: record },
];

/** @param {number} i */
const source = (i) => /** @type {(typeof sources)[number]} */ (sources[i % sources.length]);

/** Returns lines that take so many bytes as the inside of a JSON string, or one less. @param {number} size @param {() => string} line */
function text(size, line) {
  let text = "";
  while (JSON.stringify(text).length - 2 < size) text += line();
  while (JSON.stringify(text).length - 2 > size) text = text.slice(0, -1);
  return text;
}

/**
 * Returns so many requests to rotate through, as objects.
 *
 * @param {Workload} workload
 * @param {number} count
 */
export function requests({ size, entries, every }, count) {
  const random = generator(size + every);
  const keys = Array.from({ length: entries }, (_, i) => ({ ...source(i), i }));
  const empty = Object.fromEntries(
    keys.map(({ name, kind, i }) => [name + i, { value: "", kind }]),
  );
  const rest = size - JSON.stringify({ store: empty, additionalContext: empty }).length;
  const valueSize = Math.floor(rest / (2 * entries));

  return Array.from({ length: count }, (_, input) => {
    /** @type {any} */
    const store = {};
    /** @type {any} */
    const additionalContext = {};
    for (const { name, kind, line, i } of keys) {
      const value = text(valueSize, () => line(random));
      store[name + i] = { value, kind };
      additionalContext[name + i] = {
        value: isChanged(input, i) ? edit(value, random) : value,
        kind,
      };
    }
    return { store, additionalContext };
  });

  /** Counts entries through the whole rotation, so that small requests keep the fraction. @param {number} input @param {number} i */
  function isChanged(input, i) {
    const number = input * entries + ((i + input) % entries);
    return every > 0 && number % every === every - 1;
  }
}

/** Puts another letter somewhere in the middle. @param {string} value @param {Random} random */
function edit(value, random) {
  const at = value.indexOf(" ", Math.floor(random() * value.length * 0.8)) + 1;
  return `${value.slice(0, at)}x${value.slice(at + 1)}`;
}
