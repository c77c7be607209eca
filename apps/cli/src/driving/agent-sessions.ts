import { denyAll } from '@turnwire/client';
import { warn } from '../failure.ts';
import type { GlobalOptions } from '../options.ts';
import type { KnownSession } from '../store/known-sessions.ts';
import { sessionKey } from '../store/recent-session.ts';
import { agentChoice } from './agent-command.ts';
import { openAgent } from './open-agent.ts';

/**
 * Lists the sessions of the agent, including those of other clients such as editors. If that fails, warns and resolves with an empty list.
 * @param cwd lists only the sessions of this folder. Undefined: of all folders
 */
export async function agentSessions(
  cwd: string | undefined,
  options: GlobalOptions,
  most: number,
): Promise<readonly KnownSession[]> {
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
      if (sessions.length >= most) break;
    }
    return sessions;
  } catch (error) {
    warn(`only sessions stored here are listed: ${(error as Error).message}`);
    return [];
  }
}

/** Adds the sessions that an agent lists. A session that is known here keeps its data. */
export function withListed(known: readonly KnownSession[], listed: readonly KnownSession[]): readonly KnownSession[] {
  const keys = new Set(known.map((session) => sessionKey(session)));
  const others = listed.filter((session) => !keys.has(sessionKey(session)));
  return [...known, ...others].toSorted((one, other) => other.lastUsedAt - one.lastUsedAt);
}
