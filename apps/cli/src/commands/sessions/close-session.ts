import { exitCodes } from '../../exit-codes.ts';
import { denyAll } from '@turnwire/client';
import { lockHolder, withLock } from '@turnwire/machine';
import { pause } from '@turnwire/machine/waits';
import { warn, explain } from '../../failure.ts';
import { openAgent } from '../../driving/open-agent.ts';
import type { GlobalOptions } from '../../options.ts';
import type { HostedPlace } from '../../session-host/host-connection.ts';
import { report } from '../report.ts';
import { existingSession } from '../located-session.ts';

/** How long a session host may take to end after SIGTERM, in milliseconds: its agent needs time to exit. */
const endTimeout = 20_000;

/** Closes a session and keeps its record and history until they are pruned. Resolves with the exit code. */
export async function close(name: string | undefined, options: GlobalOptions): Promise<number> {
  await using located = await existingSession(options, name);
  await closeSession(located);
  report(options, { action: 'session_closed', recordId: located.record.id }, () => located.record.id);
  return exitCodes.ok;
}

/** Deletes a session with its history, also with the agent if it supports that. Resolves with the exit code. */
export async function deleteSession(name: string | undefined, options: GlobalOptions): Promise<number> {
  await using located = await existingSession(options, name);
  await closeSession(located);
  const kept = await deleteWithAgent(located, options);
  await located.sessions.remove(located.record.id);
  if (kept !== undefined) warn(`deleted here; the agent still stores its copy of the session: ${kept}`);
  const facts = { action: 'session_deleted', recordId: located.record.id, deletedByAgent: kept === undefined };
  report(options, facts, () => located.record.id);
  return exitCodes.ok;
}

/** @returns why the agent has not deleted the session; undefined if it has deleted it, or never stored it */
async function deleteWithAgent({ sessions, record }: HostedPlace, options: GlobalOptions): Promise<string | undefined> {
  // The session host may have recorded another session id of the agent before it ended.
  const { sessionId, settings, cwd } = await sessions.read(record.id);
  if (sessionId === undefined) return undefined;
  const sessionOptions = { ...options, cwd, env: [...(settings.env ?? []), ...options.env] };
  try {
    await using agent = await openAgent(sessionOptions, { permission: denyAll });
    if (!agent.deleteSession) return 'it cannot delete sessions';
    await agent.deleteSession(sessionId);
    return undefined;
  } catch (error) {
    return explain(error);
  }
}

/** Ends the session host, if there is one, and marks the session as closed. */
export async function closeSession({ sessions, record }: HostedPlace): Promise<void> {
  await endHost({ sessions, record });
  await withLock(sessions.lockOf(record.id), () => sessions.close(record.id));
}

/** Ends the session host, if there is one, and waits until it has exited. A running turn is cancelled. */
export async function endHost({ sessions, record }: HostedPlace): Promise<void> {
  let asked: number | undefined;
  for (const started = Date.now(); Date.now() - started < endTimeout; await pause(50)) {
    const holder = await lockHolder(sessions.lockOf(record.id));
    if (!holder) return;
    if (holder.pid !== asked) askToEnd(holder.pid);
    asked = holder.pid;
  }
}

function askToEnd(pid: number): void {
  try {
    process.kill(pid, 'SIGTERM');
  } catch {
    // It has ended already.
  }
}
