import { denyAll } from '@turnwire/client';
import { agentChoice } from '../../driving/agent-command.ts';
import { openAgent } from '../../driving/open-agent.ts';
import { exitCodes } from '../../exit-codes.ts';
import { complain } from '../../failure.ts';
import type { GlobalOptions } from '../../options.ts';
import { ago } from '../../output/ago.ts';
import { printRows } from '../../output/print-rows.ts';
import { type KnownSession, knownSessions, shortIds } from '../../store/known-sessions.ts';
import { sessionKey } from '../../store/recent-session.ts';
import { agentKey, agentTitle } from '../../store/session-record.ts';

/** Which sessions to show. */
export interface ShowGiven {
  /** Those of all folders. */
  readonly all?: boolean | undefined;
  /** Without asking the agent. */
  readonly local?: boolean | undefined;
  /** Those of this folder. Default: the folder to work in. */
  readonly filterCwd?: string | undefined;
}

/** How many rows are shown. */
const mostRows = 50;

/** Shows the sessions that can be gone on with, for people to read. Resolves with the exit code. */
export async function showSessions(given: ShowGiven, options: GlobalOptions): Promise<number> {
  const { all = false, local = false, filterCwd = options.cwd } = given;
  const known = (await knownSessions()).filter(
    ({ agent }) => !options.isAgentNamed || agentKey(agent) === agentKey(agentChoice(options)),
  );
  const found = local ? known : merged(known, await ofAgent(all ? undefined : filterCwd, options));
  const chosen = all ? found : found.filter(({ cwd }) => cwd === filterCwd);
  const ids = shortIds(found);
  const head = ['id', 'used', 'turns', 'agent', ...(all ? ['folder'] : []), 'what'];
  const rows = chosen
    .slice(0, mostRows)
    .map((session) => [
      ids.get(session) ?? '',
      session.lastUsedAt === 0 ? '-' : ago(Date.now() - session.lastUsedAt),
      String(session.turns ?? '-'),
      agentTitle(session.agent),
      ...(all ? [session.cwd] : []),
      `${session.name === undefined ? '' : `${session.name}: `}${session.words || '-'}`,
    ]);
  if (rows.length > 0) printRows({ head, rows });
  const others = found.length - chosen.length;
  if (chosen.length === 0) complain(`no session of ${filterCwd} was prompted yet`);
  if (chosen.length > mostRows) complain(`there are ${chosen.length - mostRows} more, which were used earlier`);
  if (others > 0) complain(`${others} of other folders: turnwire sessions list --all`);
  return exitCodes.ok;
}

/** What the agent lists goes behind what is known of the same session here. */
function merged(known: readonly KnownSession[], listed: readonly KnownSession[]): readonly KnownSession[] {
  const keys = new Set(known.map((session) => sessionKey(session)));
  const others = listed.filter((session) => !keys.has(sessionKey(session)));
  return [...known, ...others].toSorted((one, other) => other.lastUsedAt - one.lastUsedAt);
}

/** The sessions that the agent lists, of clients of all kinds: a few pages of them. None if it cannot, or cannot be started. */
async function ofAgent(cwd: string | undefined, options: GlobalOptions): Promise<readonly KnownSession[]> {
  try {
    await using agent = await openAgent(options, { permission: denyAll });
    if (!agent.listSessions) return [];
    const choice = agentChoice(options);
    const sessions: KnownSession[] = [];
    for await (const { sessionId, title, updatedAt, ...listed } of agent.listSessions(
      cwd === undefined ? {} : { cwd },
    )) {
      const time = Date.parse(updatedAt ?? '');
      const lastUsedAt = Number.isNaN(time) ? 0 : time;
      sessions.push({ agent: choice, sessionId, cwd: listed.cwd, words: title ?? '', lastUsedAt });
      if (sessions.length >= mostRows) break;
    }
    return sessions;
  } catch (error) {
    complain(`only what is known here is listed: ${(error as Error).message}`);
    return [];
  }
}
