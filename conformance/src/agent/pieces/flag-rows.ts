import { asMessage, type RawMessage } from '../../wire/messages.ts';

/** The capabilities of a client, one by one. */
const flags: readonly RawMessage[] = [
  { fs: { readTextFile: true } },
  { fs: { writeTextFile: true } },
  { terminal: true },
  { auth: { terminal: true } },
  { elicitation: { form: {} } },
  { elicitation: { url: {} } },
  { session: { configOptions: { boolean: {} } } },
  { session: { notices: {} } },
  { session: { compaction: {} } },
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
  for (const [group, there] of flags.filter((_, nth) => row[nth]).flatMap(Object.entries<unknown>))
    capabilities[group] = there === true ? there : { ...asMessage(capabilities[group]), ...asMessage(there) };
  return capabilities;
}
