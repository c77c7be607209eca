/** Variables of an environment. An empty one counts as not set. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** The first of these variables that is set, and its value. */
export function firstSet(
  env: Environment,
  names: readonly string[],
): { readonly name: string; readonly value: string } | undefined {
  for (const name of names) {
    const value = env[name]?.trim();
    if (value) return { name, value };
  }
  return undefined;
}
