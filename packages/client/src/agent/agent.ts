import type {
  AddedHandlers,
  AuthMethod,
  Closed,
  DefinitionOf,
  Edition,
  EditionTypes,
  Handlers,
  Implementation,
  Peer,
  PeerOptions,
  SessionInfo,
  Transport,
  TransportWarning,
  V1,
} from '@turnwire/protocol';
import type { Host } from '../host/host.ts';
import type { PermissionPolicy } from '../permission/permission-policy.ts';
import type { HostGate } from '../host/host-gate.ts';
import type { Session } from '../session/session.ts';
import type { SessionWork } from '../session/session-work.ts';
import type { NewSessionOptions, StoredSessionOptions } from '../session/session-options.ts';
import type { Timeouts } from '../session/timeouts.ts';
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
  /** How the process ended. Absent without a process, and for one that even SIGKILL did not end. */
  readonly exit?: ProcessExit;
  /** The last 64 KiB of the process's stderr. Absent without a process. */
  readonly stderr?: string;
}

/**
 * An agent that has answered `initialize`. Methods that it does not offer are absent. `E` is the compile-time type of the connection's
 * edition.
 */
export interface Agent<E extends EditionTypes = V1> extends AsyncDisposable {
  /** The agreed version of the protocol: 1, or one that {@link AgentOptions.versions} offers. */
  readonly version: number;
  /** The name and version it reports. */
  readonly info: Implementation | undefined;
  readonly capabilities: DefinitionOf<'AgentCapabilities', E>;
  /** The login methods; empty if no login is needed. */
  readonly authMethods: readonly AuthMethod[];
  /** The connection itself, for methods that are not here, such as extensions and those that its edition adds. */
  readonly peer: Peer<'client', E>;
  /**
   * Creates a session. Rejects with ProtocolError (code `authenticationRequired` if a login is needed first), `timeout`, `not-advertised`
   * or `connection-closed`.
   */
  newSession(options: NewSessionOptions): Promise<Session>;
  /**
   * Opens a stored session and replays its history: `onUpdate` receives it with `isReplay` before this resolves. Some agents answer before
   * they replay; updates after the answer do not count as replay. Rejects as {@link Agent.newSession} does.
   */
  readonly loadSession?: (options: StoredSessionOptions) => Promise<Session>;
  /** Opens a stored session without replaying its history. Rejects as {@link Agent.newSession} does. */
  readonly resumeSession?: (options: StoredSessionOptions) => Promise<Session>;
  /** The sessions stored by the agent, fetched page by page during iteration. */
  readonly listSessions?: (options?: ListSessionsOptions) => SessionList;
  /** Deletes a session from the list permanently. Most agents ignore an unknown one. */
  readonly deleteSession?: (sessionId: SessionInfo['sessionId']) => Promise<void>;
  /**
   * Logs in with one of {@link Agent.authMethods}: the agent does it itself, or {@link AgentOptions.terminalLogin} runs it in a terminal.
   * Rejects with ProtocolError (the agent refused), or TurnwireError: `not-advertised` (unknown method), `cancelled` (the login in the
   * terminal was not completed), `timeout`.
   */
  authenticate(methodId: string): Promise<LoginResult>;
  /** Logs out. Open sessions may then require a login again. */
  readonly logout?: () => Promise<void>;
  /** Resolves when the connection and the agent's processes have ended; never rejects. */
  readonly closed: Promise<AgentEnd>;
  /** Ends the connection and then the whole process tree: end of stdin, SIGTERM, SIGKILL. May be called again. */
  close(): Promise<AgentEnd>;
}

/** Options of a connection, and handlers for messages beyond the protocol. */
interface ConnectOptions extends PeerOptions {
  readonly extensions: AgentOptions['extensions'];
}

/** Makes a connection that is used in version 1 of the protocol. */
export interface Connect {
  (transport: Transport, handlers: Handlers<'client'>, options: ConnectOptions): Peer<'client'>;
  /** The default of {@link AgentOptions.childSessions}. */
  readonly childSessions?: () => SessionWork;
}

/** Options for an agent over any transport. All have defaults. */
export interface AgentOptions<E extends EditionTypes = V1> {
  /** Name and version of this client, for the agent. Default: this library. */
  readonly clientInfo?: Implementation | undefined;
  /** Decides permission requests. Default: reject all. */
  readonly permission?: PermissionPolicy | undefined;
  /** The services for the agent on this side: files, terminals, questions to the user. Exactly these are advertised. Default: none. */
  readonly host?: Host | undefined;
  /** Called before the agent uses a file or starts a terminal of the host. Default: everything is allowed. */
  readonly hostGate?: HostGate | undefined;
  /**
   * The edition of the protocol on the connection. Default: the stable methods of version 1. With `v1Unstable` of
   * `@turnwire/protocol/unstable` the unstable methods of the agent are called with {@link Agent.peer}; check its capabilities first.
   */
  readonly edition?: Edition<E> | undefined;
  /**
   * The versions to offer: `protocolVersions([1, 2])` or `protocolVersions([2])` of `@turnwire/client/v2`. Default: only version 1. With
   * version 2, {@link Agent.peer} still takes the calls of version 1, and its `raw` those of version 2.
   */
  readonly versions?: Connect | undefined;
  /**
   * `childSessions` of `@turnwire/client/extensions`: the client receives the updates and permission requests of sessions that the agent
   * starts for parts of the work. Default: the client ignores them, and does not offer them to agents of version 1.
   */
  readonly childSessions?: (() => SessionWork) | undefined;
  /**
   * Handles messages beyond the stable methods: those that the {@link edition} adds, methods whose names start with an underscore, and
   * under `*` all others without a handler. Send such calls with {@link Agent.peer}, and its `raw`. Default: none; such requests are
   * refused with -32601.
   */
  readonly extensions?: AddedHandlers<'client', NoInfer<E>> | undefined;
  /** Capabilities besides those that follow from the options. Each is advertised unchanged. Default: none. */
  readonly capabilities?: DefinitionOf<'ClientCapabilities', NoInfer<E>> | undefined;
  /** Keys for `_meta` of the client's capabilities, such as `terminal_output`, which some agents look for. Default: none. */
  readonly clientMeta?: Readonly<Record<string, unknown>> | undefined;
  /**
   * Returns keys for `_meta` of a prompt when it is sent: extensions that this agent supports, according to its `capabilities._meta`.
   * Default: none.
   */
  readonly promptMeta?: ((agent: Agent) => Readonly<Record<string, unknown>> | undefined) | undefined;
  /**
   * Runs the agent's own program in an interactive terminal, for logins that need one. Such logins are offered to the agent only if this is
   * given.
   */
  readonly terminalLogin?: TerminalLogin | undefined;
  /**
   * Called when the agent requires a login. Resolves with one of the ids in {@link Agent.authMethods}, which is then used and the call
   * repeated; or with undefined, and the call rejects. Default: undefined. Concurrent calls share one login.
   */
  readonly onLoginNeeded?: ((agent: Agent) => Promise<string | undefined> | string | undefined) | undefined;
  readonly timeouts?: Partial<Timeouts> | undefined;
  /** Receives every frame, in both directions. */
  readonly tap?: FrameTap | undefined;
  /** Wraps the connection inside {@link AgentOptions.tap}, for a program that changes frames in transit. */
  readonly through?: ((transport: Transport) => Transport) | undefined;
  /** Receives data on the wire that is not a frame, such as a log line on an agent's stdout. Must not throw. Default: it is ignored. */
  readonly onWarning?: ((report: TransportWarning) => void) | undefined;
  /** Dialect, limits and log of the connection, and how it stores the data of `initialize`. */
  readonly peer?: Pick<PeerOptions, 'dialect' | 'limits' | 'log' | 'freeze' | 'keep'> | undefined;
  /** Aborts the start. Once the agent is running, use {@link Agent.close}. */
  readonly signal?: AbortSignal | undefined;
}
