import type { SessionElsewhere } from '@turnwire/gateway/endpoints';
import { isInside } from '@turnwire/machine';
import { knownSessions, shortIds } from '../../store/known-sessions.ts';
import { agentTitle } from '../../store/session-record.ts';

/** The maximum number of sessions on the page. */
const most = 100;

/** The sessions of chats, of `exec` and of named sessions in these folders, last used first. The page lists them with the command that continues each in a terminal. */
export async function terminalSessions(roots: readonly string[]): Promise<readonly SessionElsewhere[]> {
  const known = await knownSessions();
  const ids = shortIds(known);
  return known
    .filter(({ isServed, cwd }) => !isServed && roots.some((root) => isInside(root, cwd)))
    .slice(0, most)
    .map((session) => ({
      title: session.name ?? session.words,
      agent: agentTitle(session.agent),
      cwd: session.cwd,
      updatedAt: session.lastUsedAt,
      command: `turnwire --resume ${ids.get(session)}`,
    }));
}
