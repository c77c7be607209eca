import { soon } from '@turnwire/machine/waits';
import {
  TurnwireError,
  errorCodes,
  invalidParams,
  ProtocolError,
  resourceNotFound,
  turnwireMeta,
} from '@turnwire/protocol';
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
import { AgentSession, type AgentSessionParts } from './agent-session.ts';
import { LiveSession, type SessionContext } from './live-session.ts';
import { OneAtATime } from './one-at-a-time.ts';
import { type ReopenedSession, SessionArchive } from '../session/session-archive.ts';
import { SessionPublisher } from '../session/session-publisher.ts';
import type { SessionRecorder } from '../session/session-recorder.ts';
import type { SessionSetup } from '../session/session.ts';

type Context = Pick<RequestContext<'agent'>, 'peer' | 'signal'>;
type Past = Pick<AgentSessionParts<unknown>, 'title' | 'modeId' | 'values'>;

/** The sessions of one connection. */
export class Sessions<Memory> {
  /** The sessions of all connections. Absent without a store. */
  readonly archive: SessionArchive | undefined;
  readonly #context: SessionContext<Memory>;
  readonly #live = new Map<string, LiveSession<Memory>>();
  /** Serialises set-up and end of each session. */
  readonly #changes = new OneAtATime();

  constructor(context: SessionContext<Memory>) {
    this.#context = context;
    const { definition, log } = context;
    this.archive = definition.store && new SessionArchive(definition.store, log);
  }

  /** Starts a session. A failure leaves nothing behind. */
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

  /**
   * Starts a session that begins with the history of another, which may be open, without the number of prompts in `_meta`. A failure leaves
   * nothing behind.
   * @throws ProtocolError -32002 for an unknown session
   */
  async fork(request: ResumeSessionRequest, { peer, signal }: Context): Promise<NewSessionResponse> {
    const { definition } = this.#context;
    const { id, cwd, additionalDirectories } = await this.#newSetup(request, peer);
    const archive = this.#archive();
    const source = this.#live.get(request.sessionId)?.session;
    try {
      const header = { id, cwd, additionalDirectories, createdAt: new Date().toISOString() };
      await archive.fork(request.sessionId, header, withoutLast(request));
      const answer = await this.reopen({ ...request, sessionId: id }, { peer, signal, replay: false });
      const made = await definition.sessionForked?.(this.find(id).session, {
        source,
        meta: request._meta ?? undefined,
      });
      const _meta = { ...answer._meta, ...made };
      return { sessionId: id, ...answer, ...(Object.keys(_meta).length > 0 && { _meta }) };
    } catch (error) {
      await this.delete(id).catch((failure: unknown) => this.#failed('deleting', failure));
      throw error;
    }
  }

  /** @throws TurnwireError `invalid-input` if the id chosen by the definition is empty or in use */
  async #newSetup(request: NewSessionRequest | ResumeSessionRequest, peer: Peer<'agent'>): Promise<SessionSetup> {
    const { id: freeId, ...asked } = setupOf(crypto.randomUUID(), request, peer);
    const id = (await this.#context.definition.sessionId?.(asked)) ?? freeId;
    if (id === '' || this.#live.has(id))
      throw new TurnwireError(
        'invalid-input',
        `sessionId of the definition returned ${JSON.stringify(id)}, which is ${id === '' ? 'empty' : 'the id of another session'}`,
      );
    return { id, ...asked };
  }

  /**
   * Continues a stored session. A session that is open on this connection is closed first, unless closing would lose a part of it.
   * @throws ProtocolError -32002 for an unknown session, -32600 if it cannot be opened now
   */
  reopen(
    request: LoadSessionRequest | ResumeSessionRequest,
    context: Context & { readonly replay: boolean },
  ): Promise<LoadSessionResponse> {
    return this.#changes.run(request.sessionId, () => this.#reopen(request, context));
  }

  /** @throws ProtocolError -32002 for an unknown session */
  find(sessionId: string): LiveSession<Memory> {
    const session = this.#live.get(sessionId);
    if (session === undefined) throw resourceNotFound(`Session not found: ${sessionId}`, { sessionId });
    return session;
  }

  /** Cancels the turns of a session, if it is open. */
  cancel(sessionId: string): void {
    this.#live.get(sessionId)?.cancel();
  }

  /** Cancels the turns of a session, waits for their end and closes it. */
  close(sessionId: string): Promise<void> {
    return this.#changes.run(sessionId, () => this.#close(sessionId));
  }

  /** Closes a session if it is open, and deletes its stored state, if any. */
  delete(sessionId: string): Promise<void> {
    return this.#changes.run(sessionId, async () => {
      if (this.#live.has(sessionId)) await this.#close(sessionId);
      await this.#archive().delete(sessionId);
    });
  }

  /** Closes every session: the client has disconnected. */
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

  async #reopen(
    request: LoadSessionRequest | ResumeSessionRequest,
    { peer, signal, replay }: Context & { readonly replay: boolean },
  ): Promise<LoadSessionResponse> {
    const { sessionId } = request;
    const open = this.#live.get(sessionId);
    if (open?.isStored === false)
      throw new ProtocolError(
        errorCodes.invalidRequest,
        `Session ${sessionId} is open, and its latest messages could not be stored: continue with the open session`,
        { sessionId },
      );
    if (open) await this.#close(sessionId);
    const stored = await this.#archive().reopen(sessionId);
    const restored = { kept: stored.history.kept, wasInterrupted: stored.wasInterrupted };
    const setup = { ...setupOf(sessionId, request, peer), restored };
    const live = await this.#continue(stored, setup, { peer, signal });
    return this.#admit(live, signal, async () => {
      if (replay) await show(stored, setup, { peer, signal });
    });
  }

  async #open(setup: SessionSetup, signal: AbortSignal): Promise<Memory> {
    // Without `openSession` the value is undefined, and so is the type `Memory`.
    return (await this.#context.definition.openSession?.(setup, signal)) as Memory;
  }

  async #continue(
    { history, title, recorder }: ReopenedSession,
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
    const { definition, log } = this.#context;
    const publisher = new SessionPublisher({ sessionId: setup.id, peer, recorder, log });
    const session = new AgentSession(setup, { ...past, memory, definition, publisher });
    return new LiveSession(session, publisher, this.#context);
  }

  /**
   * Opens the session for prompts, unless replaying its history fails, or the client cancels the request or disconnects in the meantime.
   */
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
      // After the answer has been written: before it the client does not know the session.
      soon(() => {
        session.announceCommands().catch((error: unknown) => this.#failed('announcing the commands of', error));
      });
      const _meta = this.#context.definition.sessionMeta?.(session);
      return { ...(modes && { modes }), ...(configOptions && { configOptions }), ...(_meta && { _meta }) };
    } catch (error) {
      await live.close();
      throw error;
    }
  }

  #archive(): SessionArchive {
    if (this.archive === undefined) throw new TurnwireError('invalid-input', 'The agent has no session store');
    return this.archive;
  }

  #failed(what: string, error: unknown): void {
    this.#context.log({ level: 'error', event: `${what} a session failed`, error });
  }
}

function setupOf(
  id: string,
  { cwd, additionalDirectories = [], mcpServers = [] }: NewSessionRequest | ResumeSessionRequest,
  peer: Peer<'agent'>,
): SessionSetup {
  return { id, cwd, additionalDirectories, mcpServers, clientCapabilities: peer.remote?.clientCapabilities ?? {} };
}

/** How many of the last prompts a fork leaves out. */
function withoutLast({ _meta }: ResumeSessionRequest): number {
  const { withoutLast: count = 0 } = turnwireMeta<'session/fork'>(_meta);
  if (!Number.isInteger(count) || count < 0) throw invalidParams('_meta.turnwire.withoutLast: a number of prompts');
  return count;
}

/** Replays a session's history to the client, in order (protocol: Session Setup, Loading Sessions), unless the request is cancelled. */
async function show(
  { history, title }: ReopenedSession,
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
