/** A change of an object: an absent field keeps its value, `null` clears it, and any other value replaces it. */
export type Patch<T extends object> = { readonly [Field in keyof T]?: T[Field] | null | undefined };

/**
 * The object after a patch, as updates of version 2 are applied to tool calls, messages, terminals and the like. `_meta` is merged by key,
 * where `null` removes a key; all other values are replaced as a whole. Neither argument is changed. Chunks are not patches: they add an
 * item to a list, and their `_meta` belongs to that item.
 *
 * @example
 * patched({ title: 'Read', content: [] }, { title: null, status: 'completed' }) // { content: [], status: 'completed' }
 */
export function patched<T extends object>(current: T, patch: Patch<T>): T {
  return changed(current, patch, (name, before, after) =>
    name === '_meta' ? changed(before ?? {}, after as object, (_, __, value) => value) : after,
  ) as T;
}

function changed(
  current: object,
  patch: object,
  replacement: (name: string, before: object | undefined, after: unknown) => unknown,
): object {
  // A map keeps a key such as `__proto__` a key.
  const fields = new Map<string, unknown>(Object.entries(current));
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) fields.delete(name);
    else if (value !== undefined) fields.set(name, replacement(name, fields.get(name) as object | undefined, value));
  }
  return Object.fromEntries(fields);
}
