import { once } from 'node:events';
import { chmod, lstat, rm } from 'node:fs/promises';
import { connect, createServer, type Socket } from 'node:net';
import { dirname } from 'node:path';
import { folderProblem, undefinedIfMissing, withLock } from '@turnwire/machine';
import { TurnwireError } from '@turnwire/protocol';
import { stdioTransport } from '@turnwire/transports/stdio';
import type { Principal } from '../auth/principal.ts';
import type { ServeClient, ServedClient } from './http-server.ts';

/** Options of {@link openSocketServer}. */
export interface SocketServerOptions {
  /** An absolute path in a folder that only this user can enter, or the name of a pipe on Windows. */
  readonly path: string;
  /** The principal of every client. Only the user can connect, so there is no token. */
  readonly principal: Principal;
  /** The agent of every client. */
  readonly agent: string;
  /** Limit of concurrent connections; further ones are closed at once. Default 1,000. */
  readonly maxConnections?: number | undefined;
  /** Longest frame received, in bytes; a longer one is skipped. Default 64 MiB. */
  readonly maxFrameBytes?: number | undefined;
}

/** A gateway that listens on a socket. */
export interface SocketServer extends AsyncDisposable {
  /** The number of connected clients. */
  readonly connections: number;
  /** Stops accepting clients, ends the connections, and resolves when no client is served any more. */
  close(): Promise<void>;
}

/**
 * Listens on a Unix socket for clients that send one frame a line, as over stdio. Its folder protects it, which must belong to this user and be
 * closed to all others: Node does not report the user at the other end of a socket. A socket that a killed process left behind is replaced.
 * @throws TurnwireError `invalid-input` if the folder is not safe, another process listens there, or the path holds something else
 */
export async function openSocketServer(options: SocketServerOptions, serve: ServeClient): Promise<SocketServer> {
  const { path, principal, agent, maxConnections = 1_000, maxFrameBytes = 64 * 1024 * 1024 } = options;
  const clients = new Map<Socket, ServedClient>();
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    const transport = stdioTransport({ input: socket, output: socket, maxFrameBytes });
    const served = serve(transport, { principal, agent });
    clients.set(socket, served);
    socket.once('close', () => clients.delete(socket));
    // A client that has ended its sending side still receives its answers; then the socket closes.
    void served.closed.finally(() => socket.end());
  });
  server.maxConnections = maxConnections;
  const listen = async (): Promise<void> => {
    server.listen(path);
    await once(server, 'listening').catch((cause: unknown) => {
      throw invalid(`cannot listen at ${path}: ${(cause as Error).message}`, cause);
    });
  };
  await (process.platform === 'win32' ? listen() : listenSafely(path, listen));
  const close = async (): Promise<void> => {
    const closed = new Promise((resolve) => server.close(resolve));
    const served = [...clients.values()];
    for (const socket of clients.keys()) socket.destroy();
    await Promise.all(served.map((each) => each.closed));
    await closed;
  };
  return {
    get connections() {
      return clients.size;
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** Locks the path, so that only one of several processes replaces the socket of a killed one. */
async function listenSafely(path: string, listen: () => Promise<void>): Promise<void> {
  const folder = dirname(path);
  const problem = await problemOf(folder);
  if (problem !== undefined)
    throw invalid(`${folder} ${problem}; name a folder of yours that only you can enter (mode 0700)`);
  await withLock(`${path}.lock`, async () => {
    await removeStale(path);
    await listen();
    await chmod(path, 0o600);
  });
}

async function problemOf(folder: string): Promise<string | undefined> {
  const found = await lstat(folder).catch(undefinedIfMissing);
  if (found === undefined) return 'does not exist';
  return (await folderProblem(folder)) ?? ((found.mode & 0o077) === 0 ? undefined : 'can be entered by others');
}

async function removeStale(path: string): Promise<void> {
  const found = await lstat(path).catch(undefinedIfMissing);
  if (found === undefined) return;
  if (!found.isSocket()) throw invalid(`${path} is not a socket; name another path`);
  if (await isListening(path)) throw invalid(`another process listens at ${path}; end it, or name another path`);
  await rm(path);
}

async function isListening(path: string): Promise<boolean> {
  const socket = connect(path);
  try {
    await once(socket, 'connect');
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ECONNREFUSED';
  } finally {
    socket.destroy();
  }
}

function invalid(message: string, cause?: unknown): TurnwireError {
  return new TurnwireError('invalid-input', message, { cause });
}
