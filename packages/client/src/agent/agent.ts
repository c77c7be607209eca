import type {
  AgentCapabilities,
  AuthMethod,
  Closed,
  Implementation,
  McpServer,
  Peer,
  PeerOptions,
} from '@agentwire/protocol';
import type { ProcessExit } from '../launch/agent-process.ts';
import type { PermissionPolicy } from '../permission/permission-policy.ts';
import type { Session, UpdateListener } from '../session/session.ts';
import type { FrameTap } from './tap.ts';

/** How the connection to an agent ended, and its process if there was one. */
export interface AgentEnd extends Closed {
  /** How the process ended. Absent without a process, and for one that not even SIGKILL ended. */
  readonly exit?: ProcessExit;
  /** The last 64 KiB the process printed on stderr. Absent without a process. */
  readonly stderr?: string;
}

/** What a new session is made with. */
export interface NewSessionOptions {
  /** The folder to work in: an absolute path. */
  readonly cwd: string;
  /** MCP servers the agent connects to. Default: none. */
  readonly mcpServers?: readonly McpServer[] | undefined;
  /** Sees every update of the session. */
  readonly onUpdate?: UpdateListener | undefined;
  /** Aborts the set-up. */
  readonly signal?: AbortSignal | undefined;
}

/** An agent that answered `initialize`. */
export interface Agent extends AsyncDisposable {
  /** What it says it is called. */
  readonly info: Implementation | undefined;
  readonly capabilities: AgentCapabilities;
  /** The ways to log in; empty if none is needed. */
  readonly authMethods: readonly AuthMethod[];
  /** The connection itself, for what has no method here, such as extensions. */
  readonly peer: Peer<'client'>;
  /** Rejects with ProtocolError (code `authenticationRequired` if a login is needed first), `timeout` or `connection-closed`. */
  newSession(options: NewSessionOptions): Promise<Session>;
  /** Resolves when the connection is over and the agent's processes are gone; never rejects. */
  readonly closed: Promise<AgentEnd>;
  /** Ends the connection and then the process with all it started: end of stdin, SIGTERM, SIGKILL. May be called again. */
  close(): Promise<AgentEnd>;
}

/** How long to wait for an agent, in milliseconds. */
export interface Timeouts {
  /** For the answer to `initialize`. Default 30,000. */
  readonly initialize: number;
  /** For the answer to `session/new`, which may start MCP servers. Default 120,000. */
  readonly newSession: number;
  /** For a cancelled turn to end. Default 10,000. */
  readonly cancel: number;
  /** For the process to leave after its stdin was closed, before it is signalled. Default 2,000. */
  readonly exit: number;
}

export const defaultTimeouts: Timeouts = { initialize: 30_000, newSession: 120_000, cancel: 10_000, exit: 2_000 };

/** How to treat an agent, however it is reached. Everything has a default. */
export interface AgentOptions {
  /** What to tell the agent about the program that drives it. Default: this library. */
  readonly clientInfo?: Implementation | undefined;
  /** Decides what the agent asks permission for. Default: reject everything. */
  readonly permission?: PermissionPolicy | undefined;
  readonly timeouts?: Partial<Timeouts> | undefined;
  /** Sees every frame, both ways. */
  readonly tap?: FrameTap | undefined;
  /** Dialect, limits and log of the connection. */
  readonly peer?: Pick<PeerOptions, 'dialect' | 'limits' | 'log' | 'freeze'> | undefined;
  /** Aborts the start. Once the agent is there, use {@link Agent.close}. */
  readonly signal?: AbortSignal | undefined;
}
