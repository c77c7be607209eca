import type { SessionElsewhere } from '@turnwire/gateway/endpoints';
import { isInside } from '@turnwire/machine';
import { knownSessions, shortIds } from '../../store/known-sessions.ts';
import { agentTitle } from '../../store/session-record.ts';

/** More are not listed on a page. */
const most = 100;

/** The sessions of chats, of `exec` and with names in some folders, the last used first, for the page: each is continued in a terminal. */
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
