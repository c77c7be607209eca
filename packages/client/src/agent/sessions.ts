import { TurnwireError, resourceNotFound } from '@turnwire/protocol';
import { AgentSession, type SharedParts } from '../session/agent-session.ts';
import type { CallOptions } from '../session/connection.ts';
import type { MessageLoss } from '../session/message-loss.ts';
import type { Session } from '../session/session.ts';
import type { NewSessionOptions, StoredSessionOptions } from '../session/session-options.ts';

/** The parts that the sessions of a connection share. */
export interface SessionsParts extends SharedParts {
  /** True if the agent advertised `session/close`. */
  readonly canClose: () => boolean;
  /** The real path of a folder, if the host can determine it. */
  readonly realPath?: ((path: string) => string | undefined) | undefined;
  /** Releases the host's resources of a session. */
  readonly release: (sessionId: string) => Promise<void>;
}

interface Setup {
  readonly cwd: string;
  readonly additionalDirectories?: string[];
  readonly mcpServers: NonNullable<NewSessionOptions['mcpServers']>[number][];
}

/** The sessions of one connection: set-up, lookup by id, and release. */
export class Sessions {
  readonly #parts: SessionsParts;
  readonly #open = new Map<string, AgentSession>();

  constructor(parts: SessionsParts) {
    this.#parts = parts;
  }

  get(id: string): AgentSession | undefined {
    return this.#open.get(id);
  }

  /** The session with an id, or the one that started it. */
  owner(id: string): AgentSession | undefined {
    return this.#open.get(id) ?? [...this.#open.values()].find((session) => session.hasChild(id));
  }

  /** Throws the error to answer with when an agent refers to an unknown session. */
  find(id: string): AgentSession {
    const session = this.owner(id);
    if (!session) throw resourceNotFound(`There is no session ${id}`, { sessionId: id });
    return session;
  }

  /** Notifies every session of a message that could not be read. */
  lose(loss: MessageLoss): void {
    for (const session of this.#open.values()) session.lose(loss);
  }

  /** Releases the host's resources of all sessions after the end of the connection. */
  async end(): Promise<void> {
    await Promise.all([...this.#open.keys()].map((id) => this.#parts.release(id)));
  }

  async create(options: NewSessionOptions): Promise<Session> {
    const { connection, timeouts, login } = this.#parts;
    const call = { timeout: timeouts.newSession, signal: options.signal };
    const roots = this.#rootsOf(options);
    const setup = await login(() => connection.request('session/new', setupOf(options), call));
    // Otherwise updates of one session would be delivered to the other.
    if (this.#open.has(setup.sessionId)) throw usedTwice(setup.sessionId);
    const session = this.#make(setup.sessionId, options, { roots, isReplay: false });
    session.begin(setup);
    this.#open.set(session.id, session);
    return session;
  }

  load(options: StoredSessionOptions): Promise<Session> {
    const session = this.#make(options.sessionId, options, { roots: this.#rootsOf(options), isReplay: true });
    const timeout = this.#parts.timeouts.loadSession;
    return this.#restore('session/load', session, { options, timeout, onAnswer: () => session.endReplay() });
  }

  resume(options: StoredSessionOptions): Promise<Session> {
    const session = this.#make(options.sessionId, options, { roots: this.#rootsOf(options), isReplay: false });
    return this.#restore('session/resume', session, { options, timeout: this.#parts.timeouts.resumeSession });
  }

  /** Restores a session. The agent sends its updates before it answers, so the session is registered first. */
  async #restore(
    method: 'session/load' | 'session/resume',
    session: AgentSession,
    { options, ...call }: CallOptions & { readonly options: StoredSessionOptions },
  ): Promise<Session> {
    const { connection, login } = this.#parts;
    const before = this.#open.get(session.id);
    this.#open.set(session.id, session);
    const params = { sessionId: session.id, ...setupOf(options) };
    try {
      session.begin(await login(() => connection.request(method, params, { ...call, signal: options.signal })));
      return session;
    } catch (error) {
      this.#replace(session, before);
      throw error;
    }
  }

  #make(
    id: string,
    options: NewSessionOptions,
    { roots, isReplay }: { readonly roots: SessionRoots; readonly isReplay: boolean },
  ): AgentSession {
    const { cwd, onUpdate, onChildUpdate, onPermission, onFeedback, onMessageLost, onSilence, silence } = options;
    const session: AgentSession = new AgentSession({
      shared: this.#parts,
      id,
      cwd,
      ...roots,
      listeners: { onUpdate, onChildUpdate, onPermission, onFeedback, onMessageLost, onSilence, silence },
      isReplay,
      ...(this.#parts.canClose() && { close: () => this.#close(session) }),
    });
    return session;
  }

  #rootsOf(options: NewSessionOptions): SessionRoots {
    const { realPath } = this.#parts;
    const roots = [options.cwd, ...additional(options)];
    return { roots, realRoots: realPath && roots.map(realPath) };
  }

  async #close(session: AgentSession): Promise<void> {
    const { connection, timeouts, release } = this.#parts;
    const { id: sessionId } = session;
    try {
      await connection.request('session/close', { sessionId }, { timeout: timeouts.closeSession });
    } finally {
      this.#replace(session, undefined);
      await release(sessionId);
    }
  }

  #replace(session: AgentSession, other: AgentSession | undefined): void {
    if (this.#open.get(session.id) !== session) return;
    if (other) this.#open.set(other.id, other);
    else this.#open.delete(session.id);
  }
}

/** The folders of a session, and their real paths before the agent knows of it. */
interface SessionRoots {
  readonly roots: readonly string[];
  readonly realRoots: readonly (string | undefined)[] | undefined;
}

function usedTwice(id: string): TurnwireError {
  return new TurnwireError(
    'invalid-response',
    `The agent gave a new session the id ${id} of an open one; start another agent`,
  );
}

/** The parameters common to all ways of setting a session up. */
function setupOf(options: NewSessionOptions): Setup {
  const { cwd, mcpServers = [], meta } = options;
  const additionalDirectories = additional(options);
  return {
    cwd,
    mcpServers: [...mcpServers],
    ...(additionalDirectories.length > 0 && { additionalDirectories }),
    ...(meta && { _meta: { ...meta } }),
  };
}

/** The additional folders without duplicates. Nested folders stay: an agent may treat them differently. */
function additional({ cwd, additionalDirectories = [] }: NewSessionOptions): string[] {
  return [...new Set(additionalDirectories)].filter((folder) => folder !== cwd);
}
