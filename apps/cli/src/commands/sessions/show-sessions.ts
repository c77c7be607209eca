import { agentChoice } from '../../driving/agent-command.ts';
import { agentSessions, withListed } from '../../driving/agent-sessions.ts';
import { exitCodes } from '../../exit-codes.ts';
import { warn } from '../../failure.ts';
import type { GlobalOptions } from '../../options.ts';
import { ago } from '@turnwire/client/view';
import { printRows } from '../../output/print-rows.ts';
import { knownSessions, shortIds } from '../../store/known-sessions.ts';
import { agentKey, agentTitle } from '../../store/session-record.ts';

/** The selection of sessions to show. */
export interface ShowArguments {
  /** Show the sessions of all folders. */
  readonly all?: boolean | undefined;
  /** Do not ask the agent for its own list. */
  readonly local?: boolean | undefined;
  /** Show the sessions of this folder. Default: the current folder. */
  readonly filterCwd?: string | undefined;
}

/** The maximum number of rows. */
const mostRows = 50;

/** Prints a table of the sessions that the user can continue. Resolves with the exit code. */
export async function showSessions(args: ShowArguments, options: GlobalOptions): Promise<number> {
  const { all = false, local = false, filterCwd = options.cwd } = args;
  const known = (await knownSessions()).filter(
    ({ agent }) => !options.isAgentNamed || agentKey(agent) === agentKey(agentChoice(options)),
  );
  const found = local ? known : withListed(known, await agentSessions(all ? undefined : filterCwd, options, mostRows));
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
  // The agent column may contain a long command.
  const cut = [head.indexOf('agent'), head.indexOf('folder')].filter((column) => column !== -1);
  if (rows.length > 0) printRows({ head, rows, cut });
  const others = found.length - chosen.length;
  if (chosen.length === 0) warn(`no session in ${filterCwd} has been prompted yet`);
  if (chosen.length > mostRows) warn(`not shown: ${countText(chosen.length - mostRows)} used earlier`);
  if (others > 0) warn(`${countText(others)} in other folders: turnwire sessions list --all`);
  return exitCodes.ok;
}

function countText(count: number): string {
  return `${count} ${count === 1 ? 'session' : 'sessions'}`;
}
