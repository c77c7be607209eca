import type { Subject } from '../requirements/requirement.ts';
import type { Observation } from '../verdict/observation.ts';
import type { JournalEntry } from '../wire/journal.ts';

/**
 * Looks through everything that went over a connection for what one side owes whatever it does: framing, JSON-RPC, schemas, capabilities,
 * order. Says `held` of each rule there was an occasion for.
 */
export function auditJournal(_journal: readonly JournalEntry[], _judged: Subject): readonly Observation[] {
  return [];
}
