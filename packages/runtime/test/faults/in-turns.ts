/** Several at once: most of each is waiting for processes. */
export async function inTurns<Item, Value>(
  items: readonly Item[],
  work: (item: Item) => Promise<Value>,
): Promise<Value[]> {
  const results: Value[] = [];
  const next = items.entries();
  const worker = async (): Promise<void> => {
    for (const [index, item] of next) results[index] = await work(item);
  };
  await Promise.all(Array.from({ length: 4 }, worker));
  return results;
}
