import { TurnwireError } from '@turnwire/protocol';

/** Whether a request failed because the client has disconnected. */
export function isClientGone(error: unknown): boolean {
  return error instanceof TurnwireError && error.code === 'connection-closed';
}
