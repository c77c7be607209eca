/** Makes work on the same path wait for its turn. Work on different paths continues at the same time. */
export class PathTurns {
  readonly #last = new Map<string, Promise<void>>();

  /** Runs `work` after all that was given for this path before, whatever became of that. */
  async take<Value>(path: string, work: () => Promise<Value>): Promise<Value> {
    const before = this.#last.get(path);
    const result = before === undefined ? work() : before.then(work);
    const settled = result.then(ignore, ignore);
    this.#last.set(path, settled);
    try {
      return await result;
    } finally {
      if (this.#last.get(path) === settled) this.#last.delete(path);
    }
  }
}

function ignore(): void {}
