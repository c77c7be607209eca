import { redactText } from '@turnwire/protocol';
import { asMessage, type JournalEntry, parsed, quoted } from '../wire/messages.ts';

/** Maximum length of a frame in a report, in UTF-16 units. */
const longest = 16_000;

/** A frame for reports: without secrets, and limited in length. */
export function frameExcerpt({ at, from, text, flaw }: JournalEntry): JournalEntry {
  return { at: Math.round(at * 10) / 10, from, text: shortened(redactText(text, []), longest), ...(flaw && { flaw }) };
}

/** The keys of JSON-RPC messages. */
const known = new Set(['jsonrpc', 'id', 'method', 'params', 'result', 'error']);

/** A short form of a message: without the common parts, and with its distinguishing parts first. Other text is returned unchanged. */
export function frameSummary(text: string): string {
  const message = asMessage(parsed(text));
  if (message?.['jsonrpc'] !== '2.0' || Object.keys(message).some((key) => !known.has(key))) return text;
  const { id, method, params, result, error } = message;
  if (typeof method === 'string') return `${method} ${params === undefined ? '' : quoted(aboutFirst(params))}`;
  if (error !== undefined) return `error for ${quoted(id)} ${quoted(error)}`;
  return result === undefined ? text : `answer to ${quoted(id)} ${quoted(result)}`;
}

/** Moves the content of an update to the front: the session id is the same in most messages. */
function aboutFirst(params: unknown): unknown {
  const { sessionId, update, ...others } = asMessage(params) ?? {};
  if (sessionId === undefined) return params;
  return { ...asMessage(update), ...(asMessage(update) === undefined && { update }), ...others, sessionId };
}

/** Keeps the beginning and the end of a text that exceeds the limit in UTF-16 units, with the number of omitted ones. */
export function shortened(text: string, length: number): string {
  if (text.length <= length) return text;
  const head = Math.ceil(length * 0.75);
  const tail = Math.max(0, length - head);
  return `${whole(text.slice(0, head))} …[${text.length - head - tail} more]… ${whole(text.slice(text.length - tail))}`;
}

/** Removes half surrogate pairs at the cuts. */
function whole(text: string): string {
  return text.replace(/^[\udc00-\udfff]|[\ud800-\udbff]$/g, '');
}
