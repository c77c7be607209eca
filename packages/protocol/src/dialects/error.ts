import { errorCodes } from '../protocol-error.ts';
import { methods } from '../methods.ts';
import type { WireError } from '../json-rpc/wire-error.ts';
import { isObject, type JsonObject } from '../json-rpc/json-object.ts';
import { asideKey } from './keys.ts';

/**
 * D45: -32000 to -32003 as "connection closed", "timeout", "permission denied" and "session expired". The first two are
 * conditions of a line, not answers: they become internal errors, which are neither retried nor taken for "log in".
 */
export function goReferenceError(error: WireError, _method: string, request?: unknown): WireError {
  if (isRead(error)) return error;
  switch (error.code) {
    case -32000:
    case -32001:
      return renumbered(error, errorCodes.internalError);
    case -32002:
      return renumbered(error, errorCodes.invalidParams);
    case -32003:
      return sessionLost(error, request);
    default:
      return error;
  }
}

/** D44: -32001 to -32007, each with another meaning. */
export function pharoError(error: WireError, method: string, request?: unknown): WireError {
  if (isRead(error)) return error;
  switch (error.code) {
    case -32001:
      return renumbered(error, errorCodes.authenticationRequired);
    case -32002:
      // Anywhere else "bad authentication method" makes no sense, and the official "not found" is meant.
      return method === 'authenticate' ? renumbered(error, errorCodes.invalidParams) : error;
    case -32003:
      return renumbered(error, errorCodes.resourceNotFound);
    case -32004:
      return renumbered(error, errorCodes.invalidParams);
    case -32005:
      return sessionLost(error, request);
    case -32006:
      return renumbered(error, errorCodes.invalidRequest);
    case -32007:
      return renumbered(error, isOptional(method) ? errorCodes.methodNotFound : errorCodes.invalidParams);
    default:
      return error;
  }
}

/** True for a method that may be missing, because a capability stands for it. */
function isOptional(method: string): boolean {
  return Object.entries(methods).some(([name, row]) => name === method && 'capability' in row);
}

/** The session does not exist: "not found". The session's id in the data distinguishes it from a missing file. */
function sessionLost(error: WireError, request: unknown): WireError {
  const sessionId = isObject(request) ? request['sessionId'] : undefined;
  return renumbered(error, errorCodes.resourceNotFound, typeof sessionId === 'string' ? { sessionId } : {});
}

/** The error under an official number. The number it came with is kept in its data. */
function renumbered(error: WireError, code: number, facts: JsonObject = {}): WireError {
  return { ...error, code, data: { ...facts, ...asObject(error.data), [asideKey]: { code: error.code } } };
}

function asObject(data: unknown): JsonObject {
  if (isObject(data)) return data;
  return data === undefined || data === null ? {} : { details: data };
}

function isRead(error: WireError): boolean {
  return isObject(error.data) && isObject(error.data[asideKey]);
}
