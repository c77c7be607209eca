import { join } from 'node:path';
import { stateFolder } from '@turnwire/machine';

/** The file with the tokens that servers of this user accept. */
export function tokensFile(): string {
  return join(stateFolder(), 'tokens.json');
}

/** The file with the logged-in web pages of this user's servers. */
export function pageLoginsFile(): string {
  return join(stateFolder(), 'page-logins.json');
}

/** The folder in which each running server describes itself for commands of the same user. */
export function serversFolder(): string {
  return join(stateFolder(), 'servers');
}
