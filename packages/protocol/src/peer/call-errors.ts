import { AgentwireError, type AgentwireErrorCode } from '../agentwire-error.ts';
import { isObject } from '../json-rpc/json-object.ts';
import type { WireError } from '../dialects/dialect.ts';
import { errorCodes } from '../protocol-error.ts';

/** Nothing was written. */
export function unsent(method: string, code: AgentwireErrorCode, why: string): AgentwireError {
  return new AgentwireError(code, `${method} was not sent: ${why}`);
}

export function unwritable(method: string, cause: Error): AgentwireError {
  const [reason] = cause.message.split('\n', 1);
  const message = `${method} was not sent: its parameters cannot be written as JSON (${reason})`;
  return new AgentwireError('invalid-message', message, { cause });
}

export function tooManyWait(limit: number): AgentwireError {
  const advice = 'wait for some, or raise limits.outgoingRequests';
  return new AgentwireError('limit-exceeded', `${limit} requests wait for an answer already; ${advice}`);
}

export function invalidResponse(method: string, reason: string): AgentwireError {
  return new AgentwireError('invalid-response', `The answer to ${method} does not fit the protocol: ${reason}`);
}

export function cancelled(method: string, signal: AbortSignal): AgentwireError {
  return new AgentwireError('cancelled', `${method} was cancelled`, { cause: signal.reason });
}

export function timedOut(method: string, timeout: number): AgentwireError {
  return new AgentwireError('timeout', `No answer to ${method} within ${timeout} ms`);
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
