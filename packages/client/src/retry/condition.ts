import { TurnwireError, asideKey, type Dialect, errorCodes, ProtocolError } from '@turnwire/protocol';

/**
 * The meaning of a failure, whatever its code or text:
 * - `connection-closed`: the agent has ended; restart it first
 * - `timeout`: no answer in time
 * - `session-lost`: the agent does not know the session any more; load, resume or create one first
 * - `login-needed`: retrying is useless before a login
 * - `internal`: an error inside the agent of unknown cause
 * - `refused`: the request is invalid or not permitted, and would be again
 * - `cancelled`: this side or the agent cancelled it
 * - `other`: none of these
 */
export type Condition =
  | 'connection-closed'
  | 'timeout'
  | 'session-lost'
  | 'login-needed'
  | 'internal'
  | 'refused'
  | 'cancelled'
  | 'other';

/**
 * Classifies the error of a call.
 * @param dialect of the peer, for an error that has not passed through one: codes differ between agents. Errors that a connection rejects
 * with have been translated already; for those it makes no difference.
 */
export function conditionOf(error: unknown, dialect?: Dialect): Condition {
  if (error instanceof TurnwireError) return ownCondition(error);
  if (!(error instanceof ProtocolError)) return 'other';
  const { code, message, data } = error;
  return wireCondition(dialect?.error?.({ code, message, data }, '') ?? { code, data });
}

function ownCondition({ code }: TurnwireError): Condition {
  switch (code) {
    case 'connection-closed':
    case 'timeout':
    case 'cancelled':
      return code;
    case 'not-advertised':
    case 'not-initialized':
    case 'version-mismatch':
    case 'invalid-message':
      return 'refused';
    default:
      return 'other';
  }
}

function wireCondition({ code, data }: { readonly code: number; readonly data?: unknown }): Condition {
  switch (code) {
    case errorCodes.authenticationRequired:
      return 'login-needed';
    case errorCodes.internalError:
      return lineCondition(data) ?? 'internal';
    case errorCodes.resourceNotFound:
      return isObject(data) && typeof data['sessionId'] === 'string' ? 'session-lost' : 'refused';
    case errorCodes.requestCancelled:
      return 'cancelled';
    case errorCodes.parseError:
    case errorCodes.invalidRequest:
    case errorCodes.methodNotFound:
    case errorCodes.invalidParams:
      return 'refused';
    default:
      return 'other';
  }
}

/**
 * The condition of two codes of one dialect that concern the connection. They are translated to an internal error that keeps the original
 * code; no other dialect translates an error to an internal error.
 */
function lineCondition(data: unknown): Condition | undefined {
  const aside = isObject(data) ? data[asideKey] : undefined;
  const code = isObject(aside) ? aside['code'] : undefined;
  if (code === -32000) return 'connection-closed';
  return code === -32001 ? 'timeout' : undefined;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
