import { createHash } from 'node:crypto';
import type { ProcessIdentity } from '@turnwire/machine';
import { type AgentChoice, agentKey } from './session-record.ts';

/** A session that was prompted in a chat or with `exec`. The agent stores the session; these are the facts for lists. */
export interface RecentSession {
  readonly agent: AgentChoice;
  /** The agent's id of the session. */
  readonly sessionId: string;
  readonly cwd: string;
  /** One line: its title, or the beginning of its first prompt. */
  readonly words: string;
  /** The number of prompts sent from here. Absent if another client created the session, because then the number is unknown. */
  readonly turns?: number;
  /** Milliseconds since 1970. */
  readonly lastUsedAt: number;
  /** The command that used it last. */
  readonly usedBy: 'chat' | 'exec';
  /** Set if the last turn has not ended: the process that runs it, or `failed`. */
  readonly openTurn?: ProcessIdentity | 'failed';
  /** Whether its agent reports costs. */
  readonly reportsCost?: true;
  /** The mode and the options that the user chose, by option id. */
  readonly modeId?: string;
  readonly options?: Readonly<Record<string, string | boolean>>;
}

/**
 * The id of a session of any agent, in hexadecimal digits. Commands print and accept a prefix of it. It is a hash of the agent and the
 * agent's session id, which are always known, so it need not be stored.
 */
export function sessionKey({ agent, sessionId }: Pick<RecentSession, 'agent' | 'sessionId'>): string {
  return createHash('sha256')
    .update(`${agentKey(agent)}\0${sessionId}`)
    .digest('hex')
    .slice(0, 16);
}
