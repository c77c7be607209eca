import { TurnwireError, errorCodes, ProtocolError, resourceNotFound } from '@turnwire/protocol';
import type {
  LoadSessionRequest,
  LoadSessionResponse,
  NewSessionRequest,
  NewSessionResponse,
  Peer,
  RequestContext,
  ResumeSessionRequest,
  SessionUpdate,
} from '@turnwire/protocol';
import { afterAnswer } from './after-answer.ts';
import { AgentSession, type AgentSessionParts } from './agent-session.ts';
import { LiveSession, type SessionSurroundings } from './live-session.ts';
import { OneAtATime } from './one-at-a-time.ts';
import { type BroughtBack, SessionArchive } from './session-archive.ts';
import { SessionPublisher } from './session-publisher.ts';
import type { SessionRecorder } from './session-recorder.ts';
import type { SessionSetup } from './session.ts';

type Context = Pick<RequestContext<'agent'>, 'peer' | 'signal'>;
type Past = Pick<AgentSessionParts<unknown>, 'title' | 'modeId' | 'values'>;

/** The sessions of one connection. */
export class Sessions<Memory> {
  /** The sessions of all connections. Absent without a store. */
  readonly archive: SessionArchive | undefined;
  readonly #surroundings: SessionSurroundings<Memory>;
  readonly #live = new Map<string, LiveSession<Memory>>();
  /** What sets sessions up and ends them. */
  readonly #changes = new OneAtATime();

  constructor(surroundings: SessionSurroundings<Memory>) {
    this.#surroundings = surroundings;
    const { definition, log } = surroundings;
    this.archive = definition.store && new SessionArchive(definition.store, log);
  }

  /** Begins a session. One that fails to was never there. */
  async begin(request: NewSessionRequest, { peer, signal }: Context): Promise<NewSessionResponse> {
    const setup = await this.#newSetup(request, peer);
    const memory = await this.#open(setup, signal);
    const { id, cwd, additionalDirectories } = setup;
    const createdAt = new Date().toISOString();
    const recorder = await this.archive?.begin({ id, cwd, additionalDirectories, createdAt });
    const live = this.#make(setup, memory, { peer, recorder, past: { title: null } });
    try {
      return { sessionId: id, ...(await this.#admit(live, signal)) };
    } catch (error) {
      await this.archive?.delete(id).catch((failure: unknown) => this.#failed('deleting', failure));
      throw error;
    }
  }

  /** @throws TurnwireError `invalid-input` if the definition chooses an id that cannot be */
  async #newSetup(request: NewSessionRequest, peer: Peer<'agent'>): Promise<SessionSetup> {
    const { id: freeId, ...asked } = setupOf(crypto.randomUUID(), request, peer);
    const id = (await this.#surroundings.definition.sessionId?.(asked)) ?? freeId;
    if (id === '' || this.#live.has(id))
      throw new TurnwireError(
        'invalid-input',
        `sessionId of the definition chose ${JSON.stringify(id)}, which is empty or taken`,
      );
    return { id, ...asked };
  }

  /**
   * Continues with a stored session. One that is open on this connection is closed first, unless that would be its end.
   * @throws ProtocolError -32002 when there is no such session, -32600 when it cannot be opened now
   */
  bringBack(
    request: LoadSessionRequest | ResumeSessionRequest,
    context: Context & { readonly replay: boolean },
  ): Promise<LoadSessionResponse> {
    return this.#changes.run(request.sessionId, () => this.#bringBack(request, context));
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
  close(sessionId: string): Promise<void> {
    return this.#changes.run(sessionId, () => this.#close(sessionId));
  }

  /** Closes a session if it is open, and deletes what is stored of it. Of an unknown one there is nothing to delete. */
  delete(sessionId: string): Promise<void> {
    return this.#changes.run(sessionId, async () => {
      if (this.#live.has(sessionId)) await this.#close(sessionId);
      await this.#archive().delete(sessionId);
    });
  }

  /** Closes every session: the client is gone. */
  async closeAll(): Promise<void> {
    await Promise.all(
      [...this.#live.keys()].map((id) => this.close(id).catch((error: unknown) => this.#failed('closing', error))),
    );
  }

  async #close(sessionId: string): Promise<void> {
    const session = this.find(sessionId);
    this.#live.delete(sessionId);
    await session.close();
  }

  async #bringBack(
    request: LoadSessionRequest | ResumeSessionRequest,
    { peer, signal, replay }: Context & { readonly replay: boolean },
  ): Promise<LoadSessionResponse> {
    const { sessionId } = request;
    const open = this.#live.get(sessionId);
    if (open?.isStored === false) throw notStored(sessionId);
    if (open) await this.#close(sessionId);
    const stored = await this.#archive().bringBack(sessionId);
    const setup = { ...setupOf(sessionId, request, peer), restored: restoredOf(stored) };
    const live = await this.#goOn(stored, setup, { peer, signal });
    return this.#admit(live, signal, async () => {
      if (replay) await show(stored, setup, { peer, signal });
    });
  }

  async #open(setup: SessionSetup, signal: AbortSignal): Promise<Memory> {
    // Without `openSession` the memory is undefined, and `Memory` can be nothing else.
    return (await this.#surroundings.definition.openSession?.(setup, signal)) as Memory;
  }

  async #goOn(
    { history, title, recorder }: BroughtBack,
    setup: SessionSetup,
    { peer, signal }: Context,
  ): Promise<LiveSession<Memory>> {
    try {
      const past = { title, modeId: history.modeId, values: history.values };
      return this.#make(setup, await this.#open(setup, signal), { peer, recorder, past });
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
    const publisher = new SessionPublisher({ sessionId: setup.id, peer, recorder, log });
    const session = new AgentSession(setup, { ...past, memory, definition, publisher });
    return new LiveSession(session, publisher, this.#surroundings);
  }

  /** Lets the session take prompts, unless its past cannot be shown, or its client gave it up or is gone meanwhile. */
  async #admit(
    live: LiveSession<Memory>,
    signal: AbortSignal,
    show?: () => Promise<void>,
  ): Promise<LoadSessionResponse> {
    const { session } = live;
    try {
      await show?.();
      signal.throwIfAborted();
      const { modes, configOptions } = session.settings;
      this.#live.set(session.id, live);
      afterAnswer(() => session.announceCommands(), this.#surroundings.log);
      const _meta = this.#surroundings.definition.sessionMeta?.(session);
      return { ...(modes && { modes }), ...(configOptions && { configOptions }), ...(_meta && { _meta }) };
    } catch (error) {
      await live.close();
      throw error;
    }
  }

  #archive(): SessionArchive {
    if (this.archive === undefined) throw new TurnwireError('invalid-input', 'The agent has no store');
    return this.archive;
  }

  #failed(what: string, error: unknown): void {
    this.#surroundings.log({ level: 'error', event: `${what} a session failed`, error });
  }
}

function notStored(sessionId: string): ProtocolError {
  return new ProtocolError(
    errorCodes.invalidRequest,
    `Session ${sessionId} is open, and what was said in it could not be stored: continue with it as it is`,
    { sessionId },
  );
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

/** Shows the client the session's past, in order (protocol: Session Setup, Loading Sessions), unless it does not want it any more. */
async function show(
  { history, title }: BroughtBack,
  { id, clientCapabilities }: SessionSetup,
  { peer, signal }: Context,
): Promise<void> {
  const info: SessionUpdate[] = title === null ? [] : [{ sessionUpdate: 'session_info_update', title }];
  for (const update of [...history.updates, ...info]) {
    const isCompaction = update.sessionUpdate === 'compaction_update';
    if (isCompaction && !clientCapabilities.session?.compaction) continue;
    signal.throwIfAborted();
    await peer.notify('session/update', { sessionId: id, update });
  }
}
