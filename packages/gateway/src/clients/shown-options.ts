import type { ClientCapabilities, SessionConfigOption } from '@turnwire/protocol';

/** The options of a session that a client is shown: boolean ones only if it has said that it knows them. The agent is asked for them in any case. */
export function shownOptions(
  options: readonly SessionConfigOption[],
  { session }: ClientCapabilities,
): SessionConfigOption[] {
  const knowsBooleans = typeof session?.configOptions?.boolean === 'object' && session.configOptions.boolean !== null;
  return options.filter(({ type }) => knowsBooleans || type !== 'boolean');
}
