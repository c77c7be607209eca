import type {
  AgentCapabilities,
  AuthMethod,
  Closed,
  Extensions,
  Implementation,
  Peer,
  PeerOptions,
  SessionInfo,
  TransportWarning,
} from '@turnwire/protocol';
import type { Host } from '../host/host.ts';
import type { PermissionPolicy } from '../permission/permission-policy.ts';
import type { HostGate } from '../host/host-gate.ts';
import type { Session } from '../session/session.ts';
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
  /** How the process ended. Absent without a process, and for one that not even SIGKILL ended. */
  readonly exit?: ProcessExit;
  /** The last 64 KiB the process printed on stderr. Absent without a process. */
  readonly stderr?: string;
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
