import type { JournalEntry } from '../../wire/journal.ts';
import type { Wire } from '../../wire/wire.ts';

/** A method that no agent has: whoever is asked for it answers with an error, and does nothing else. */
export const unknownMethod = '_turnwire.dev/nothing';

/** A request for the method that no agent has, as text. */
export function unknownRequest(id: unknown, params: unknown = {}): string {
  return JSON.stringify({ jsonrpc: '2.0', id, method: unknownMethod, params });
}

/** The next line that answers anything at all, whatever its id. */
export function nextAnswer(wire: Wire, from: number): Promise<JournalEntry | undefined> {
  return wire.next((message) => message['method'] === undefined, { from });
}
