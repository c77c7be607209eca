import type { TurnwireErrorCode } from '@turnwire/protocol';

/** What a connection ends with that a server refused with a status. After `not-authorized` another attempt is in vain. */
export function codeOfRefusal(status: number): TurnwireErrorCode {
  return status === 401 || status === 403 ? 'not-authorized' : 'connection-closed';
}
