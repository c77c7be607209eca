import { postgresStore, type SessionStore, sqliteStore } from '@turnwire/gateway';
import { exitCodes } from '../../exit-codes.ts';
import { CommandError } from '../../failure.ts';
import { sessionsDatabase } from './gateway-places.ts';

/**
 * The store of a server: the database at an address, or the file of this user. The variable `TURNWIRE_STORE` is for an address with a
 * password, which every user of a machine could see on a command line. Throws CommandError for an address that leads to no store.
 */
export function sessionStore(given: string | undefined = process.env['TURNWIRE_STORE']): SessionStore {
  if (given === undefined) return sqliteStore({ path: sessionsDatabase() });
  if (URL.canParse(given) && /^postgres(?:ql)?:$/.test(new URL(given).protocol)) return postgresStore({ url: given });
  throw new CommandError(
    'a store is the address of a database, such as postgresql://user@host/database',
    exitCodes.usage,
  );
}
