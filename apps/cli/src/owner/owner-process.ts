import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { FileLock, takeLock } from '@turnwire/machine';
import { SessionStore } from '../store/session-store.ts';
import { IdleTimer } from './idle-timer.ts';
import { decisionWrites } from '../permission/pending-writes.ts';
import { OwnedSession } from './owned-session.ts';
import type { OwnerDetails, OwnerNews, OwnerStart } from './owner-protocol.ts';
import { OwnerServer } from './owner-server.ts';
import { socketPlace } from './socket-path.ts';

/**
 * Owns a session: keeps its agent, serves the commands that use it, and ends when nobody has for a while.
 * Started by a command, which sends what is needed and hears how it went; from then on it lives by itself. Resolves with the exit code.
 */
export async function ownSession(): Promise<number> {
  const start = await new Promise<OwnerStart>((resolve) => process.once('message', resolve));
  try {
    const store = new SessionStore();
    const place = await socketPlace(store.folderOf(start.recordId));
    try {
      const details: OwnerDetails = { socket: place.path, token: randomUUID() };
      const lock = await takeLock(store.lockOf(start.recordId), details);
      if (!(lock instanceof FileLock)) return await tell({ type: 'refused', pid: lock.pid }, 0);
      await using _lock = lock;
      await serve(start, { store, details, warnings: place.warnings });
      return 0;
    } finally {
      await place.remove();
    }
  } catch (error) {
    return tell({ type: 'failed', message: (error as Error).message }, 1);
  }
}

interface Place {
  readonly store: SessionStore;
  readonly details: OwnerDetails;
  readonly warnings: readonly string[];
}

async function serve(start: OwnerStart, { store, details: { socket, token }, warnings }: Place): Promise<void> {
  const session = await OwnedSession.open({ start, record: store.read(start.recordId), store });
  for (const warning of warnings) session.remark(warning);
  let end = (): void => undefined;
  const ended = new Promise<void>((resolve) => (end = resolve));
  const idle = new IdleTimer(start.ttl, end);
  const onChange = (ttl?: number): void => idle.set({ isIdle: session.queue.isIdle && server.connections === 0, ttl });
  const server = new OwnerServer({ session, token, onChange, onEnd: end });
  session.queue.onIdle = onChange;
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, end);
  // What is left there is of an owner that is gone, for the lock is ours.
  await rm(socket, { force: true });
  await server.listen(socket);
  // Also when whoever started us is gone before they come.
  onChange();
  await tell({ type: 'listening' }, undefined);
  // Begun at once, so that the agent is there when the first prompt comes; whoever comes hears if it is not.
  void session.ready().catch(() => undefined);
  await ended;
  server.close();
  await session.close();
  await decisionWrites.settled();
  await rm(socket, { force: true });
}

/** Tells the command that started us, if it is still there. */
function tell<Code>(news: OwnerNews, code: Code): Promise<Code> {
  return new Promise((resolve) => {
    if (!process.connected || !process.send) return resolve(code);
    process.send(news, undefined, undefined, () => resolve(code));
  });
}
