import type {
  AgentCapabilities,
  AuthMethod,
  Closed,
  Extensions,
  Implementation,
  McpServer,
  Peer,
  PeerOptions,
  SessionInfo,
  TransportWarning,
} from '@turnwire/protocol';
import type { Host } from '../host/host.ts';
import type { PermissionPolicy } from '../permission/permission-policy.ts';
import type { PermissionListener } from '../session/permission-broker.ts';
import type { MessageLoss } from '../session/message-loss.ts';
import type { Session, UpdateListener } from '../session/session.ts';
import type { Turn } from '../session/turn.ts';
import type { HostGate } from '../host/host-gate.ts';
import type { LoginResult, TerminalLogin } from './login.ts';
import type { ListSessionsOptions, SessionList } from './session-list.ts';
import type { FrameTap } from './tap.ts';

/** How a process ended: one of the two is set. */
export interface ProcessExit {
  readonly code: number | null;
  readonly signal: string | null;
}

/** How the connection to an agent ended, and its process if there was one. */
export interface AgentEnd extends Closed {
  /** How the process ended. Absent without a process, and for one that not even SIGKILL ended. */
  readonly exit?: ProcessExit;
  /** The last 64 KiB the process printed on stderr. Absent without a process. */
  readonly stderr?: string;
}

/** What a new session is made with (protocol: Session Setup). */
export interface NewSessionOptions {
  /** The folder to work in: an absolute path. */
  readonly cwd: string;
  /**
   * More folders to work in: absolute paths, always the whole list. Repetitions and `cwd` itself are left out. Default: none. Needs the
   * capability `sessionCapabilities.additionalDirectories`; without it the set-up rejects with `not-advertised`.
   */
  readonly additionalDirectories?: readonly string[] | undefined;
  /** MCP servers the agent connects to. Default: none. Those of type `http` and `sse` need a capability. */
  readonly mcpServers?: readonly McpServer[] | undefined;
  /** Keys for `_meta` of the set-up, for what some agents understand beyond the protocol, such as `systemPrompt`. Default: none. */
  readonly meta?: Readonly<Record<string, unknown>> | undefined;
  /** Sees every update of the session. Session state, such as {@link Session.modes}, has taken it in before. */
  readonly onUpdate?: UpdateListener | undefined;
  /** Sees every permission request and how it ended: one `permission-answered` for each `permission-asked`. */
  readonly onPermission?: PermissionListener | undefined;
  /**
   * Called when a message of the agent was too long to be read (64 MiB over stdio). It may have been of another session of the same
   * agent. The turn that runs continues, and rejects with `limit-exceeded` when the agent has answered. Must not throw.
   */
  readonly onMessageLost?: ((loss: MessageLoss) => void) | undefined;
  /** Overrules {@link Timeouts.silence} for this session. */
  readonly silence?: number | undefined;
  /**
   * Called when a turn has been silent for that long: nothing came from the agent, and nothing it asked waits for an answer of ours. Given
   * since when, in milliseconds since the epoch; called with undefined once something is heard again. The turn continues.
   */
  readonly onSilence?: ((turn: Turn, silentSince: number | undefined) => void) | undefined;
  /** Aborts the set-up. */
  readonly signal?: AbortSignal | undefined;
}

/** What a stored session is opened with: everything is given anew, for agents restore no folders and servers by themselves. */
export interface StoredSessionOptions extends NewSessionOptions {
  readonly sessionId: string;
}

/** An agent that answered `initialize`. What it does not offer is absent. */
export interface Agent extends AsyncDisposable {
  /** What it says it is called. */
  readonly info: Implementation | undefined;
  readonly capabilities: AgentCapabilities;
  /** The ways to log in; empty if none is needed. */
  readonly authMethods: readonly AuthMethod[];
  /** The connection itself, for what has no method here, such as extensions. */
  readonly peer: Peer<'client'>;
  /** Rejects with ProtocolError (code `authenticationRequired` if a login is needed first), `timeout`, `not-advertised` or `connection-closed`. */
  newSession(options: NewSessionOptions): Promise<Session>;
  /**
   * Opens a stored session and has its history told again: `onUpdate` hears it with `isReplay` before this resolves. Some agents answer
   * first and tell then; what comes after the answer is no replay. Rejects as {@link Agent.newSession} does.
   */
  readonly loadSession?: (options: StoredSessionOptions) => Promise<Session>;
  /** Opens a stored session without having its history told. Rejects as {@link Agent.newSession} does. */
  readonly resumeSession?: (options: StoredSessionOptions) => Promise<Session>;
  /** The sessions the agent keeps, fetched page by page while they are iterated. */
  readonly listSessions?: (options?: ListSessionsOptions) => SessionList;
  /** Takes a session out of the list for good. Most agents do not mind if there is none. */
  readonly deleteSession?: (sessionId: SessionInfo['sessionId']) => Promise<void>;
  /**
   * Logs in by one of {@link Agent.authMethods}: the agent does it itself, or {@link AgentOptions.terminalLogin} runs it at a terminal.
   * Rejects with ProtocolError (the agent refused), or TurnwireError: `not-advertised` (there is no such method), `cancelled` (the
   * login at the terminal was not completed), `timeout`.
   */
  authenticate(methodId: string): Promise<LoginResult>;
  /** Logs out. Sessions that are open may then want a login again. */
  readonly logout?: () => Promise<void>;
  /** Resolves when the connection is over and the agent's processes are gone; never rejects. */
  readonly closed: Promise<AgentEnd>;
  /** Ends the connection and then the process with all it started: end of stdin, SIGTERM, SIGKILL. May be called again. */
  close(): Promise<AgentEnd>;
}

/** How long to wait for an agent, in milliseconds. What takes longer rejects with `timeout`; a late answer is ignored. */
export interface Timeouts {
  /** For the answer to `initialize`. Default 30,000. */
  readonly initialize: number;
  /** For the answer to `authenticate`: the agent may wait for a user at a browser. Default 600,000. */
  readonly authenticate: number;
  /** For the answer to `logout`. Default 30,000. */
  readonly logout: number;
  /** For the answer to `session/new`, which may start MCP servers. Default 120,000. */
  readonly newSession: number;
  /** For the answer to `session/load`, which comes after the whole history. Default 300,000. */
  readonly loadSession: number;
  /** For the answer to `session/resume`. Default 120,000. */
  readonly resumeSession: number;
  /** For a page of the session list. Default 30,000. */
  readonly listSessions: number;
  /** For the answer to `session/delete`. Default 30,000. */
  readonly deleteSession: number;
  /** For the answer to `session/close`. Default 10,000. */
  readonly closeSession: number;
  /** For a mode or a configuration option to be set. Default 30,000. */
  readonly set: number;
  /** For a cancelled turn to end. Default 10,000. */
  readonly cancel: number;
  /** For a sign of life in a turn, before {@link NewSessionOptions.onSilence} is called. Default Infinity: a turn has no limit. */
  readonly silence: number;
  /** For the process to leave after its stdin was closed, before it is signalled. Default 2,000. */
  readonly exit: number;
}

export const defaultTimeouts: Timeouts = {
  initialize: 30_000,
  authenticate: 600_000,
  logout: 30_000,
  newSession: 120_000,
  loadSession: 300_000,
  resumeSession: 120_000,
  listSessions: 30_000,
  deleteSession: 30_000,
  closeSession: 10_000,
  set: 30_000,
  cancel: 10_000,
  silence: Infinity,
  exit: 2_000,
};

/** How to treat an agent, however it is reached. Everything has a default. */
export interface AgentOptions {
  /** What to tell the agent about the program that drives it. Default: this library. */
  readonly clientInfo?: Implementation | undefined;
  /** Decides what the agent asks permission for. Default: reject everything. */
  readonly permission?: PermissionPolicy | undefined;
  /** What the agent may use of this side: files, terminals, questions to the user. Exactly what is here is advertised. Default: nothing. */
  readonly host?: Host | undefined;
  /** Asked before the agent uses a file or starts a terminal of the host. Default: it may. */
  readonly hostGate?: HostGate | undefined;
  /**
   * Handles messages beyond the protocol: methods whose names start with an underscore, and by `*` every other that nothing here
   * handles. Calls of that kind go out by {@link Agent.peer}, and by its `raw`. Default: none; such requests are refused with -32601.
   */
  readonly extensions?: Extensions<'client'> | undefined;
  /** Keys for `_meta` of the client's capabilities, such as `terminal_output`, which some agents look for. Default: none. */
  readonly clientMeta?: Readonly<Record<string, unknown>> | undefined;
  /**
   * Keys for `_meta` of a prompt, asked for when it is sent: what this agent, by its `capabilities._meta`, understands beside the
   * protocol. Default: none.
   */
  readonly promptMeta?: ((agent: Agent) => Readonly<Record<string, unknown>> | undefined) | undefined;
  /** Runs the agent's own program in an interactive terminal, for logins that need one. Offered to the agent only if given. */
  readonly terminalLogin?: TerminalLogin | undefined;
  /**
   * Called when the agent wants a login first. Resolves with one of the ids in {@link Agent.authMethods}, which is then used and the call
   * made once more; with nothing, and the call rejects as it would have. Default: nothing. Calls that meet it together share one login.
   */
  readonly onLoginNeeded?: ((agent: Agent) => Promise<string | undefined> | string | undefined) | undefined;
  readonly timeouts?: Partial<Timeouts> | undefined;
  /** Sees every frame, both ways. */
  readonly tap?: FrameTap | undefined;
  /** Hears what came on the wire and is no frame, such as a log line on an agent's stdout. Must not throw. Default: it is ignored. */
  readonly onWarning?: ((report: TransportWarning) => void) | undefined;
  /** Dialect, limits and log of the connection. */
  readonly peer?: Pick<PeerOptions, 'dialect' | 'limits' | 'log' | 'freeze'> | undefined;
  /** Aborts the start. Once the agent is there, use {@link Agent.close}. */
  readonly signal?: AbortSignal | undefined;
}
