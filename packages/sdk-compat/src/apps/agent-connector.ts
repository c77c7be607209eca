import type { Stream } from '../streams/stream.ts';

/** Options of `connect` for programs that open connections for others. */
export interface AgentConnectOptions {
  /** Do not call the handlers of `onConnect`: `startConnectHandlers` of the connection does. */
  readonly deferConnectHandlers?: boolean;
}

/** The life of a connection. */
export interface AgentConnectionLifecycle {
  /** Resolves when the connection has ended. */
  readonly closed?: Promise<void>;
  /** Calls the handlers that `deferConnectHandlers` left out. */
  startConnectHandlers?(): void;
}

/** Anything that serves connections as an agent. */
export interface AgentConnector {
  /** Serves one connection. */
  connect(stream: Stream, options?: AgentConnectOptions): AgentConnectionLifecycle | unknown;
}
