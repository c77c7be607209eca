import type { ClientCapabilities, SessionConfigOption } from '@turnwire/protocol';

/** The session options for a client. Boolean options are only for clients that declare support for them; the agent always offers them to the gateway. */
export function shownOptions(
  options: readonly SessionConfigOption[],
  { session }: ClientCapabilities,
): SessionConfigOption[] {
  const knowsBooleans = typeof session?.configOptions?.boolean === 'object' && session.configOptions.boolean !== null;
  return options.filter(({ type }) => knowsBooleans || type !== 'boolean');
}
