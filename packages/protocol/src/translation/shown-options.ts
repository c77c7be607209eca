import type { ClientCapabilities, SessionConfigOption } from '../generated/types.ts';

/** The session options for a client, without those of types that version 1 does not have. Boolean options are only for clients that declare support for them; the agent always offers them to the gateway. */
export function shownOptions(
  options: readonly SessionConfigOption[],
  { session }: ClientCapabilities,
): SessionConfigOption[] {
  const knowsBooleans = typeof session?.configOptions?.boolean === 'object' && session.configOptions.boolean !== null;
  return options.filter(({ type }) => type === 'select' || (type === 'boolean' && knowsBooleans));
}
