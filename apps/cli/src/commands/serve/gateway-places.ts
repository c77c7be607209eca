import { join } from 'node:path';
import { stateFolder } from '@turnwire/machine';

/** Whose the sessions are that the local user has, by whichever command. */
export const localTenant = 'local';

/** The tokens that servers of this user accept. */
export function tokensFile(): string {
  return join(stateFolder(), 'tokens.json');
}

/** Where each server that runs describes itself, for commands of the same user. */
export function serversFolder(): string {
  return join(stateFolder(), 'servers');
}
