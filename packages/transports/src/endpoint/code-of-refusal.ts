import type { TurnwireErrorCode } from '@turnwire/protocol';

/** The error code for a connection that a server refused with a status. After `not-authorized` a retry is useless. */
export function codeOfRefusal(status: number): TurnwireErrorCode {
  return status === 401 || status === 403 ? 'not-authorized' : 'connection-closed';
}
