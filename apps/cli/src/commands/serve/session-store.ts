import { readOwnFile } from '@turnwire/machine';
import { GatewayNode } from '@turnwire/cluster';
import { type SessionStore, sqliteStore } from '@turnwire/runtime';
import { exitCodes } from '../../exit-codes.ts';
import { CommandError, warn } from '../../failure.ts';
import { localTenant } from '../../store/named-session.ts';
import { sessionsDatabase } from '../../store/sessions-database.ts';

/** What the store of a server is made of. */
export interface StoreArguments {
  /** The address of a database. Default: that of `TURNWIRE_STORE`, which is for one with a password: every user could see it on a command line. */
  readonly store?: string | undefined;
  /** In seconds. */
  readonly lease?: number | undefined;
  readonly advertise?: string | undefined;
  /** A file with what the servers of the database know each other by. Default: the variable `TURNWIRE_CLUSTER_SECRET`. */
  readonly clusterSecret?: string | undefined;
}

/** What a server is among others on one database. */
interface ServedHere {
  readonly agents: readonly string[];
  readonly roots: readonly string[];
}

/** The store of a server. */
export interface ServerStore {
  readonly store: SessionStore;
  /** With a database: what the server is in it. */
  readonly node?: GatewayNode;
}

/** The shortest secret of servers, in characters. */
const shortestSecret = 32;

/** What the servers of a database know each other by; undefined if none was given. Throws CommandError for one that could be guessed. */
export function clusterSecret({ clusterSecret: path }: StoreArguments): string | undefined {
  const text = path === undefined ? process.env['TURNWIRE_CLUSTER_SECRET'] : readOwnFile(path);
  if (path !== undefined && text === undefined) throw new CommandError(`there is no file ${path}`, exitCodes.usage);
  const secret = text?.trim();
  if (secret !== undefined && !(secret.length >= shortestSecret && /^[\w.~+/=-]+$/.test(secret)))
    throw new CommandError(
      `the secret of a cluster has ${shortestSecret} characters at least, letters and digits: openssl rand -hex 32 makes one`,
      exitCodes.usage,
    );
  return secret;
}

/** The address of the database of a server, if it has one. */
export function databaseOf({ store = process.env['TURNWIRE_STORE'] }: StoreArguments): string | undefined {
  return store;
}

/**
 * The store of a server: the database at an address, where the server becomes a node, or the file of this user. Rejects with CommandError for
 * an address that leads to no store, options of a node without one, or a secret that could be guessed.
 */
export async function sessionStore(args: StoreArguments, here: ServedHere): Promise<ServerStore> {
  const { lease, advertise } = args;
  const secret = clusterSecret(args);
  const url = databaseOf(args);
  if (url === undefined) {
    if (lease !== undefined || advertise !== undefined)
      throw new CommandError(
        '--lease and --advertise are for servers that share a database: give --store',
        exitCodes.usage,
      );
    return usable({ store: sqliteStore({ path: sessionsDatabase() }) });
  }
  if (!URL.canParse(url) || !/^postgres(?:ql)?:$/.test(new URL(url).protocol))
    throw new CommandError(
      'a store is the address of a database, such as postgresql://user@host/database',
      exitCodes.usage,
    );
  const onAway = (reason: string): void => warn(`${reason}; trying again for a minute`);
  const node = await GatewayNode.join({
    ...here,
    url,
    secret,
    onAway,
    ...(lease !== undefined && { lease: lease * 1000 }),
  });
  node.lost.addEventListener('abort', () => {
    warn('the lease of this server is over: other servers may have its sessions. Its agents are ended; start it again');
    // Whatever it started ends with it.
    process.exit(exitCodes.leaseLost);
  });
  return usable({ store: node.store, node });
}

/** Reports a store that does not work before clients connect. */
async function usable(opened: ServerStore): Promise<ServerStore> {
  try {
    await opened.store.list({ tenant: localTenant, limit: 1 });
    return opened;
  } catch (error) {
    await (opened.node?.leave() ?? opened.store.close());
    throw error;
  }
}
