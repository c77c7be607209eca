import { exitCodes } from '../../exit-codes.ts';
import type { GlobalOptions } from '../../options.ts';
import { agentTitle } from '../../store/session-record.ts';
import { report } from '../report.ts';
import { existingSession } from '../located-session.ts';

/** Prints all stored facts about a session except its history. Resolves with the exit code. */
export async function showSession(name: string | undefined, options: GlobalOptions): Promise<number> {
  await using located = await existingSession(options, name);
  const { sessions, record } = located;
  const history = sessions.database;
  const lastTurn = await sessions.lastTurn(record.id);
  report(options, { ...record, ...(lastTurn && { lastTurn }), history }, () => {
    const { id, sessionId, agent, cwd, createdAt, lastUsedAt, lastPromptAt, closedAt, modeId, canLoad, contextLostAt } =
      record;
    const rows = {
      id,
      sessionId,
      agent: agentTitle(agent),
      cwd,
      name: record.name,
      created: createdAt,
      lastActivity: lastUsedAt,
      lastPrompt: lastPromptAt,
      lastTurn: lastTurn === 'interrupted' ? 'interrupted: its answer may be incomplete' : lastTurn,
      closed: closedAt ?? 'no',
      mode: modeId,
      canBeLoaded: canLoad === undefined ? undefined : canLoad ? 'yes' : 'no',
      contextLost: contextLostAt,
      history,
    };
    return options.format === 'quiet'
      ? id
      : Object.entries(rows)
          .map(([key, value]) => `${key}: ${value ?? '-'}`)
          .join('\n');
  });
  return exitCodes.ok;
}
