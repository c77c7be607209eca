import {
  type AgentWork,
  errorCodes,
  type NewSessionResponse,
  ProtocolError,
  type SessionUpdate,
  TurnwireError,
  type TurnwireMeta,
  turnwireMeta,
  type TurnwireRequest,
} from '@turnwire/protocol';
import type { Agent } from '../agent/agent.ts';
import type { MessageLoss } from '../session/message-loss.ts';
import type { NewSessionOptions } from '../session/session-options.ts';
import type { Session, UpdateContext } from '../session/session.ts';
import { EventStream, type EventListeners } from './event-stream.ts';
import { askGateway, type GatewayMethods } from './gateway-methods.ts';
import { OpenQuestions } from './open-questions.ts';
import { OwnPrompts } from './own-prompts.ts';
import { beginning, type HistoryRead, readEnd, readUpTo, sequenceOf } from './session-history.ts';

/** The options of a session of a gateway. */
export interface GatewaySessionParts extends Pick<EventListeners, 'onEvents'> {
  /** The working directory: an absolute path. */
  readonly cwd: string;
  /** The id of a stored session. Default: a new session begins. */
  readonly id?: string | undefined;
  /** The cursor of the last event that the client has. The session continues after it. Default: see `last`. */
  readonly after?: string | undefined;
  /** The number of events that the client reads from the end of a stored session. Default: 0, only future events. */
  readonly last?: number | undefined;
  /** The fields of `_meta.turnwire` in each `session/resume`. */
  readonly opening?: TurnwireMeta['session/resume'] | undefined;
  /** Called when the gateway no longer has all events after the client's last one. The client must drop its events and receives the session again. */
  readonly onRestart?: (() => void) | undefined;
  /** Called after a change of the phase, the role, the prompts or the questions. */
  readonly onChange?: (() => void) | undefined;
  /** Called when a new session gets its id, before its first event. */
  readonly onBegun?: (() => void) | undefined;
  /** Called with the reason when one of the client's prompts fails before its turn begins. */
  readonly onPromptFailed?: ((error: unknown) => void) | undefined;
  /** Called when a message of the gateway was too long to be read. */
  readonly onMessageLost?: ((loss: MessageLoss) => void) | undefined;
  /** Asks the user to log in at the agent. Resolves with whether the user did. Default: no login. */
  readonly logIn?: ((agent: Agent) => Promise<boolean>) | undefined;
  /** Returns the time of the gateway in milliseconds since 1970. Default: the time of this machine. */
  readonly now?: (() => number) | undefined;
}

/** `detached`: the connection broke, and the session opens again on the next one. `failed`: the session could not be opened. */
export type SessionPhase = 'opening' | 'ready' | 'detached' | 'failed';

/** The number of events that the client reads of a new session: the agent may have said something before the client attached. */
const firstEvents = 400;

/**
 * A client's side of a session of a gateway. It survives broken connections: call {@link GatewaySession.open} with each new one, and the session
 * continues after the last event. A {@link GatewayLink} does that for several sessions.
 */
export class GatewaySession {
  readonly cwd: string;
  /** The queue, and the client's prompts until they are in the log. */
  readonly prompts: OwnPrompts;
  /** The open questions of the agent. */
  readonly questions: OpenQuestions;
  readonly #parts: GatewaySessionParts;
  readonly #events: EventStream;
  #id: string | undefined;
  #phase: SessionPhase = 'opening';
  #failure: string | undefined;
  #role: 'control' | 'observe' = 'control';
  #agent: Agent | undefined;

  constructor(parts: GatewaySessionParts) {
    const { cwd, id, after, logIn, onEvents, onChange, onPromptFailed } = parts;
    this.#parts = parts;
    this.cwd = cwd;
    this.#id = id;
    this.prompts = new OwnPrompts({
      logIn: async (agent) => (await logIn?.(agent)) ?? false,
      onChange: () => onChange?.(),
      onFailed: (error) => onPromptFailed?.(error),
    });
    this.questions = new OpenQuestions(() => onChange?.());
    const onTurnEnd = (): void => {
      this.prompts.endTurn();
      this.questions.endTurn();
    };
    this.#events = new EventStream({ onEvents, onPrompt: (prompt) => this.prompts.begin(prompt), onTurnEnd }, after);
  }

  /** The id of the session; undefined until a new session has begun. */
  get id(): string | undefined {
    return this.#id;
  }

  /** The state of the session for this client. */
  get phase(): SessionPhase {
    return this.#phase;
  }

  /** The reason why the session could not be opened. */
  get failure(): string | undefined {
    return this.#failure;
  }

  /** `observe`: this client only watches. */
  get role(): 'control' | 'observe' {
    return this.#role;
  }

  /** The gateway; undefined without a connection. */
  get agent(): Agent | undefined {
    return this.#agent;
  }

  /** Whether a turn runs. */
  get isWorking(): boolean {
    return this.#events.isWorking;
  }

  /** The cursor of the last event; undefined before the first. */
  get cursor(): string | undefined {
    return this.#events.cursor;
  }

  /** The number of events that the client has. */
  get received(): number {
    return sequenceOf(this.#events.cursor ?? beginning) - sequenceOf(this.#events.start);
  }

  /** Whether the gateway has earlier events than the client. */
  get hasEarlier(): boolean {
    return this.#events.start !== beginning;
  }

  /**
   * Opens the session on a connection: begins a new session, or resumes it after the last event. Resolves with the session as an ordinary agent's.
   * Rejects as `newSession` and `resumeSession` do, and with `not-advertised` if the agent is not a gateway.
   */
  async open(agent: Agent): Promise<Session> {
    this.#agent = agent;
    if (this.#phase === 'failed') this.#become('opening');
    let session: Session;
    try {
      session = await (this.#id === undefined ? this.#begin(agent) : this.#resume(agent, this.#id));
    } catch (error) {
      if (isLoginNeeded(error) && (await this.#parts.logIn?.(agent))) return this.open(agent);
      throw error;
    }
    const { role = 'control', gap } = turnwireMeta<'session/resume answer'>(session.setup._meta);
    if (gap) return this.#openAgain(agent);
    this.#role = role;
    this.#become('ready');
    this.prompts.attach({ agent, sessionId: session.id });
    return session;
  }

  /** Records that the session could not be opened. */
  fail(failure: string): void {
    this.#failure = failure;
    this.#become('failed');
  }

  /** Records the loss of the connection. */
  detach(): void {
    this.#agent = undefined;
    this.prompts.detach();
    this.questions.detach();
    if (this.#phase !== 'failed') this.#become('detached');
  }

  /** Forwards events of the gateway. Drops events that the client has. */
  receive(placed: Parameters<EventStream['receive']>[0]): Promise<void> | undefined {
    return this.#events.receive(placed);
  }

  /** Keeps events until this new session has an id: they may belong to it. */
  keep(logged: GatewayMethods['_turnwire/events']['params']): void {
    if (this.#id === undefined) this.#events.keep(logged);
  }

  /**
   * Reads more events from the end of the session than the client has.
   * @param last the number of events
   * @param show receives the transcript of all of them before any further event arrives
   */
  async readBack(last: number, show: (read: HistoryRead) => void): Promise<void> {
    const { agent, sessionId } = this.#opened();
    const { start } = this.#events;
    await readUpTo(agent, { sessionId, last, cursor: () => this.#events.cursor }, (read) => {
      // The session may have been received again in the meantime.
      if (this.#events.start !== start) return;
      this.#events.extendTo(read.start);
      show(read);
    });
  }

  /** Sends the gateway a request about this session. Rejects as `agent.peer.request` does, and with `connection-closed` without a connection. */
  async ask<Method extends TurnwireRequest>(
    method: Method,
    params: Omit<GatewayMethods[Method]['params'], 'sessionId'>,
  ): Promise<GatewayMethods[Method]['result']> {
    const { agent, sessionId } = this.#opened();
    return askGateway(agent, method, { ...params, sessionId });
  }

  /** Sets the mode. Rejects as {@link ask} does. */
  async setMode(modeId: string): Promise<void> {
    const { agent, sessionId } = this.#opened();
    await agent.peer.request('session/set_mode', { sessionId, modeId });
  }

  /** Sets an option. Rejects as {@link ask} does. */
  async setOption(configId: string, value: string | boolean): Promise<void> {
    const { agent, sessionId } = this.#opened();
    const choice = typeof value === 'boolean' ? ({ type: 'boolean', value } as const) : { value };
    await agent.peer.request('session/set_config_option', { sessionId, configId, ...choice });
  }

  /** Asks the agent to cancel a tool call, a terminal or a child session. Rejects as {@link ask} does. */
  async cancelWork(work: AgentWork): Promise<void> {
    await this.ask('_turnwire/cancel_work', { work });
  }

  /** Forks the session. Resolves with the id of the fork and the report on restored files. Rejects as {@link ask} does. */
  async fork(wanted: TurnwireMeta['session/fork']): Promise<{ readonly id: string; readonly restored?: string }> {
    const { agent, sessionId } = this.#opened();
    const answer = await agent.peer.raw.request('session/fork', { sessionId, _meta: { turnwire: wanted } });
    const { sessionId: id, _meta } = answer as NewSessionResponse;
    const { restored } = turnwireMeta<'session/resume answer'>(_meta);
    return { id, ...(restored !== undefined && { restored }) };
  }

  #opened(): { readonly agent: Agent; readonly sessionId: string } {
    const [agent, sessionId] = [this.#agent, this.#id];
    if (!agent || sessionId === undefined) throw new TurnwireError('connection-closed', 'The session is not open');
    return { agent, sessionId };
  }

  async #begin(agent: Agent): Promise<Session> {
    const { cwd, last = firstEvents, onBegun, now = Date.now } = this.#parts;
    const session = await agent.newSession({ cwd, ...this.#listeners });
    const { events } = await readEnd(agent, session.id, last);
    this.#id = session.id;
    this.#events.beginAt(beginning);
    onBegun?.();
    const { modes = null, configOptions = null } = session.setup;
    // Without a pause in between: later events must come after these.
    await Promise.all([
      this.#events.deliver([{ at: now(), type: 'setup', modes, configOptions }]),
      this.#events.receive(events),
      this.#events.receive(this.#events.takeKept(session.id)),
    ]);
    return session;
  }

  async #resume(agent: Agent, sessionId: string): Promise<Session> {
    const { cwd, last, opening } = this.#parts;
    if (!agent.resumeSession) throw new TurnwireError('not-advertised', 'The agent is not a gateway of this version');
    if (this.#events.cursor === undefined && last !== undefined) {
      const { start, standing = [], events } = await readEnd(agent, sessionId, last);
      this.#events.beginAt(start);
      await Promise.all([this.#events.deliver(standing), this.#events.receive(events)]);
    }
    const turnwire: TurnwireMeta['session/resume'] = { ...opening, after: this.#events.cursor };
    return agent.resumeSession({ cwd, sessionId, meta: { turnwire }, ...this.#listeners });
  }

  #openAgain(agent: Agent): Promise<Session> {
    this.#events.reset();
    this.#parts.onRestart?.();
    return this.open(agent);
  }

  get #listeners(): Pick<NewSessionOptions, 'onUpdate' | 'onMessageLost'> {
    const { onMessageLost } = this.#parts;
    return { onUpdate: (update, context) => this.#update(update, context), onMessageLost };
  }

  /** Without `batches`, updates arrive as ordinary notifications. */
  #update(update: SessionUpdate, { meta }: UpdateContext): Promise<void> | undefined {
    const { now = Date.now } = this.#parts;
    const { cursor, at = now(), by } = turnwireMeta<'session/update'>(meta);
    return this.#events.receive([{ cursor, event: { at, type: 'update', update, ...(by && { by }) } }]);
  }

  #become(phase: SessionPhase): void {
    this.#phase = phase;
    if (phase !== 'failed') this.#failure = undefined;
    this.#parts.onChange?.();
  }
}

function isLoginNeeded(error: unknown): boolean {
  return error instanceof ProtocolError && error.code === errorCodes.authenticationRequired;
}
