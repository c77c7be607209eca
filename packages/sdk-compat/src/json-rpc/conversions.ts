import { ProtocolError, TurnwireError } from '@turnwire/protocol';
import { RequestError } from './request-error.ts';

/**
 * The answer to a request whose handler threw. Unlike the official package, it never parses the message of an error as JSON.
 * @param isCancelled the other side cancelled the request, or the connection ended
 */
export function errorToSend(error: unknown, isCancelled: boolean): ProtocolError {
  const { code, message, data } = isCancelled && isAbortError(error) ? RequestError.requestCancelled() : named(error);
  return new ProtocolError(code, message, data);
}

/** An error of any kind with a code. */
export function named(error: unknown): RequestError {
  if (isRequestError(error)) return error;
  if (isParserError(error)) return RequestError.invalidParams(error.format());
  const details = (error as { readonly message?: unknown } | null | undefined)?.message;
  return RequestError.internalError(typeof details === 'string' ? { details } : {});
}

/** The error that a request of this side rejects with. */
export function receivedError(error: unknown): unknown {
  if (error instanceof ProtocolError) return new RequestError(error.code, error.message, error.data);
  if (!(error instanceof TurnwireError)) return error;
  if (error.code === 'connection-closed') return endOf(error);
  if (error.code === 'cancelled') return RequestError.requestCancelled();
  // The answer was not valid: to the caller it is an error of the other side.
  return error.code === 'invalid-response' ? RequestError.invalidRequest(error.message) : error;
}

/** Why a connection ended: the error of its streams, if there is one. */
export function endOf(error: unknown): unknown {
  const isOurs = error === undefined || error instanceof TurnwireError;
  if (!isOurs) return error;
  return error && Object.hasOwn(error, 'cause') ? endOf(error.cause) : new Error('ACP connection closed');
}

/** Also true for the class of the official package, which a library may have imported. */
function isRequestError(error: unknown): error is RequestError {
  if (error instanceof RequestError) return true;
  return error instanceof Error && error.name === 'RequestError' && Number.isInteger((error as RequestError).code);
}

/** The errors of zod describe every mistake. */
function isParserError(error: unknown): error is { format(): unknown } {
  return error instanceof Error && error.name === 'ZodError' && 'format' in error && typeof error.format === 'function';
}

function isAbortError(error: unknown): boolean {
  const { name, code } = (error ?? {}) as { readonly name?: unknown; readonly code?: unknown };
  return name === 'AbortError' || code === 'ABORT_ERR';
}
