/** @typedef {{rounds: number, milliseconds: number}} Plan how often, and how long a round of one call lasts */
/** @typedef {(i: number) => Promise<unknown>} Call with a request of the rotation */

/**
 * Returns the microseconds that each call takes, the median of alternating rounds: each measures every call, in the
 * opposite order of the round before. Rounds are short, so that a slow spell of the machine meets all of them.
 *
 * @param {Plan} plan
 * @param {Call[]} calls
 */
export async function measure({ rounds, milliseconds }, calls) {
  const meters = calls.map((call) => new Meter(call));
  for (const meter of meters) await meter.round(200 * milliseconds); // until it is compiled
  /** @type {number[][]} */
  const samples = calls.map(() => []);
  for (let r = 0; r < rounds; r++) {
    const order = [...meters.keys()];
    for (const i of r % 2 ? order.reverse() : order) {
      samples[i]?.push(/** @type {number} */ (await meters[i]?.round(milliseconds)));
    }
  }
  return samples.map(median);
}

class Meter {
  #call;
  #next = 0;

  /** @param {Call} call */
  constructor(call) {
    this.#call = call;
  }

  /** Returns the microseconds of a call, on the average of so many milliseconds. @param {number} milliseconds */
  async round(milliseconds) {
    const first = this.#next;
    const start = performance.now();
    let passed = 0;
    do {
      await this.#call(this.#next++);
      passed = performance.now() - start;
    } while (passed < milliseconds);
    return (passed * 1000) / (this.#next - first);
  }
}

/** @param {number[]} values */
export function median(values) {
  const sorted = values.toSorted((a, b) => a - b);
  return /** @type {number} */ (sorted[sorted.length >> 1]);
}
