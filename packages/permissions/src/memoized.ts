/** Caches a function of a path, for many paths in few folders, within one synchronous pass. */
export function memoized<Value>(find: (path: string) => Value): (path: string) => Value {
  const found = new Map<string, { readonly value: Value }>();
  return (path) => {
    const known = found.get(path) ?? { value: find(path) };
    found.set(path, known);
    return known.value;
  };
}
