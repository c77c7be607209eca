import {
  type AgentCapabilities,
  type AuthMethod,
  connectClient,
  type Implementation,
  type Peer,
  protocolVersion,
  resourceNotFound,
  type Transport,
} from '@agentwire/protocol';
import type { ProcessExit } from '../launch/agent-process.ts';
import { denyAll } from '../permission/permission-policy.ts';
import { AgentSession, type Session } from '../session/session.ts';
import {
  type Agent,
  type AgentEnd,
  type AgentOptions,
  defaultTimeouts,
  type NewSessionOptions,
  type Timeouts,
} from './agent.ts';
import { type Connection, connectionOn } from './connection.ts';
import { tapped } from './tap.ts';

/** What is left to do when the connection of an agent is over. */
export type Afterwards = () => Promise<{ readonly exit?: ProcessExit; readonly stderr?: string }>;

const ownName: Implementation = { name: '@agentwire/client', title: 'Agentwire', version: '0.1.0' };

/**
 * Makes an agent of any transport that has one at its other end: in this process, in a test, behind a socket.
 * Rejects as `initialize` does: ProtocolError, or AgentwireError `timeout`, `connection-closed`, `version-mismatch`, `cancelled`.
 */
export async function attachAgent(transport: Transport, options: AgentOptions = {}): Promise<Agent> {
  return initialized(new ConnectedAgent(transport, options), options);
}

/** {@link attachAgent}, with something to do when it is over. */
export async function initialized(agent: ConnectedAgent, options: AgentOptions): Promise<Agent> {
  try {
    await agent.initialize(options);
    return agent;
  } catch (error) {
    await agent.close();
    throw error;
  }
}

/** The client's side of a connection to an agent. */
export class ConnectedAgent implements Agent {
  readonly peer: Peer<'client'>;
  readonly closed: Promise<AgentEnd>;
  readonly #connection: Connection;
  readonly #sessions = new Map<string, AgentSession>();
  readonly #options: AgentOptions;
  readonly #timeouts: Timeouts;
  readonly #afterwards: Afterwards;

  constructor(transport: Transport, options: AgentOptions, afterwards: Afterwards = () => Promise.resolve({})) {
    this.#options = options;
    this.#timeouts = { ...defaultTimeouts, ...options.timeouts };
    this.#afterwards = afterwards;
    this.peer = connectClient(
      options.tap ? tapped(transport, options.tap) : transport,
      {
        'session/update': ({ sessionId, update }) => this.#sessions.get(sessionId)?.deliver(update),
        'session/request_permission': (request, { signal }) => this.#session(request.sessionId).decide(request, signal),
      },
      options.peer,
    );
    this.#connection = connectionOn(this.peer);
    this.closed = this.peer.closed.then(async (closed) => ({ ...closed, ...(await afterwards()) }));
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

  async initialize({ clientInfo = ownName, signal }: AgentOptions): Promise<void> {
    const timeout = this.#timeouts.initialize;
    await this.#connection.request(
      'initialize',
      { protocolVersion, clientCapabilities: {}, clientInfo },
      { timeout, signal },
    );
  }

  async newSession({ cwd, mcpServers = [], onUpdate, signal }: NewSessionOptions): Promise<Session> {
    const timeout = this.#timeouts.newSession;
    const setup = await this.#connection.request(
      'session/new',
      { cwd, mcpServers: [...mcpServers] },
      { timeout, signal },
    );
    const permission = this.#options.permission ?? denyAll;
    const session = new AgentSession({
      connection: this.#connection,
      cwd,
      setup,
      permission,
      onUpdate,
      cancelTimeout: this.#timeouts.cancel,
    });
    this.#sessions.set(session.id, session);
    return session;
  }

  close(): Promise<AgentEnd> {
    // An agent that no longer reads can keep the wire busy for ever, so the end of the process does not wait for it.
    void this.peer.close();
    void this.#afterwards();
    return this.closed;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  #session(id: string): AgentSession {
    const session = this.#sessions.get(id);
    if (!session) throw resourceNotFound(`There is no session ${id}`, { sessionId: id });
    return session;
  }
}
