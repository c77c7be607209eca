import { commandName } from '../command-name.ts';
import { knownSessions, shortIds } from './known-sessions.ts';
import { type RecentSession, sessionKey } from './recent-session.ts';

/** What to type to go on with a session, for the user who leaves it. */
export async function resumeLine(session: Pick<RecentSession, 'agent' | 'sessionId'>): Promise<string> {
  const key = sessionKey(session);
  const ids = [...shortIds(await knownSessions()).values()];
  return `Resume with: ${commandName()} --resume ${ids.find((id) => key.startsWith(id)) ?? key.slice(0, 4)}`;
}
