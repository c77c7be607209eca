import type { Budget } from '../usage/budgets.ts';
import type { UsageLimits, Implementation, McpServer, SessionConfigOption, SessionModeState } from '@turnwire/protocol';

interface RaisedLimits extends UsageLimits {
  readonly day?: string;
  readonly from?: UsageLimits;
}

/** The facts in the record of a session, with which another process continues it. */
export interface SessionFacts {
  /** The agent's id of the session. Absent: the agent never had the session. */
  readonly agentSessionId?: string;
  readonly mcpServers?: readonly McpServer[];
  /** `_meta` of `session/new`. */
  readonly meta?: Readonly<Record<string, unknown>>;
  /** The last settings of the agent, for clients that attach before it runs again. */
  readonly modes?: SessionModeState | null;
  readonly configOptions?: readonly SessionConfigOption[] | null;
  /** The settings that clients chose. */
  readonly modeId?: string;
  readonly options?: Readonly<Record<string, string | boolean>>;
  /** The last introduction of the agent, and whether it can restore a session. */
  readonly agentInfo?: Implementation;
  readonly canRestore?: boolean;
  /** When the agent last lost the context, in milliseconds since 1970. */
  readonly contextLostAt?: number;
  /** If the agent cannot restore the session, its start fails. Default: a new session begins. */
  readonly mustRestore?: true;
  /** Keeps a session without prompts. Default: it is deleted when it is closed. */
  readonly isKept?: true;
  /** A client has prompted. */
  readonly isPrompted?: true;
  /** The last turn was interrupted in an earlier process. Its agent may not know that, so clients see a warning once the agent has restored the session. */
  readonly wasInterrupted?: true;
  /** The limits that a user has raised for this session, and `from` which values; those of a day only for that day. */
  readonly raisedLimits?: Readonly<Partial<Record<Budget['per'], RaisedLimits>>>;
  /** When the agent last created or loaded it, in milliseconds since 1970. */
  readonly setUpAt?: number;
}
