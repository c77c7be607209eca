import { TurnwireError, asideKey, type Dialect, errorCodes, ProtocolError } from '@turnwire/protocol';

/**
 * What a failure means, whatever number or word it came with:
 * - `connection-closed`: the agent is gone; start it again first
 * - `timeout`: no answer in time
 * - `session-lost`: the agent does not know the session any more; load or resume it, or make a new one, first
 * - `login-needed`: trying again is no use before a login
 * - `internal`: something went wrong in the agent, nobody knows what
 * - `refused`: the request is wrong or not permitted, and will be the next time
 * - `cancelled`: this side or the agent gave it up on purpose
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
 * What an error of a call means.
 * @param dialect of the peer, for an error that has not passed through one: numbers mean different things to different agents. Errors that
 * a connection rejects with have been read already, and are read the same with it or without.
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
 * Two numbers of one dialect are conditions of a line. Reading them leaves an internal error, with the number it came with beside it;
 * no other dialect makes an internal error of anything.
 */
function lineCondition(data: unknown): Condition | undefined {
  const aside = isObject(data) ? data[asideKey] : undefined;
  const given = isObject(aside) ? aside['code'] : undefined;
  if (given === -32000) return 'connection-closed';
  return given === -32001 ? 'timeout' : undefined;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
