import { ProtocolError } from '@turnwire/protocol';

/** Most characters of an error's data that are shown. */
const mostData = 300;

/**
 * The text of an error for a user. Agents put the real reason into the data of an error answer, most often as `details`, with a message
 * like "Internal error": then both are returned, the data up to 300 characters. A thrown value that is not an error is converted to text.
 */
export function errorText(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { message } = error;
  const reason = error instanceof ProtocolError ? reasonIn(error.data) : '';
  return reason === '' || message.includes(reason) ? message : `${message.replace(/\.$/, '')} (${reason})`;
}

function reasonIn(data: unknown): string {
  const reason = typeof data === 'object' && data !== null && 'details' in data ? data.details : data;
  if (reason === undefined || reason === null) return '';
  const text = typeof reason === 'string' ? reason.trim() : JSON.stringify(reason);
  return text.length > mostData ? `${text.slice(0, mostData)}…` : text;
}
