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
  NewSessionRequest,
  NewSessionResponse,
  ListSessionsResponse,
  ResumeSessionRequest,
  SessionUpdate,
} from '@turnwire/protocol';
import { AgentSession, type AgentSessionParts } from './agent-session.ts';
import { LiveSession, type SessionContext, type SetUpAnswer } from './live-session.ts';
import { OneAtATime } from './one-at-a-time.ts';
import { type ReopenedSession, SessionArchive } from '../session/session-archive.ts';
import { SessionPublisher } from '../session/session-publisher.ts';
import type { SessionRecorder } from '../session/session-recorder.ts';
import type { SessionSetup } from '../session/session.ts';
import type { KeyedPrompt } from '../store/history.ts';
import type { ClientWire, SessionWire } from '../wire/client-wire.ts';

/** The client that asks, and the signal that cancels its request. */
interface Context {
  readonly client: ClientWire;
  readonly signal: AbortSignal;
}

type Past = Pick<AgentSessionParts<unknown>, 'title' | 'modeId' | 'values'> & {
  readonly keyed?: ReadonlyMap<string, KeyedPrompt>;
  readonly children?: Iterable<string>;
};

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
  async begin(request: NewSessionRequest, { client, signal }: Context): Promise<NewSessionResponse & SetUpAnswer> {
    const setup = await this.#newSetup(request, client);
    const memory = await this.#open(setup, signal);
    const { id, cwd, additionalDirectories } = setup;
    const createdAt = new Date().toISOString();
    const recorder = await this.archive?.begin({ id, cwd, additionalDirectories, createdAt });
    const live = this.#make(setup, memory, { client, recorder, past: { title: null } });
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
  async fork(request: ResumeSessionRequest, { client, signal }: Context): Promise<NewSessionResponse & SetUpAnswer> {
    this.refuseChild(request.sessionId);
    const { definition } = this.#context;
    const { id, cwd, additionalDirectories } = await this.#newSetup(request, client);
    const archive = this.#archive();
    const source = this.#live.get(request.sessionId)?.session;
    try {
      const header = { id, cwd, additionalDirectories, createdAt: new Date().toISOString() };
      await archive.fork(request.sessionId, header, withoutLast(request));
      const answer = await this.reopen({ ...request, sessionId: id }, { client, signal, replay: false });
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
  async #newSetup(request: NewSessionRequest | ResumeSessionRequest, client: ClientWire): Promise<SessionSetup> {
    const { id: freeId, ...asked } = setupOf(crypto.randomUUID(), request, client);
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
  ): Promise<SetUpAnswer> {
    return this.#changes.run(request.sessionId, () => this.#reopen(request, context));
  }

  /** @throws ProtocolError -32002 for an unknown session */
  find(sessionId: string): LiveSession<Memory> {
    const session = this.#live.get(sessionId);
    if (session !== undefined) return session;
    this.refuseChild(sessionId);
    throw resourceNotFound(`Session not found: ${sessionId}`, { sessionId });
  }

  /** @throws ProtocolError -32602 if another session of this connection started it */
  refuseChild(sessionId: string): void {
    if (this.#parentOf(sessionId))
      throw invalidParams('sessionId: a session that another one started can only be cancelled');
  }

  /** True if the session is open on this connection. */
  has(sessionId: string): boolean {
    return this.#live.has(sessionId);
  }

  /** The sessions that are open on this connection, for an agent that stores none. */
  open(cwd: string | undefined): ListSessionsResponse {
    const open = [...this.#live.values()].map(({ session }) => session);
    const wanted = open.filter((session) => cwd === undefined || session.cwd === cwd);
    return {
      sessions: wanted.map(({ id: sessionId, cwd: folder, additionalDirectories, title }) => ({
        sessionId,
        cwd: folder,
        ...(additionalDirectories.length > 0 && { additionalDirectories }),
        ...(title !== undefined && { title }),
      })),
    };
  }

  /** Cancels the turns of a session, if it is open, or its work, if another session started it. */
  cancel(sessionId: string): void {
    this.#live.get(sessionId)?.cancel();
    this.#parentOf(sessionId)?.children.cancel(sessionId);
  }

  #parentOf(sessionId: string): LiveSession<Memory> | undefined {
    return [...this.#live.values()].find(({ children }) => children.has(sessionId));
  }

  /** Cancels the turns of a session, waits for their end and closes it. */
  close(sessionId: string): Promise<void> {
    return this.#changes.run(sessionId, () => this.#close(sessionId));
  }

  /** Closes a session if it is open, and deletes its stored state, if any. */
  delete(sessionId: string): Promise<void> {
    this.refuseChild(sessionId);
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
    { client, signal, replay }: Context & { readonly replay: boolean },
  ): Promise<SetUpAnswer> {
    const { sessionId } = request;
    this.refuseChild(sessionId);
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
    const setup = { ...setupOf(sessionId, request, client), restored };
    const live = await this.#continue(stored, setup, { client, signal });
    return this.#admit(live, signal, async () => {
      if (replay) await show(stored, live.wire, signal);
      live.wire.resumed();
    });
  }

  async #open(setup: SessionSetup, signal: AbortSignal): Promise<Memory> {
    // Without `openSession` the value is undefined, and so is the type `Memory`.
    return (await this.#context.definition.openSession?.(setup, signal)) as Memory;
  }

  async #continue(
    { history, title, recorder }: ReopenedSession,
    setup: SessionSetup,
    { client, signal }: Context,
  ): Promise<LiveSession<Memory>> {
    try {
      const { modeId, values, keyed, updates } = history;
      const children = updates.flatMap((update) =>
        update.sessionUpdate === 'subagent_update' ? update.sessionId : [],
      );
      const past = { title, modeId, values, keyed, children };
      return this.#make(setup, await this.#open(setup, signal), { client, recorder, past });
    } catch (error) {
      await recorder.close();
      throw error;
    }
  }

  #make(
    setup: SessionSetup,
    memory: Memory,
    {
      client,
      recorder,
      past,
    }: { readonly client: ClientWire; readonly recorder?: SessionRecorder | undefined; readonly past: Past },
  ): LiveSession<Memory> {
    const { definition, log } = this.#context;
    const publisher = new SessionPublisher({ sessionId: setup.id, client, recorder, log });
    const { keyed, children, ...settings } = past;
    const session = new AgentSession(setup, { ...settings, memory, definition, publisher });
    return new LiveSession({ session, publisher, keyed, children }, this.#context);
  }

  /**
   * Opens the session for prompts, unless replaying its history fails, or the client cancels the request or disconnects in the meantime.
   */
  async #admit(live: LiveSession<Memory>, signal: AbortSignal, show?: () => Promise<void>): Promise<SetUpAnswer> {
    const { session } = live;
    try {
      await show?.();
      const { modes, configOptions } = session.settings;
      const failed = (error: unknown): undefined => this.#failed('announcing the commands of', error);
      const availableCommands = live.answersCommands ? await session.commands().catch(failed) : undefined;
      signal.throwIfAborted();
      this.#live.set(session.id, live);
      // After the answer has been written: before it the client does not know the session.
      if (!live.answersCommands) soon(() => void session.announceCommands().catch(failed));
      const _meta = this.#context.definition.sessionMeta?.(session);
      return {
        ...(modes && { modes }),
        ...(configOptions && { configOptions }),
        ...(availableCommands && { availableCommands }),
        ...(_meta && { _meta }),
      };
    } catch (error) {
      await live.close();
      throw error;
    }
  }

  #archive(): SessionArchive {
    if (this.archive === undefined) throw new TurnwireError('invalid-input', 'The agent has no session store');
    return this.archive;
  }

  #failed(what: string, error: unknown): undefined {
    this.#context.log({ level: 'error', event: `${what} a session failed`, error });
  }
}

function setupOf(
  id: string,
  { cwd, additionalDirectories = [], mcpServers = [] }: NewSessionRequest | ResumeSessionRequest,
  { capabilities }: ClientWire,
): SessionSetup {
  return { id, cwd, additionalDirectories, mcpServers, clientCapabilities: capabilities };
}

/** How many of the last prompts a fork leaves out. */
function withoutLast({ _meta }: ResumeSessionRequest): number {
  const { withoutLast: count = 0 } = turnwireMeta<'session/fork'>(_meta);
  if (!Number.isInteger(count) || count < 0) throw invalidParams('_meta.turnwire.withoutLast: a number of prompts');
  return count;
}

/** Replays a session's history to the client, in order (protocol: Session Setup, Loading Sessions), unless the request is cancelled. */
async function show({ history, title }: ReopenedSession, wire: SessionWire, signal: AbortSignal): Promise<void> {
  const info: SessionUpdate[] = title === null ? [] : [{ sessionUpdate: 'session_info_update', title }];
  const { session, plan, subagents } = wire.capabilities;
  const isShown = ({ sessionUpdate }: SessionUpdate): boolean => {
    if (sessionUpdate.startsWith('compaction_')) return Boolean(session?.compaction);
    if (sessionUpdate === 'plan_update' || sessionUpdate === 'plan_removed') return Boolean(plan);
    return Boolean(subagents) || !(sessionUpdate === 'subagent_update' || sessionUpdate.startsWith('session_message'));
  };
  const children = [...(subagents ? history.children : [])].map(([sessionId, updates]) => ({
    sessionId,
    updates: updates.filter(isShown),
  }));
  await wire.replay({ updates: [...history.updates.filter(isShown), ...info], children }, signal);
}
