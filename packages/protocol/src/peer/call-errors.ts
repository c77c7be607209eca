import { TurnwireError, type TurnwireErrorCode } from '../turnwire-error.ts';
import { isObject } from '../json-rpc/json-object.ts';
import type { WireError } from '../json-rpc/wire-error.ts';
import { errorCodes } from '../protocol-error.ts';

/** Nothing was written. */
export function unsent(method: string, code: TurnwireErrorCode, why: string): TurnwireError {
  return new TurnwireError(code, `${method} was not sent: ${why}`);
}

export function unwritable(method: string, cause: Error): TurnwireError {
  const [reason] = cause.message.split('\n', 1);
  const message = `${method} was not sent: its parameters cannot be written as JSON (${reason})`;
  return new TurnwireError('invalid-message', message, { cause });
}

export function tooManyWait(limit: number): TurnwireError {
  const advice = 'wait for some, or raise limits.outgoingRequests';
  return new TurnwireError('limit-exceeded', `${limit} requests wait for an answer already; ${advice}`);
}

export function invalidResponse(method: string, reason: string): TurnwireError {
  return new TurnwireError('invalid-response', `The answer to ${method} does not fit the protocol: ${reason}`);
}

export function cancelled(method: string, signal: AbortSignal): TurnwireError {
  return new TurnwireError('cancelled', `${method} was cancelled`, { cause: signal.reason });
}

export function timedOut(method: string, timeout: number): TurnwireError {
  return new TurnwireError('timeout', `No answer to ${method} within ${timeout} ms`);
}

const undescribed = 'The peer answered with an error it did not describe';

/** An error as it was received, its gaps filled. Some peers send only a text. */
export function readWireError(error: unknown): WireError {
  if (!isObject(error)) {
    return { code: errorCodes.internalError, message: typeof error === 'string' ? error : undescribed };
  }
  const { code, message, data } = error;
  return {
    code: Number.isInteger(code) ? (code as number) : errorCodes.internalError,
    message: typeof message === 'string' ? message : undescribed,
    data,
  };
}
