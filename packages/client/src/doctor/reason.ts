import { AgentwireError, errorCodes, ProtocolError } from '@agentwire/protocol';

/** How much of an error's data is worth reading, in characters. */
const mostData = 300;

/** What the agent said is wrong; the real reason is often in the error's data. */
export function answeredWith({ code, message, data }: ProtocolError): string {
  const more = typeof data === 'object' && data !== null && 'details' in data ? data.details : data;
  const text = typeof more === 'string' ? more : more === undefined || more === null ? '' : JSON.stringify(more);
  const reason = text === '' ? '' : ` (${text.length > mostData ? `${text.slice(0, mostData)}…` : text})`;
  return `${message.replace(/\.$/, '')}${reason}, error ${code}`;
}

/** An error in words. */
export function reasonOf(error: unknown): string {
  if (error instanceof ProtocolError) return answeredWith(error);
  return error instanceof Error ? error.message : String(error);
}

export function wantsLogin(error: unknown): error is ProtocolError {
  return error instanceof ProtocolError && error.code === errorCodes.authenticationRequired;
}

/** An error is not a finding if somebody ended the examination. */
export function rethrowIfEnded(error: unknown, signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw endedBy(signal, error);
}

function endedBy(signal: AbortSignal, error: unknown): AgentwireError {
  const cause: unknown = signal.reason ?? error;
  return new AgentwireError('cancelled', 'The examination was ended before it was done', { cause });
}
