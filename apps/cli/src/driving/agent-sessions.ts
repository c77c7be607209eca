import { denyAll } from '@turnwire/client';
import { warn } from '../failure.ts';
import type { GlobalOptions } from '../options.ts';
import type { KnownSession } from '../store/known-sessions.ts';
import { sessionKey } from '../store/recent-session.ts';
import { agentChoice } from './agent-command.ts';
import { openAgent } from './open-agent.ts';

/**
 * The sessions that the agent lists, of clients of all kinds, such as editors: a few pages of them. None if it cannot, or cannot be started,
 * which is said.
 * @param cwd only those of this folder. Undefined: of all
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
    warn(`only what is known here is listed: ${(error as Error).message}`);
    return [];
  }
}

/** What an agent lists goes behind what is known of the same session here. */
export function withListed(known: readonly KnownSession[], listed: readonly KnownSession[]): readonly KnownSession[] {
  const keys = new Set(known.map((session) => sessionKey(session)));
  const others = listed.filter((session) => !keys.has(sessionKey(session)));
  return [...known, ...others].toSorted((one, other) => other.lastUsedAt - one.lastUsedAt);
}
