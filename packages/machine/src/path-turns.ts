/** Makes work on the same path wait for its turn. Work on different paths continues at the same time. */
export class PathTurns {
  #last: Map<string, Promise<void>> | undefined;

  /** Runs `work` after all earlier work for this path, whether that succeeded or failed. */
  async take<Value>(path: string, work: () => Promise<Value>): Promise<Value> {
    const last = (this.#last ??= new Map());
    const before = last.get(path);
    const result = before === undefined ? work() : before.then(work);
    const settled = result.then(ignore, ignore);
    last.set(path, settled);
    try {
      return await result;
    } finally {
      if (last.get(path) === settled) last.delete(path);
    }
  }
}

function ignore(): void {}
