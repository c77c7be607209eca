import { rm } from 'node:fs/promises';
import { Gateway } from '@turnwire/gateway';
import { openSocketServer } from '@turnwire/gateway/endpoints';
import { FileLock, socketLocation, takeLock } from '@turnwire/machine';
import { traceWriter } from '@turnwire/trace/node';
import { hostedAgent } from '../sessions/hosted-agent.ts';
import { userMetering } from '../sessions/metering.ts';
import { placeInUse } from '../own-places/place-in-use.ts';
import { sessionRules } from '../sessions/session-rules.ts';
import { turnRecorder } from '../sessions/turn-recorder.ts';
import { decisionWrites } from '../permission/pending-writes.ts';
import { namedTenant } from '../store/named-session.ts';
import { NamedSessions } from '../store/named-sessions.ts';
import { agentTitle } from '../store/session-record.ts';
import type { HostDetails, HostNews, HostStart } from './host-start.ts';

/**
 * Hosts a session: a gateway with one agent and one session, on a socket for the commands of this user. It ends with the session: when that
 * was closed, or had neither clients nor work for a while. Started by a command, which sends the settings and receives the result. Resolves
 * with the exit code.
 */
export async function hostSession(): Promise<number> {
  const start = await new Promise<HostStart>((resolve) => process.once('message', resolve));
  try {
    await using sessions = new NamedSessions(undefined, { ownThread: true });
    const place = await socketLocation(sessions.folderOf(start.recordId));
    try {
      const details: HostDetails = { socket: place.path, startedAt: new Date().toISOString() };
      const lock = await takeLock(sessions.lockOf(start.recordId), details);
      if (!(lock instanceof FileLock)) return await notify({ type: 'refused', pid: lock.pid }, 0);
      await using _lock = lock;
      await serve(start, { sessions, socket: place.path, warnings: place.warnings });
      return 0;
    } finally {
      await place.remove();
    }
  } catch (error) {
    return notify(
      { type: 'failed', message: `the host process of the session cannot start: ${(error as Error).message}` },
      1,
    );
  }
}

/** How long the command that started this process may take to connect, in milliseconds. */
const firstClient = 30_000;

interface Place {
  readonly sessions: NamedSessions;
  readonly socket: string;
  readonly warnings: readonly string[];
}

async function serve(start: HostStart, { sessions, socket, warnings }: Place): Promise<void> {
  const { command, idle } = start;
  const record = await sessions.read(start.recordId);
  await using _use = await placeInUse(record.cwd);
  const agent = agentTitle(record.agent);
  const notes = [...warnings];
  const trace =
    start.trace === undefined
      ? undefined
      : traceWriter({ path: start.trace, secrets: Object.values(command.env), onProblem: (note) => notes.push(note) });
  let end = (): void => undefined;
  const ended = new Promise<void>((resolve) => (end = resolve));
  const gateway = new Gateway({
    store: sessions.store,
    agents: {
      [agent]: { ...hostedAgent(command, { ...start.settings, tap: trace?.tap }), mcpServers: start.mcpServers },
    },
    cwd: record.cwd,
    rules: sessionRules({ base: 'ask', nonInteractive: 'deny' }, { differences: () => command.differences }),
    limits: { idle: idle === 0 ? Infinity : idle },
    recorder: turnRecorder(start),
    metering: userMetering(start.spending),
    onEnded: end,
  });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, end);
  // The end of its session ends this process. A command that is gone, or whose agent does not start, never opens one.
  let unused: ReturnType<typeof setTimeout> | undefined;
  const endIfUnused = (milliseconds: number): void => {
    const isUnused = (): boolean => gateway.connections === 0 && gateway.sessions === 0;
    clearTimeout(unused);
    if (idle > 0) unused = setTimeout(() => isUnused() && end(), milliseconds);
  };
  // This process holds the lock, so an existing socket belongs to a session host that is gone.
  await rm(socket, { force: true });
  const principal = { tenant: namedTenant, scope: 'admin', isOwner: true } as const;
  const front = await openSocketServer({ path: socket, principal, agent }, (transport, to) => {
    const client = gateway.attach(transport, to);
    void client.closed.then(() => endIfUnused(idle));
    return client;
  });
  endIfUnused(Math.max(idle, firstClient));
  await notify({ type: 'listening', warnings: notes }, undefined);
  await ended;
  clearTimeout(unused);
  await gateway.callOffTurns();
  // This sends the pending answers before the sockets close.
  await gateway.close();
  await front.close();
  await trace?.close();
  await decisionWrites.settled();
  await rm(socket, { force: true });
}

/** Sends news to the command that started this process, if it still runs. */
function notify<Code>(news: HostNews, code: Code): Promise<Code> {
  return new Promise((resolve) => {
    if (!process.connected || !process.send) return resolve(code);
    process.send(news, undefined, undefined, () => resolve(code));
  });
}
