/** Freezes a value and everything in it, so that code which writes to a received message throws. */
export function deepFreeze(value: unknown): void {
  const open = [value];
  for (let each = open.pop(); each !== undefined; each = open.pop()) {
    if (typeof each !== 'object' || each === null || Object.isFrozen(each)) continue;
    Object.freeze(each);
    for (const inner of Object.values(each)) if (inner !== undefined) open.push(inner);
  }
}
