import { ProtocolError } from '@turnwire/protocol';

/** How much of an error's data is worth reading, in characters. */
const mostData = 300;

/**
 * What an error says, for a user. Agents put the real reason into the data of an error answer, most often as `details`, and a message
 * like "Internal error" before it: then both are told, the data up to 300 characters. What was thrown and is no error is told as text.
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
