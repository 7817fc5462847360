/** Lets one in at a time, in the order in which they came. */
export class Line {
  #last: Promise<void> = Promise.resolve();

  /** Waits for everyone before, and returns what lets the next one in. */
  async enter(): Promise<() => void> {
    const before = this.#last;
    let leave = () => {};
    this.#last = new Promise((resolve) => {
      leave = resolve;
    });
    await before;
    return leave;
  }

  /** Does the work while nobody else is in. */
  async alone<T>(work: () => Promise<T>): Promise<T> {
    const leave = await this.enter();
    try {
      return await work();
    } finally {
      leave();
    }
  }
}
