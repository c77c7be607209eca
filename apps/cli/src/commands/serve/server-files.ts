import { join } from 'node:path';
import { stateFolder } from '@turnwire/machine';

/** The tokens that servers of this user accept. */
export function tokensFile(): string {
  return join(stateFolder(), 'tokens.json');
}

/** The web pages that are logged in at servers of this user. */
export function pageLoginsFile(): string {
  return join(stateFolder(), 'page-logins.json');
}

/** Where each server that runs describes itself, for commands of the same user. */
export function serversFolder(): string {
  return join(stateFolder(), 'servers');
}
