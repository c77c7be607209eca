import { join } from 'node:path';
import { stateFolder } from '@turnwire/machine';

/** The database of the sessions of this user. */
export function sessionsDatabase(folder: string = stateFolder()): string {
  return join(folder, 'sessions.sqlite');
}
