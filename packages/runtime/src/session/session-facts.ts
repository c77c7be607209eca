import type { Implementation, McpServer, SessionConfigOption, SessionModeState } from '@turnwire/protocol';

/** What is stored of a session so that it can go on in another process: the facts of its record. */
export interface SessionFacts {
  /** The id that the agent gave the session. Absent: the agent never had it. */
  readonly agentSessionId?: string;
  readonly mcpServers?: readonly McpServer[];
  /** `_meta` of the set-up. */
  readonly meta?: Readonly<Record<string, unknown>>;
  /** The settings as the agent last gave them, for clients that come before it runs again. */
  readonly modes?: SessionModeState | null;
  readonly configOptions?: readonly SessionConfigOption[] | null;
  /** The settings that a client chose. */
  readonly modeId?: string;
  readonly options?: Readonly<Record<string, string | boolean>>;
  /** The agent as it last introduced itself, and whether it can restore a session. */
  readonly agentInfo?: Implementation;
  readonly canRestore?: boolean;
  /** When the agent last lost the context, in milliseconds since 1970. */
  readonly contextLostAt?: number;
  /** It is restored by the agent or fails, and never begun anew. */
  readonly mustRestore?: true;
  /** It is kept although no client has prompted yet. */
  readonly isKept?: true;
  /** A client has prompted. One without a prompt is not worth keeping. */
  readonly isPrompted?: true;
  /** Its last turn broke off in a process of before, which its agent need not know: clients see a warning once the agent has the session back. */
  readonly wasInterrupted?: true;
  /** When the agent last created or loaded it, in milliseconds since 1970. */
  readonly setUpAt?: number;
}
