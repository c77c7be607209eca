import { join } from 'node:path';
import { stateFolder } from '@turnwire/machine';

/** The path of the database with the sessions of this user. */
export function sessionsDatabase(folder: string = stateFolder()): string {
  return join(folder, 'sessions.sqlite');
}
