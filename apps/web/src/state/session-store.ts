import { type Agent, errorText, type Session, type UpdateContext } from '@turnwire/client';
import { forksOf, type KnownForkSettings } from '@turnwire/client/extensions';
import { emptyTranscript, reduceAll, type TranscriptEvent } from '@turnwire/client/transcript';
import {
  type ContentBlock,
  type CreateElicitationRequest,
  type CreateElicitationResponse,
  errorCodes,
  type PermissionOption,
  type PromptCapabilities,
  ProtocolError,
  type RequestPermissionRequest,
  type SessionUpdate,
  TurnwireError,
} from '@turnwire/protocol';
import { serverClock } from '../server/server-clock.ts';
import { gatewayMeta } from './gateway-meta.ts';
import type { OpenQuestion } from './questions.ts';
import { beginning, type HistoryRead, type PlacedEvent, readEnd, readUpTo, sequenceOf } from './session-history.ts';
import { Prompts, withoutPrompt } from './prompts.ts';
import type { SessionState } from './session-state.ts';
import { Store } from './store.ts';

/** What a session is opened with. */
export interface SessionParts {
  readonly cwd: string;
  /** Absent for a new one. */
  readonly id?: string | undefined;
  /** Asks the user to log in at an agent; whether that was done. */
  readonly logIn: (agent: Agent) => Promise<boolean>;
  /** Called as soon as a new session has an id, and can receive events. */
  readonly onBegun: () => void;
}

let lastQuestion = 0;

/** How many events of the end of a session are loaded when it is opened, and by how much more each time that more are needed. */
const firstEvents = 400;
const growth = 5;

/**
 * A session as this window has it. What is shown is made of the log of the gateway alone, so that it is the same in every window and after
 * a connection broke. With an agent that has no log, this side records its own prompts and their ends.
 */
export class SessionStore {
  /** Identifies it in this window, also before it has an id. */
  readonly key: string = crypto.randomUUID();
  readonly agentName: string;
  readonly cwd: string;
  readonly state: Store<SessionState>;
  readonly prompts: Prompts;
  readonly #logIn: SessionParts['logIn'];
  readonly #onBegun: () => void;
  #id: string | undefined;
  #agent: Agent | undefined;
  #session: Session | undefined;
  #cursor: string | undefined;
  #hasLog = false;
  #hasHistory = false;
  /** The cursor behind which the view begins. */
  #start = beginning;
  #reading: Promise<void> = Promise.resolve();

  /** @param parts `logIn` asks the user to log in at an agent */
  constructor(agentName: string, { cwd, id, logIn, onBegun }: SessionParts) {
    this.agentName = agentName;
    this.cwd = cwd;
    this.#logIn = logIn;
    this.#onBegun = onBegun;
    this.#id = id;
    this.state = new Store<SessionState>({
      view: emptyTranscript(),
      firstRow: 0,
      earlier: 'none',
      phase: 'opening',
      role: 'control',
      waiting: [],
      queue: [],
      questions: [],
      visits: [],
      isCancelling: false,
    });
    this.prompts = new Prompts(this.state, (event) => this.#record([event]));
  }

  get id(): string | undefined {
    return this.#id;
  }

  /** What is in the editor: it stays there while another session is shown, and when a phone or the user loads the page again. */
  get draft(): string {
    return localStorage.getItem(this.#draftKey) ?? '';
  }

  set draft(text: string) {
    if (text === '') localStorage.removeItem(this.#draftKey);
    else localStorage.setItem(this.#draftKey, text);
  }

  /** What is attached to the next prompt, as long as the page is open. */
  attached: readonly ContentBlock[] = [];

  get #draftKey(): string {
    return `draft ${this.agentName} ${this.#id ?? `in ${this.cwd}`}`;
  }

  /** Which settings of forks the agent knows. Undefined if it makes none, or while there is no connection. */
  get forks(): KnownForkSettings | undefined {
    return forksOf(this.#agent?.capabilities);
  }

  /** The modes and options can be set with it. Undefined while there is no connection. */
  get session(): Session | undefined {
    return this.#session;
  }

  /** What prompts may hold besides text and links. */
  get promptCapabilities(): PromptCapabilities {
    return this.#agent?.capabilities.promptCapabilities ?? {};
  }

  /** Opens the session on a connection: a new one, a stored one, or again from where the last connection ended. */
  async attach(agent: Agent): Promise<void> {
    this.#agent = agent;
    if (this.state.current.phase === 'failed') this.state.change({ phase: 'opening' });
    const { events, history } = gatewayMeta(agent.capabilities._meta);
    this.#hasLog = events === true;
    this.#hasHistory = history === true;
    try {
      if (this.#id !== undefined && this.#cursor === undefined && this.#hasHistory)
        await this.#readEnd(agent, this.#id);
      this.#session = await this.#open(agent);
    } catch (error) {
      const wantsLogin = error instanceof ProtocolError && error.code === errorCodes.authenticationRequired;
      if (wantsLogin && (await this.#logIn(agent))) return this.attach(agent);
      if (agent === this.#agent) this.state.change({ phase: 'failed', failure: errorText(error) });
      return;
    }
    const { role = 'control', gap } = gatewayMeta(this.#session.setup._meta);
    if (gap) return this.#loadAgain(agent);
    this.state.change({ phase: 'ready', role });
    this.prompts.attach({ agent, session: this.#session, hasLog: this.#hasLog, logIn: () => this.#logIn(agent) });
  }

  /** The agent is not there, and the server has said why. */
  cannotOpen(failure: string): void {
    if (this.state.current.phase === 'opening') this.state.change({ phase: 'failed', failure });
  }

  /** The connection is gone: questions come again with the next one. */
  detach(): void {
    this.#agent = undefined;
    this.#session = undefined;
    this.prompts.detach();
    if (this.state.current.phase !== 'failed') this.state.change({ phase: 'detached', questions: [] });
  }

  async setMode(modeId: string): Promise<void> {
    if (this.#hasLog) await this.#request('session/set_mode', { modeId });
    else await this.#session?.modes?.set(modeId);
    this.#showSettings();
  }

  async setOption(configId: string, value: string | boolean): Promise<void> {
    const choice = typeof value === 'boolean' ? { type: 'boolean', value } : { value };
    if (this.#hasLog) await this.#request('session/set_config_option', { configId, ...choice });
    else await this.#session?.configOptions?.set(configId, value);
    this.#showSettings();
  }

  /** Asks the user for a permission. Resolves with undefined when the question was answered elsewhere, or does not matter any more. */
  askPermission(request: RequestPermissionRequest, signal: AbortSignal): Promise<PermissionOption | undefined> {
    return this.#ask<PermissionOption | undefined>(signal, undefined, (id, answer) => ({
      type: 'permission',
      id,
      request,
      answer,
    }));
  }

  /** Asks the user a question of the agent. */
  async askElicitation(request: CreateElicitationRequest, signal: AbortSignal): Promise<CreateElicitationResponse> {
    const answer = await this.#ask<CreateElicitationResponse>(signal, { action: 'cancel' }, (id, answer) => ({
      type: 'elicitation',
      id,
      request,
      answer,
    }));
    if (request.mode === 'url' && answer.action === 'accept') {
      const { elicitationId: id, url } = request as unknown as { readonly elicitationId: string; readonly url: string };
      this.state.change({ visits: [...this.state.current.visits, { id, url }] });
    }
    return answer;
  }

  /** The user is done with a page, says the agent or the user. */
  endVisit(id: string): void {
    const { visits } = this.state.current;
    if (visits.some((visit) => visit.id === id))
      this.state.change({ visits: visits.filter((visit) => visit.id !== id) });
  }

  /** Events of the log. Those that are there already are left out. */
  receive(placed: readonly PlacedEvent[]): void {
    const last = sequenceOf(this.#cursor ?? beginning);
    const news = placed.filter(({ cursor }) => sequenceOf(cursor) > last);
    const newest = news.at(-1);
    this.#cursor = newest?.cursor ?? this.#cursor;
    // Before it is ready, it receives what happened earlier.
    if (newest && this.state.current.phase === 'ready') serverClock.measure(newest.event.at);
    this.#record(news.map(({ event }) => event));
  }

  /** Loads several times as many events as there are, or all of them. Does nothing if there are no others, or while it does so already. */
  async readEarlier(isAll = false): Promise<void> {
    const agent = this.#agent;
    if (!agent || this.#id === undefined || this.state.current.earlier !== 'there') return this.#reading;
    this.state.change({ earlier: 'loading' });
    const loaded = sequenceOf(this.#cursor ?? beginning) - sequenceOf(this.#start);
    const last = isAll ? Number.MAX_SAFE_INTEGER : loaded * growth;
    const range = { sessionId: this.#id, last, cursor: () => this.#cursor };
    this.#reading = readUpTo(agent, range, (read) => this.#showEarlier(read)).catch(() => {
      if (this.state.current.earlier === 'loading') this.state.change({ earlier: 'there' });
    });
    await this.#reading;
  }

  /** Loads all there is. */
  async readAll(): Promise<void> {
    await this.#reading;
    await this.readEarlier(true);
  }

  /** Says something in this window, below all there is. */
  remark(title: string, description: string): void {
    this.#record([{ at: serverClock.now(), type: 'remark', severity: 'info', title, description }]);
  }

  /** A request about this session. */
  async #request(method: string, params: object): Promise<unknown> {
    return this.#agent?.peer.raw.request(method, { sessionId: this.#id, ...params });
  }

  #open(agent: Agent): Promise<Session> {
    const listeners = {
      onUpdate: (update: SessionUpdate, context: UpdateContext) => this.#update(update, context),
      onPermission: (event: Omit<TranscriptEvent & { type: 'permission-asked' }, 'at'> | object) => {
        if (!this.#hasLog) this.#record([{ at: serverClock.now(), ...event } as TranscriptEvent]);
      },
    };
    const options = { cwd: this.cwd, ...listeners };
    if (this.#id === undefined) return this.#create(agent, options);
    const sessionId = this.#id;
    if (this.#cursor !== undefined && agent.resumeSession)
      return agent.resumeSession({ ...options, sessionId, meta: { turnwire: { after: this.#cursor } } });
    const open = agent.loadSession ?? agent.resumeSession;
    if (!open) throw new TurnwireError('not-advertised', 'The agent can neither load nor resume a session');
    return open({ ...options, sessionId });
  }

  async #create(agent: Agent, options: Parameters<Agent['newSession']>[0]): Promise<Session> {
    const session = await agent.newSession(options);
    const { modes, configOptions, _meta } = session.setup;
    // What the agent said before this window was attached is in the log alone. What comes meanwhile waits for the id.
    const said = this.#hasHistory ? (await readEnd(agent, session.id, firstEvents)).events : [];
    const { draft } = this;
    this.draft = '';
    this.#id = session.id;
    this.draft = draft;
    this.#cursor = this.#hasHistory ? beginning : gatewayMeta(_meta).cursor;
    this.#record([
      { at: serverClock.now(), type: 'setup', modes: modes ?? null, configOptions: configOptions ?? null },
    ]);
    this.receive(said);
    this.#onBegun();
    return session;
  }

  #showEarlier({ view, start }: HistoryRead): void {
    const { view: before, firstRow, earlier } = this.state.current;
    if (earlier !== 'loading') return;
    this.#start = start;
    this.state.change({
      view,
      firstRow: firstRow + before.entries.length - view.entries.length,
      earlier: start === beginning ? 'none' : 'there',
    });
  }

  /** Shows the end of a stored session. What comes after it is received by resuming from there. */
  async #readEnd(agent: Agent, sessionId: string): Promise<void> {
    const { start, standing = [], events } = await readEnd(agent, sessionId, firstEvents);
    this.#cursor = this.#start = start;
    this.state.change({ earlier: start === beginning ? 'none' : 'there' });
    this.#record(standing);
    this.receive(events);
  }

  /** Some of what came after the cursor is gone: the whole session is shown anew. */
  async #loadAgain(agent: Agent): Promise<void> {
    this.#cursor = undefined;
    this.state.change({ view: emptyTranscript(), firstRow: 0, earlier: 'none', workingSince: undefined });
    await this.attach(agent);
  }

  #update(update: SessionUpdate, { isReplay, meta }: UpdateContext): void {
    const { cursor, at = serverClock.now() } = gatewayMeta(meta);
    if (cursor !== undefined) this.#cursor = cursor;
    // What the log replays is the session itself, not a copy that the agent remembers.
    this.#record([{ at, type: 'update', update, ...(isReplay && !this.#hasLog && { isReplay }) }]);
  }

  #record(events: readonly TranscriptEvent[]): void {
    if (events.length === 0) return;
    const { waiting, ...state } = this.state.current;
    const view = reduceAll(state.view, events);
    const prompts = events.filter((event) => event.type === 'prompt');
    const begun = prompts.filter(({ into }) => into === undefined);
    const isWorking = view.turnId !== undefined;
    this.state.set({
      ...state,
      view,
      waiting: prompts.reduce(withoutPrompt, waiting),
      visits: isWorking ? state.visits : [],
      workingSince: isWorking ? (begun.at(-1)?.at ?? state.workingSince) : undefined,
      isCancelling: state.isCancelling && isWorking && begun.length === 0,
    });
    if (!isWorking) this.prompts.next();
  }

  #showSettings(): void {
    if (this.#hasLog || !this.#session) return;
    const { modes, configOptions } = this.#session;
    const shown = modes ? { currentModeId: modes.current, availableModes: [...modes.available] } : null;
    this.#record([{ at: serverClock.now(), type: 'setup', modes: shown, configOptions: configOptions?.list ?? null }]);
  }

  #ask<Answer>(
    signal: AbortSignal,
    withdrawn: Answer,
    question: (id: number, answer: (given: Answer) => void) => OpenQuestion,
  ): Promise<Answer> {
    return new Promise((resolve) => {
      const id = ++lastQuestion;
      const settle = (answer: Answer): void => {
        resolve(answer);
        const { questions } = this.state.current;
        this.state.change({ questions: questions.filter((each) => each.id !== id) });
      };
      signal.addEventListener('abort', () => settle(withdrawn), { once: true });
      this.state.change({ questions: [...this.state.current.questions, question(id, settle)] });
    });
  }
}
