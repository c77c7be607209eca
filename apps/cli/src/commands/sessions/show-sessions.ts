import { agentChoice } from '../../driving/agent-command.ts';
import { agentSessions, withListed } from '../../driving/agent-sessions.ts';
import { exitCodes } from '../../exit-codes.ts';
import { warn } from '../../failure.ts';
import type { GlobalOptions } from '../../options.ts';
import { ago } from '@turnwire/client/view';
import { printRows } from '../../output/print-rows.ts';
import { knownSessions, shortIds } from '../../store/known-sessions.ts';
import { agentKey, agentTitle } from '../../store/session-record.ts';

/** Which sessions to show. */
export interface ShowArguments {
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
  // The agent may be a long command.
  const cut = [head.indexOf('agent'), head.indexOf('folder')].filter((column) => column !== -1);
  if (rows.length > 0) printRows({ head, rows, cut });
  const others = found.length - chosen.length;
  if (chosen.length === 0) warn(`no session of ${filterCwd} was prompted yet`);
  if (chosen.length > mostRows) warn(`there are ${chosen.length - mostRows} more, which were used earlier`);
  if (others > 0) warn(`${others} of other folders: turnwire sessions list --all`);
  return exitCodes.ok;
}
