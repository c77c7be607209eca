import { AgentwireError, resourceNotFound } from '@agentwire/protocol';
import type {
  LoadSessionRequest,
  LoadSessionResponse,
  NewSessionRequest,
  NewSessionResponse,
  Peer,
  ResumeSessionRequest,
  SessionUpdate,
} from '@agentwire/protocol';
import { afterAnswer } from './after-answer.ts';
import { AgentSession, type AgentSessionParts } from './agent-session.ts';
import { LiveSession, type SessionSurroundings } from './live-session.ts';
import { type BroughtBack, SessionArchive } from './session-archive.ts';
import { SessionOutlet } from './session-outlet.ts';
import type { SessionRecorder } from './session-recorder.ts';
import type { SessionSetup } from './session.ts';

type Past = Pick<AgentSessionParts<unknown>, 'title' | 'modeId' | 'values'>;

/** The sessions of one connection. */
export class Sessions<Memory> {
  /** The sessions of all connections. Absent without a store. */
  readonly archive: SessionArchive | undefined;
  readonly #surroundings: SessionSurroundings<Memory>;
  readonly #live = new Map<string, LiveSession<Memory>>();
  #isOver = false;

  constructor(surroundings: SessionSurroundings<Memory>) {
    this.#surroundings = surroundings;
    const { definition, log } = surroundings;
    this.archive = definition.store && new SessionArchive(definition.store, log);
  }

  /** Begins a session. */
  async begin(request: NewSessionRequest, peer: Peer<'agent'>): Promise<NewSessionResponse> {
    const setup = setupOf(crypto.randomUUID(), request, peer);
    const memory = await this.#open(setup);
    const { id, cwd, additionalDirectories } = setup;
    const createdAt = new Date().toISOString();
    const recorder = await this.archive?.begin({ id, cwd, additionalDirectories, createdAt });
    const live = this.#make(setup, memory, { peer, recorder, past: { title: null } });
    return { sessionId: id, ...(await this.#admit(live)) };
  }

  /**
   * Goes on with a stored session. One that is open on this connection is closed first, unless that would be its end.
   * @throws ProtocolError -32002 when there is no such session
   */
  async bringBack(
    request: LoadSessionRequest | ResumeSessionRequest,
    { peer, replay }: { readonly peer: Peer<'agent'>; readonly replay: boolean },
  ): Promise<LoadSessionResponse> {
    const { sessionId } = request;
    if (this.#live.get(sessionId)?.isStored) await this.close(sessionId);
    const stored = await this.#archive().bringBack(sessionId);
    const setup = { ...setupOf(sessionId, request, peer), restored: restoredOf(stored) };
    const live = await this.#goOn(stored, setup, peer);
    try {
      if (replay) await show(stored, setup, peer);
    } catch (error) {
      await live.close();
      throw error;
    }
    return this.#admit(live);
  }

  /** @throws ProtocolError -32002 when there is no such session */
  find(sessionId: string): LiveSession<Memory> {
    const session = this.#live.get(sessionId);
    if (session === undefined) throw resourceNotFound(`Session not found: ${sessionId}`, { sessionId });
    return session;
  }

  /** Cancels the turns of a session. One that is not there has none. */
  cancel(sessionId: string): void {
    this.#live.get(sessionId)?.cancel();
  }

  /** Cancels what runs in a session, waits for its end and forgets it. */
  async close(sessionId: string): Promise<void> {
    const session = this.find(sessionId);
    this.#live.delete(sessionId);
    await session.close();
  }

  /** Closes a session if it is open, and deletes what is stored of it. Of an unknown one there is nothing to delete. */
  async delete(sessionId: string): Promise<void> {
    if (this.#live.has(sessionId)) await this.close(sessionId);
    await this.#archive().delete(sessionId);
  }

  /** Closes every session: the client is gone. */
  async closeAll(): Promise<void> {
    this.#isOver = true;
    await Promise.all(
      [...this.#live.keys()].map((id) => this.close(id).catch((error: unknown) => this.#failed(error))),
    );
  }

  async #open(setup: SessionSetup): Promise<Memory> {
    // Without `openSession` the memory is undefined, and `Memory` can be nothing else.
    return (await this.#surroundings.definition.openSession?.(setup)) as Memory;
  }

  async #goOn(
    { history, title, recorder }: BroughtBack,
    setup: SessionSetup,
    peer: Peer<'agent'>,
  ): Promise<LiveSession<Memory>> {
    try {
      const past = { title, modeId: history.modeId, values: history.values };
      return this.#make(setup, await this.#open(setup), { peer, recorder, past });
    } catch (error) {
      await recorder.close();
      throw error;
    }
  }

  #make(
    setup: SessionSetup,
    memory: Memory,
    {
      peer,
      recorder,
      past,
    }: { readonly peer: Peer<'agent'>; readonly recorder?: SessionRecorder | undefined; readonly past: Past },
  ): LiveSession<Memory> {
    const { definition, log } = this.#surroundings;
    const outlet = new SessionOutlet({ sessionId: setup.id, peer, recorder, log });
    const session = new AgentSession(setup, { ...past, memory, definition, outlet });
    return new LiveSession(session, outlet, this.#surroundings);
  }

  /** Lets the session take prompts, unless its client went away while it was set up. */
  async #admit(live: LiveSession<Memory>): Promise<LoadSessionResponse> {
    const { session } = live;
    if (this.#isOver) {
      await live.close();
      throw new AgentwireError('connection-closed', 'The client went away while its session was set up');
    }
    const { modes, configOptions } = session.settings;
    this.#live.set(session.id, live);
    afterAnswer(() => session.announceCommands(), this.#surroundings.log);
    return { ...(modes && { modes }), ...(configOptions && { configOptions }) };
  }

  #archive(): SessionArchive {
    if (this.archive === undefined) throw new AgentwireError('invalid-input', 'The agent has no store');
    return this.archive;
  }

  #failed(error: unknown): void {
    this.#surroundings.log({ level: 'error', event: 'closing a session failed', error });
  }
}

function setupOf(
  id: string,
  { cwd, additionalDirectories = [], mcpServers = [] }: NewSessionRequest | ResumeSessionRequest,
  peer: Peer<'agent'>,
): SessionSetup {
  return { id, cwd, additionalDirectories, mcpServers, clientCapabilities: peer.remote?.clientCapabilities ?? {} };
}

function restoredOf({ history, wasInterrupted }: BroughtBack): NonNullable<SessionSetup['restored']> {
  return { kept: history.kept, wasInterrupted };
}

/** Shows the client the session's past, in order (protocol: Session Setup, Loading Sessions). */
async function show(
  { history, title }: BroughtBack,
  { id, clientCapabilities }: SessionSetup,
  peer: Peer<'agent'>,
): Promise<void> {
  const info: SessionUpdate[] = title === null ? [] : [{ sessionUpdate: 'session_info_update', title }];
  for (const update of [...history.updates, ...info]) {
    const isCompaction = update.sessionUpdate === 'compaction_update';
    if (isCompaction && !clientCapabilities.session?.compaction) continue;
    await peer.notify('session/update', { sessionId: id, update });
  }
}
