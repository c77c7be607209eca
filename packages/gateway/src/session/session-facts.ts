import type { McpServer, SessionConfigOption, SessionModeState } from '@turnwire/protocol';

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
  /** A client has prompted. One without a prompt is not worth keeping. */
  readonly isPrompted?: true;
  /** When the agent last created or loaded it, in milliseconds since 1970. */
  readonly setUpAt?: number;
}
