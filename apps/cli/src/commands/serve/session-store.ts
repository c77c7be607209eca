import { readOwnFile } from '@turnwire/machine';
import { GatewayNode } from '@turnwire/cluster';
import { type SessionStore, sqliteStore } from '@turnwire/runtime';
import { exitCodes } from '../../exit-codes.ts';
import { CommandError, warn } from '../../failure.ts';
import { localTenant } from '../../store/named-session.ts';
import { sessionsDatabase } from '../../store/sessions-database.ts';

/** The options that define the store of a server. */
export interface StoreArguments {
  /** The address of a database. Default: `TURNWIRE_STORE`, which suits an address with a password: every user can read command lines. */
  readonly store?: string | undefined;
  /** The duration of the lease, in seconds. */
  readonly lease?: number | undefined;
  readonly advertise?: string | undefined;
  /** A file with the shared secret of the servers of the database. Default: the variable `TURNWIRE_CLUSTER_SECRET`. */
  readonly clusterSecret?: string | undefined;
}

/** The facts about a server for the other servers of its database. */
interface ServedHere {
  readonly agents: readonly string[];
  readonly roots: readonly string[];
}

/** The store of a server. */
export interface ServerStore {
  readonly store: SessionStore;
  /** The node of the server in the database, if it uses one. */
  readonly node?: GatewayNode;
}

/** The minimum length of a cluster secret, in characters. */
const shortestSecret = 32;

/** The shared secret of the servers of a database; undefined if it is not configured. Throws CommandError for a weak secret. */
export function clusterSecret({ clusterSecret: path }: StoreArguments): string | undefined {
  const text = path === undefined ? process.env['TURNWIRE_CLUSTER_SECRET'] : readOwnFile(path);
  if (path !== undefined && text === undefined) throw new CommandError(`there is no file ${path}`, exitCodes.usage);
  const secret = text?.trim();
  if (secret !== undefined && !(secret.length >= shortestSecret && /^[\w.~+/=-]+$/.test(secret)))
    throw new CommandError(
      `the secret of a cluster must have at least ${shortestSecret} letters and digits: openssl rand -hex 32 creates one`,
      exitCodes.usage,
    );
  return secret;
}

/** The address of the database of a server, if it has one. */
export function databaseOf({ store = process.env['TURNWIRE_STORE'] }: StoreArguments): string | undefined {
  return store;
}

/**
 * Opens the store of a server: a database, in which the server becomes a node, or the file of this user. Rejects with CommandError for an
 * invalid address, options of a node without a database, or a weak secret.
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
      'give the address of a database with --store, such as postgresql://user@host/database',
      exitCodes.usage,
    );
  const onUnavailable = (reason: string): void => warn(`${reason}; retrying for a minute`);
  const node = await GatewayNode.join({
    ...here,
    url,
    secret,
    onUnavailable,
    ...(lease !== undefined && { lease: lease * 1000 }),
  });
  node.lost.addEventListener('abort', () => {
    warn(
      'the lease of this server has expired: other servers may have taken over its sessions. Its agents are stopped; restart the server',
    );
    // All child processes end with this process.
    process.exit(exitCodes.leaseLost);
  });
  return usable({ store: node.store, node });
}

/** Verifies that a store works before clients connect. */
async function usable(opened: ServerStore): Promise<ServerStore> {
  try {
    await opened.store.list({ tenant: localTenant, limit: 1 });
    return opened;
  } catch (error) {
    await (opened.node?.leave() ?? opened.store.close());
    throw error;
  }
}
