import {
  type AgentCapabilities,
  TurnwireError,
  type AuthMethod,
  connectClient,
  type EditionTypes,
  type Implementation,
  type Peer,
  protocolVersion,
  type Transport,
  type V1,
  v1,
} from '@turnwire/protocol';
import { denyAll } from '../permission/permission-policy.ts';
import type { Session } from '../session/session.ts';
import type { NewSessionOptions } from '../session/session-options.ts';
import { defaultTimeouts, type Timeouts } from '../session/timeouts.ts';
import { type Agent, type AgentEnd, type AgentOptions, type ProcessExit } from './agent.ts';
import { clientCapabilities } from './client-capabilities.ts';
import { asVersionMismatch } from './version-mismatch.ts';
import { PeerConnection } from '../session/connection.ts';
import { AgentHandlers } from './agent-handlers.ts';
import { findMethod, isTerminalMethod, logInAtTerminal, type LoginResult, SharedLogin } from './login.ts';
import { type ListSessionsOptions, type SessionList, sessionList } from './session-list.ts';
import { Sessions, type SessionsParts } from './sessions.ts';
import { TappedTransport } from './tap.ts';

/** Clean-up after the connection of an agent has ended. */
export type CleanUp = () => Promise<{ readonly exit?: ProcessExit; readonly stderr?: string }>;

const ownName: Implementation = { name: '@turnwire/client', title: 'Turnwire', version: '0.1.0' };

/**
 * Connects to an agent over any transport: in the same process, in a test, behind a socket. Rejects as `initialize` does: ProtocolError, or
 * TurnwireError `timeout`, `connection-closed`, `version-mismatch`, `cancelled`.
 */
export async function attachAgent<E extends EditionTypes = V1>(
  transport: Transport,
  options: AgentOptions<E> = {},
): Promise<Agent<E>> {
  try {
    return await initialized(options, (stable) => new ConnectedAgent(transport, stable));
  } catch (error) {
    throw error instanceof TurnwireError && error.code === 'timeout' ? unanswered(error) : error;
  }
}

function unanswered(cause: TurnwireError): TurnwireError {
  const advice = 'check that the other end is an agent that speaks the Agent Client Protocol';
  return new TurnwireError('timeout', `${cause.message}; ${advice}`, { cause });
}

/** Connects to an agent and initializes it; closes it if that fails. */
export async function initialized<E extends EditionTypes>(
  options: AgentOptions<E>,
  connect: (options: AgentOptions) => ConnectedAgent,
): Promise<Agent<E>> {
  // Only the caller needs the edition's types; methods that it adds are found by name.
  const stable = options as unknown as AgentOptions;
  const agent = connect(stable);
  try {
    await agent.initialize(stable);
    return agent as unknown as Agent<E>;
  } catch (error) {
    await agent.close();
    throw error;
  }
}

/** The client's side of a connection to an agent. */
export class ConnectedAgent implements Agent {
  readonly peer: Peer<'client'>;
  readonly closed: Promise<AgentEnd>;
  declare readonly loadSession?: NonNullable<Agent['loadSession']>;
  declare readonly resumeSession?: NonNullable<Agent['resumeSession']>;
  declare readonly listSessions?: NonNullable<Agent['listSessions']>;
  declare readonly deleteSession?: NonNullable<Agent['deleteSession']>;
  declare readonly logout?: NonNullable<Agent['logout']>;
  readonly #connection: PeerConnection;
  readonly #sessions: Sessions;
  readonly #options: AgentOptions;
  readonly #timeouts: Timeouts;
  readonly #cleanUp: CleanUp;

  constructor(transport: Transport, options: AgentOptions, cleanUp: CleanUp = () => Promise.resolve({})) {
    const { tap, peer, through, extensions, edition = v1, versions = connectClient } = options;
    // Options that only concern the start are not kept.
    this.#options = { ...options, signal: undefined };
    this.#timeouts = options.timeouts === undefined ? defaultTimeouts : { ...defaultTimeouts, ...options.timeouts };
    this.#cleanUp = cleanUp;
    this.#connection = new PeerConnection();
    this.#sessions = new Sessions(this.#sessionsParts());
    const handlers = new AgentHandlers(this.#sessions, options);
    const wire = new TappedTransport(transport, { tap, warnings: handlers });
    const own = { edition, lookup: handlers, extensions };
    this.peer = versions(through?.(wire) ?? wire, handlers.table, { ...peer, ...own });
    this.#connection.peer = this.peer;
    this.closed = this.peer.closed.then(async (closed) => {
      const [rest] = await Promise.all([cleanUp(), this.#sessions.end()]);
      return { ...closed, ...rest };
    });
  }

  get version(): number {
    return this.peer.version ?? protocolVersion;
  }

  get info(): Implementation | undefined {
    return this.peer.remote?.agentInfo ?? undefined;
  }

  get capabilities(): AgentCapabilities {
    return this.peer.remote?.agentCapabilities ?? {};
  }

  get authMethods(): readonly AuthMethod[] {
    return this.peer.remote?.authMethods ?? [];
  }

  async initialize(options: AgentOptions): Promise<void> {
    const { clientInfo = ownName, signal } = options;
    const introduction = { protocolVersion, clientCapabilities: clientCapabilities(options), clientInfo };
    await this.#connection
      .request('initialize', introduction, { timeout: this.#timeouts.initialize, signal })
      .catch((error: unknown) => {
        throw asVersionMismatch(error);
      });
    const { loadSession, sessionCapabilities = {}, auth } = this.capabilities;
    const sessions = this.#sessions;
    const offered: Partial<Agent> = {
      ...(loadSession === true && { loadSession: (stored) => sessions.load(stored) }),
      ...(isMarked(sessionCapabilities.resume) && { resumeSession: (stored) => sessions.resume(stored) }),
      ...(isMarked(sessionCapabilities.list) && { listSessions: (listed) => this.#list(listed) }),
      ...(isMarked(sessionCapabilities.delete) && { deleteSession: (id) => this.#delete(id) }),
      ...(isMarked(auth?.logout) && { logout: () => this.#logOut() }),
    };
    Object.assign(this, offered);
  }

  newSession(options: NewSessionOptions): Promise<Session> {
    return this.#sessions.create(options);
  }

  async authenticate(methodId: string): Promise<LoginResult> {
    const method = findMethod(this.authMethods, methodId);
    if (isTerminalMethod(method)) return logInAtTerminal(method, this.#options.terminalLogin);
    await this.#connection.request('authenticate', { methodId }, { timeout: this.#timeouts.authenticate });
    return { needsRestart: false };
  }

  close(): Promise<AgentEnd> {
    // An agent that no longer reads can block the wire indefinitely, so the end of the process does not wait for it.
    void this.peer.close();
    void this.#cleanUp();
    return this.closed;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  #sessionsParts(): SessionsParts {
    const {
      permission = denyAll,
      host,
      peer,
      promptMeta,
      versions,
      childSessions: work = versions?.childSessions,
    } = this.#options;
    return {
      connection: this.#connection,
      timeouts: this.#timeouts,
      permission,
      work,
      log: peer?.log,
      login: new SharedLogin(() => this.#logIn()).retrying,
      promptMeta: () => promptMeta?.(this),
      canClose: () => isMarked(this.capabilities.sessionCapabilities?.close),
      realPath: host?.files?.realPath ?? host?.terminals?.realPath,
      release: async (sessionId) => host?.terminals?.releaseAll(sessionId),
    };
  }

  #list(options: ListSessionsOptions = {}): SessionList {
    return sessionList(this.#connection, options, this.#timeouts.listSessions);
  }

  async #delete(sessionId: string): Promise<void> {
    await this.#connection.request('session/delete', { sessionId }, { timeout: this.#timeouts.deleteSession });
  }

  async #logOut(): Promise<void> {
    await this.#connection.request('logout', {}, { timeout: this.#timeouts.logout });
  }

  async #logIn(): Promise<LoginResult | undefined> {
    const methodId = await this.#options.onLoginNeeded?.(this);
    return methodId === undefined ? undefined : this.authenticate(methodId);
  }
}

/** Whether a capability is present. Markers are objects; absent and `null` mean that the capability is missing. */
function isMarked(marker: object | null | undefined): boolean {
  return marker !== undefined && marker !== null;
}
