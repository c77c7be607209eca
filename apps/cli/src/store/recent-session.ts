import { createHash } from 'node:crypto';
import type { ProcessIdentity } from '@turnwire/machine';
import { type AgentChoice, agentKey } from './session-record.ts';

/** A session that somebody prompted in a chat or with `exec`. It is stored by its agent; this is what a list shows of it. */
export interface RecentSession {
  readonly agent: AgentChoice;
  /** The agent's id of it. */
  readonly sessionId: string;
  readonly cwd: string;
  /** Its title, or the beginning of its first prompt: one line. */
  readonly words: string;
  /** How many prompts it was sent from here. Absent: it was begun elsewhere, so that is not known. */
  readonly turns?: number;
  /** Milliseconds since 1970. */
  readonly lastUsedAt: number;
  /** What it was last used by. */
  readonly usedBy: 'chat' | 'exec';
  /** Its last turn has not ended: the process that runs it, or that it failed. */
  readonly openTurn?: ProcessIdentity | 'failed';
  /** Whether its agent said what it costs. */
  readonly reportsCost?: true;
  /** The mode and the options that were chosen in it: option ids with their values. */
  readonly modeId?: string;
  readonly options?: Readonly<Record<string, string | boolean>>;
}

/**
 * The id of a session of any agent, in hexadecimal digits: what commands accept and print a beginning of. It is made of what is known
 * wherever the session is, so that nothing has to be stored for it.
 */
export function sessionKey({ agent, sessionId }: Pick<RecentSession, 'agent' | 'sessionId'>): string {
  return createHash('sha256')
    .update(`${agentKey(agent)}\0${sessionId}`)
    .digest('hex')
    .slice(0, 16);
}
