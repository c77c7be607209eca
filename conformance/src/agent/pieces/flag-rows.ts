import type { RawMessage } from '../../wire/messages.ts';

/** The capabilities of a client, one by one: their path and the value that enables them. */
const flags: readonly { readonly path: readonly [string, ...string[]]; readonly there: unknown }[] = [
  { path: ['fs', 'readTextFile'], there: true },
  { path: ['fs', 'writeTextFile'], there: true },
  { path: ['terminal'], there: true },
  { path: ['auth', 'terminal'], there: true },
  { path: ['elicitation', 'form'], there: {} },
  { path: ['elicitation', 'url'], there: {} },
  { path: ['session', 'configOptions'], there: { boolean: {} } },
  { path: ['session', 'notices'], there: {} },
  { path: ['session', 'compaction'], there: {} },
];

/**
 * Which flags are set in each of six clients, so that every two flags are seen in all four combinations. Each flag is set in three of the
 * last five: any two such sets overlap, and neither holds the other; the first client has none.
 */
const sets = ['012', '013', '014', '023', '024', '034', '123', '124', '134'] as const;

/** Six clients: in each, whether a flag is set, in the order of the flags. */
export const flagRows: readonly (readonly boolean[])[] = [
  flags.map(() => false),
  ...['0', '1', '2', '3', '4'].map((row) => sets.map((set) => set.includes(row))),
];

export function clientCapabilitiesOf(row: readonly boolean[]): RawMessage {
  const capabilities: Record<string, unknown> = {};
  for (const [nth, { path, there }] of flags.entries()) if (row[nth] === true) put(capabilities, path, there);
  return capabilities;
}

function put(into: Record<string, unknown>, [key, inner]: readonly [string, ...string[]], there: unknown): void {
  if (inner === undefined) into[key] = there;
  else into[key] = { ...(into[key] as RawMessage | undefined), [inner]: there };
}
