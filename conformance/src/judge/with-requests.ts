import { asMessage, isAnswerTo, type JournalEntry } from '../wire/messages.ts';

/** Adds the requests of answers to the evidence, each before its answer: an answer alone does not show what it answers. */
export function withRequests(
  evidence: readonly JournalEntry[],
  journals: readonly (readonly JournalEntry[])[],
): readonly JournalEntry[] {
  const shown = new Set(evidence);
  return evidence.flatMap((entry) => {
    const request = requestOf(entry, journals);
    if (request === undefined || shown.has(request)) return [entry];
    shown.add(request);
    return [request, entry];
  });
}

/** The request of an answer: the last earlier one with its id. */
function requestOf(answer: JournalEntry, journals: readonly (readonly JournalEntry[])[]): JournalEntry | undefined {
  const message = asMessage(answer.message);
  if (message === undefined || message['method'] !== undefined) return undefined;
  const journal = journals.find((each) => each.includes(answer)) ?? [];
  const before = journal.slice(0, journal.indexOf(answer));
  return before.findLast(({ from, message: sent }) => {
    const asked = asMessage(sent);
    const isRequest = from !== answer.from && asked?.['method'] !== undefined && 'id' in asked;
    return isRequest && isAnswerTo(asked['id'], message);
  });
}
