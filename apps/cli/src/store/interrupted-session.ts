import { isRunning } from '@turnwire/machine';
import { NamedSessions } from './named-sessions.ts';
import type { RecentSession } from './recent-session.ts';
import { RecentSessions } from './recent-sessions.ts';
import { agentKey } from './session-record.ts';

/** Whether the last turn of a session was interrupted, according to local records. Agents replay its partial answer as a complete one. */
export async function isInterrupted(session: Pick<RecentSession, 'agent' | 'sessionId'>): Promise<boolean> {
  const { openTurn } = (await new RecentSessions().find(session)) ?? {};
  if (openTurn !== undefined) return openTurn === 'failed' || (await isRunning(openTurn)) === false;
  return isStoredInterrupted(session);
}

/** Whether the stored session was interrupted; false if the database engine is not installed. */
async function isStoredInterrupted({ agent, sessionId }: Pick<RecentSession, 'agent' | 'sessionId'>): Promise<boolean> {
  try {
    await using sessions = new NamedSessions();
    const stored = (await sessions.list()).find(
      (each) => each.sessionId === sessionId && agentKey(each.agent) === agentKey(agent),
    );
    return stored !== undefined && (await sessions.lastTurn(stored.id)) === 'interrupted';
  } catch {
    return false;
  }
}
