const last = new Map<string, Promise<void>>();

/**
 * Makes changes of the same file wait for each other, whichever session of this process they come from. Changes of different
 * files go on at the same time.
 * @param path absolute, links resolved
 */
export async function inTurn<Value>(path: string, work: () => Promise<Value>): Promise<Value> {
  const result = (last.get(path) ?? Promise.resolve()).then(work);
  const settled = result.then(ignore, ignore);
  last.set(path, settled);
  try {
    return await result;
  } finally {
    if (last.get(path) === settled) last.delete(path);
  }
}

function ignore(): void {}
