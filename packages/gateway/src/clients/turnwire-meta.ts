/** What `_meta` has of ours. */
export function turnwireMeta(
  meta: Readonly<Record<string, unknown>> | null | undefined,
): Readonly<Record<string, unknown>> {
  const found = meta?.['turnwire'];
  return typeof found === 'object' && found !== null ? (found as Readonly<Record<string, unknown>>) : {};
}
