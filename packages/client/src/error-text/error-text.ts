import { ProtocolError } from '@turnwire/protocol';

/** The maximum length of an error's data that is shown, in characters. */
const mostData = 300;

/** Messages without information. */
const vague = /^in(ternal|valid)/i;

/**
 * The text of an error for a user. Agents put the real reason into the data of an error answer, most often as `details`: then both are
 * returned, the data up to 300 characters. Data that is not a text is left out, unless the message is like "Internal error". A thrown value
 * that is not an error is converted to text.
 */
export function errorText(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { message } = error;
  const reason = error instanceof ProtocolError ? reasonIn(error) : '';
  return reason === '' || message.includes(reason) ? message : `${message.replace(/\.$/, '')} (${reason})`;
}

function reasonIn({ data, message }: ProtocolError): string {
  const reason = (data as { readonly details?: unknown } | undefined)?.details ?? data;
  const text = typeof reason === 'string' ? reason.trim() : reason && vague.test(message) ? JSON.stringify(reason) : '';
  return text.length > mostData ? `${text.slice(0, mostData)}…` : text;
}
