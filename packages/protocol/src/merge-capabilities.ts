/**
 * Capabilities with more of them: of a group that both have, such as `sessionCapabilities`, the members are put together.
 * @param more takes precedence
 */
export function mergeCapabilities<Capabilities extends object>(base: Capabilities, more: object = {}): Capabilities {
  const groups = Object.entries(more).map(([name, value]): [string, unknown] => {
    const group: unknown = base[name as keyof Capabilities];
    return [name, isGroup(group) && isGroup(value) ? { ...group, ...value } : value];
  });
  return { ...base, ...Object.fromEntries(groups) };
}

function isGroup(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
