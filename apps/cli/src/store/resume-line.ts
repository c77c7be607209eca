import { commandName } from '../command-name.ts';
import { knownSessions, shortIds } from './known-sessions.ts';
import { type RecentSession, sessionKey } from './recent-session.ts';

/** The command that continues a session, printed when the user leaves it. */
export async function resumeLine(session: Pick<RecentSession, 'agent' | 'sessionId'>): Promise<string> {
  const key = sessionKey(session);
  const ids = [...shortIds(await knownSessions()).values()];
  return `Resume with: ${commandName()} --resume ${ids.find((id) => key.startsWith(id)) ?? key.slice(0, 4)}`;
}
