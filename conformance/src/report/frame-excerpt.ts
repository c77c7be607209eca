import { redactText } from '@turnwire/protocol';
import type { JournalEntry } from '../wire/messages.ts';

/** Longest text of a frame in a report, in UTF-16 units. */
const longest = 16_000;

/** A frame for reports: without secrets, and limited in length. */
export function frameExcerpt({ at, from, text, flaw }: JournalEntry): JournalEntry {
  return { at: Math.round(at * 10) / 10, from, text: shortened(redactText(text, []), longest), ...(flaw && { flaw }) };
}

/** The beginning and the end of a text longer than the limit, in UTF-16 units; the omitted characters are counted. */
export function shortened(text: string, length: number): string {
  if (text.length <= length) return text;
  const head = Math.ceil(length * 0.75);
  const tail = Math.max(0, length - head);
  return `${whole(text.slice(0, head))} …[${text.length - head - tail} more]… ${whole(text.slice(text.length - tail))}`;
}

/** Removes halves of characters at the cuts. */
function whole(text: string): string {
  return text.replace(/^[\udc00-\udfff]|[\ud800-\udbff]$/g, '');
}
