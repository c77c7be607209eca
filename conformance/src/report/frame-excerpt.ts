import { redactText } from '@turnwire/protocol';
import { asMessage, type JournalEntry, parsed, quoted } from '../wire/messages.ts';

/** Longest text of a frame in a report, in UTF-16 units. */
const longest = 16_000;

/** A frame for reports: without secrets, and limited in length. */
export function frameExcerpt({ at, from, text, flaw }: JournalEntry): JournalEntry {
  return { at: Math.round(at * 10) / 10, from, text: shortened(redactText(text, []), longest), ...(flaw && { flaw }) };
}

/** Keys of a JSON-RPC message. */
const known = new Set(['jsonrpc', 'id', 'method', 'params', 'result', 'error']);

/** A message for where there is little room: what every message has is left out, and what tells it from others comes first. Anything else as it is. */
export function frameSummary(text: string): string {
  const message = asMessage(parsed(text));
  if (message?.['jsonrpc'] !== '2.0' || Object.keys(message).some((key) => !known.has(key))) return text;
  const { id, method, params, result, error } = message;
  if (typeof method === 'string') return `${method} ${params === undefined ? '' : quoted(aboutFirst(params))}`;
  if (error !== undefined) return `error for ${quoted(id)} ${quoted(error)}`;
  return result === undefined ? text : `answer to ${quoted(id)} ${quoted(result)}`;
}

/** The session of a message is the same in all of them, and what is told in an update its only content. */
function aboutFirst(params: unknown): unknown {
  const { sessionId, update, ...others } = asMessage(params) ?? {};
  if (sessionId === undefined) return params;
  return { ...asMessage(update), ...(asMessage(update) === undefined && { update }), ...others, sessionId };
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
