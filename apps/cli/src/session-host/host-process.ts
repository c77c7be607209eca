import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { FileLock, socketPlace, takeLock } from '@turnwire/machine';
import { SessionStore } from '../store/session-store.ts';
import { IdleTimer } from './idle-timer.ts';
import { decisionWrites } from '../permission/pending-writes.ts';
import { HostedSession } from './hosted-session.ts';
import type { HostDetails, HostNews, HostStart } from './host-protocol.ts';
import { HostServer } from './host-server.ts';

/**
 * Hosts a session: runs its agent, serves the commands that use it, and ends after a while without commands.
 * Started by a command, which sends the settings and receives the result; from then on it runs on its own. Resolves with the exit code.
 */
export async function hostSession(): Promise<number> {
  const start = await new Promise<HostStart>((resolve) => process.once('message', resolve));
  try {
    const store = new SessionStore();
    const place = await socketPlace(store.folderOf(start.recordId));
    try {
      const details: HostDetails = { socket: place.path, token: randomUUID() };
      const lock = await takeLock(store.lockOf(start.recordId), details);
      if (!(lock instanceof FileLock)) return await notify({ type: 'refused', pid: lock.pid }, 0);
      await using _lock = lock;
      await serve(start, { store, details, warnings: place.warnings });
      return 0;
    } finally {
      await place.remove();
    }
  } catch (error) {
    return notify({ type: 'failed', message: (error as Error).message }, 1);
  }
}

interface Place {
  readonly store: SessionStore;
  readonly details: HostDetails;
  readonly warnings: readonly string[];
}

async function serve(start: HostStart, { store, details: { socket, token }, warnings }: Place): Promise<void> {
  const session = await HostedSession.open({ start, record: store.read(start.recordId), store });
  for (const warning of warnings) session.remark(warning);
  let end = (): void => undefined;
  const ended = new Promise<void>((resolve) => (end = resolve));
  const idle = new IdleTimer(start.ttl, end);
  const onChange = (ttl?: number): void => idle.set({ isIdle: session.queue.isIdle && server.connections === 0, ttl });
  const server = new HostServer({ session, token, onChange, onEnd: end });
  session.queue.onIdle = onChange;
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, end);
  // We hold the lock, so an existing socket belongs to a session host that is gone.
  await rm(socket, { force: true });
  await server.listen(socket);
  // Before anything that may fail: the command that started us may be gone by then.
  onChange();
  await notify({ type: 'listening' }, undefined);
  // Started at once, so that the agent is ready for the first prompt; the next command receives the error if it is not.
  void session.ready().catch(() => undefined);
  await ended;
  server.close();
  await session.close();
  await decisionWrites.settled();
  await rm(socket, { force: true });
}

/** Sends news to the command that started us, if it still runs. */
function notify<Code>(news: HostNews, code: Code): Promise<Code> {
  return new Promise((resolve) => {
    if (!process.connected || !process.send) return resolve(code);
    process.send(news, undefined, undefined, () => resolve(code));
  });
}
