import { TurnwireError, errorCodes, ProtocolError } from '@turnwire/protocol';
import { errorText } from '../../error-text/index.ts';

/** The agent's error; the real reason is often in the error's data. */
export function answeredWith(error: ProtocolError): string {
  return `${errorText(error).replace(/\.$/, '')}, error ${error.code}`;
}

/** An error as text. */
export function reasonOf(error: unknown): string {
  if (error instanceof ProtocolError) return answeredWith(error);
  return error instanceof Error ? error.message : String(error);
}

export function wantsLogin(error: unknown): error is ProtocolError {
  return error instanceof ProtocolError && error.code === errorCodes.authenticationRequired;
}

/** An error is not a finding if the examination was aborted. */
export function rethrowIfEnded(error: unknown, signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw endedBy(signal, error);
}

function endedBy(signal: AbortSignal, error: unknown): TurnwireError {
  const cause: unknown = signal.reason ?? error;
  return new TurnwireError('cancelled', 'The examination was aborted', { cause });
}
