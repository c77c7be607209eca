import type { TranscriptEvent } from '@turnwire/client/transcript';
import {
  type ListSessionsRequest,
  type ListSessionsResponse,
  type PromptResponse,
  type ProtocolError,
} from '@turnwire/protocol';
import type { Permissions } from '@turnwire/permissions';
import type { GatewayLimits } from '../gateway-limits.ts';
import type { HostedAgent } from '../hosted-agent.ts';
import type { SessionEvent } from '../log/session-event.ts';
import { type LogOwner, SessionLog } from '../log/session-log.ts';
import { openTurn, turnInterrupted } from '../log/turn-history.ts';
import type { Cursor, SessionClaim, SessionRecord, SessionStore } from '../store/session-store.ts';
import type { AccessSession, AgentForSession } from './agent-access.ts';
import { AskedClients } from './asked-clients.ts';
import { AttachedClient, type AttachedSession } from './attached-client.ts';
import type { HostedClient } from './hosted-client.ts';
import { noteEvent, notePrompt } from './event-notes.ts';
import { IdleTimer } from './idle-timer.ts';
import { MissedEvents } from './missed-events.ts';
import type { AcceptedPrompt, WaitingPrompt } from './prompt-line.ts';
import { Questions } from './questions.ts';
import { RulesInForce } from './rules-in-force.ts';
import { forkPoint } from './fork-point.ts';
import type { Fork } from './fork-session.ts';
import { type AgentInUse, type AgentOwner, SessionAgent, type Waking } from './session-agent.ts';
import { SessionClients } from './session-clients.ts';
import { SessionEnding } from './session-ending.ts';
import type { SessionFacts } from './session-facts.ts';
import type { SessionRules } from './session-rules.ts';
import { notSent } from './session-refusals.ts';
import type { SessionState } from './session-state.ts';
import { type GivenPrompt, promptKey, SessionTurns, type TurnsHost } from './session-turns.ts';
import { ShownState } from './shown-state.ts';
import { StoredRecord } from './stored-record.ts';

/** What a session is hosted with. */
export interface SessionHostParts {
  readonly store: SessionStore;
  readonly claim: SessionClaim;
  readonly agent: HostedAgent;
  /** What its agents are started with, and one that runs already. */
  readonly first: AgentForSession;
  readonly rules: SessionRules;
  readonly limits: GatewayLimits;
  /** Throws what is answered if its tenant may have no further agent, or prompt. */
  readonly admit: (what: 'agent' | 'prompt') => void;
  /** Events are forgotten once every attached client has them. */
  readonly isPassing: boolean;
  /** Called with every event, before it is stored. */
  readonly onEvent: (host: SessionHost, event: SessionEvent) => void;
  /** Called when the session has ended here, by itself or by `close`. */
  readonly onEnded: (host: SessionHost) => void;
}

/** One session: its agent, its log, its only queue of prompts and of questions, and the clients that are attached to it. */
export class SessionHost implements AccessSession, AgentOwner, AttachedSession, LogOwner, TurnsHost {
  readonly questions: Questions;
  readonly #parts: SessionHostParts;
  readonly log: SessionLog;
  readonly clients: SessionClients = new SessionClients();
  /** From prompts to their answers. */
  readonly turns: SessionTurns;
  readonly #rules: RulesInForce;
  readonly #permissions: AskedClients;
  readonly #record: StoredRecord;
  readonly #agent: SessionAgent;
  readonly #forksAfterMessage: boolean;
  readonly #shownState: ShownState;
  /** What no client was there to read, and the next one is to know. */
  readonly #missed = new MissedEvents();
  /** Runs while it has neither clients nor work. */
  readonly #idle: IdleTimer;
  /** How many starts of the agent and attachments of clients are under way. */
  #opening = 0;
  #controller: HostedClient | undefined;
  #promptMeta: AcceptedPrompt['meta'];
  readonly #ending = new SessionEnding();

  private constructor(parts: SessionHostParts) {
    const { store, claim, limits, first } = parts;
    this.#parts = parts;
    this.#idle = new IdleTimer(limits.idle, () => void this.close({ asClosed: false }));
    this.#record = new StoredRecord({ store, claim, host: this });
    this.log = new SessionLog({ store, claim, host: this });
    this.questions = new Questions(this, limits.question);
    this.#permissions = new AskedClients(claim.record.id, this.questions);
    this.#rules = new RulesInForce({
      rules: parts.rules,
      record: claim.record,
      ask: (question) => this.#permissions.ask(question),
      onWarning: (title) => this.warn(title),
    });
    this.#forksAfterMessage = parts.agent.differences?.forksAfterMessage === true;
    this.#agent = new SessionAgent({
      hosted: parts.agent,
      first,
      record: this.#record,
      rules: this.#rules,
      host: this,
    });
    this.#shownState = new ShownState(this.#agent.state, this);
    const { epoch } = claim;
    this.turns = new SessionTurns({ host: this, agent: this.#agent, epoch, limits, isPassing: parts.isPassing });
    first.access.bind(this);
  }

  /** Opens a session that was claimed. A turn that was running when its last owner ended is closed as interrupted; it is never run again. */
  static async open(parts: SessionHostParts): Promise<SessionHost> {
    const host = new SessionHost(parts);
    const turnId = await openTurn(host.log);
    if (turnId !== undefined) host.#append({ at: Date.now(), type: 'turn-failed', turnId, message: turnInterrupted });
    await host.log.stored();
    host.mayIdle();
    return host;
  }

  get id(): string {
    return this.record.id;
  }

  get record(): SessionRecord {
    return this.#record.current;
  }

  get facts(): SessionFacts {
    return this.#record.facts;
  }

  /** What the agent waits for before it is read on: that what it has said is stored. */
  get room(): Promise<void> | undefined {
    return this.log.room;
  }

  get head(): Cursor {
    return this.log.head;
  }

  /** Whether it has an agent at the moment. */
  get isAwake(): boolean {
    return this.#agent.isAwake;
  }

  /** What it does: a turn runs or waits, or a question waits for an answer. Undefined: neither. */
  get activity(): 'asking' | 'working' | undefined {
    if (this.questions.size > 0) return 'asking';
    return this.turns.areUnderWay ? 'working' : undefined;
  }

  /** What its agent does, as clients are shown it: never before the events that led to it. */
  get shownState(): SessionState {
    return this.#shownState.current;
  }

  /** What its agent does; the same object until that changes. */
  get state(): SessionState {
    return this.#agent.state;
  }

  get permissions(): Permissions {
    return this.#rules.current;
  }

  /** The client in control of the running turn; undefined if it is gone. */
  get controller(): HostedClient | undefined {
    return this.attached.find((client) => client === this.#controller);
  }

  get attached(): readonly HostedClient[] {
    return this.clients.hosted;
  }

  /** What the last prompt that began has in `_meta` for the agent. */
  get promptMeta(): AcceptedPrompt['meta'] {
    return this.#promptMeta;
  }

  /** The prompts that wait. */
  get waiting(): readonly WaitingPrompt[] {
    return this.turns.line.waiting;
  }

  /** How long it keeps its agent without clients and work, in milliseconds, in the place of what the gateway's limits say. */
  keepFor(idle: number): void {
    this.#idle.time = idle;
    this.mayIdle();
  }

  /** What clients that read events have missed while none was attached: the next one is to know it. Each is given once. */
  takeMissed(): readonly SessionEvent[] {
    return this.#missed.take();
  }

  /** Gives it another title, which every client sees. */
  rename(title: string): void {
    const update = { sessionUpdate: 'session_info_update', title } as const;
    const event = { at: Date.now(), type: 'update', update } as const;
    noteEvent(event, this.#record, this.#agent);
    this.#append(event);
  }

  /** Starts the agent and opens the session with it, unless that was done. Rejects with the reason if it cannot be. */
  async wake(how?: Waking): Promise<void> {
    this.refuse();
    await this.#whileOpening(() => this.#agent.wake(how));
    await this.log.stored();
  }

  /** Ends the agent, if it runs, and starts it, with the session. Rejects with the reason if it cannot be. */
  async restart(): Promise<void> {
    this.refuse();
    await this.#agent.restart();
    await this.log.stored();
  }

  /** Logs in at the agent, which runs. The session goes on, if it waited for that. */
  async authenticate(methodId: string): Promise<void> {
    await this.#agent.authenticate(methodId);
    await this.log.stored();
  }

  /** A page of the sessions that the agent itself has in a folder, without this one. */
  ownSessions(query: ListSessionsRequest): Promise<ListSessionsResponse> {
    return this.#agent.ownSessions(query);
  }

  /**
   * Attaches a client, which gets the events after a cursor, at first up to the head: see {@link AttachedClient.goLive}. Resolves with the
   * reason too if the events after the cursor are not complete.
   */
  async attach(
    client: HostedClient,
    { after, begins }: { readonly after: Cursor; readonly begins?: boolean | undefined },
  ): Promise<{ readonly attached: AttachedClient; readonly gap?: 'trimmed' | 'unknown' }> {
    return this.#whileOpening(async () => {
      const { gap, start } = await this.log.placeAfter(after);
      const attached = new AttachedClient(client, this, { after: start, begins });
      this.clients.add(attached);
      return { attached, ...(gap && { gap }) };
    });
  }

  /** A client is about to come: the session stays, also if another one leaves in the meantime. */
  async #whileOpening<Result>(work: () => Promise<Result>): Promise<Result> {
    this.#opening++;
    this.mayIdle();
    try {
      return await work();
    } finally {
      this.#opening--;
      this.mayIdle();
    }
  }

  /** A client has all events: it is asked what waits for an answer. */
  caughtUp(attached: AttachedClient): void {
    this.questions.offerTo(attached);
  }

  /** A client is detached. */
  ended(attached: AttachedClient): void {
    this.clients.delete(attached);
    attached.client.onEnded(attached);
    this.mayIdle();
  }

  /** Runs a turn, after those before it. Rejects with the ProtocolError to answer with. */
  prompt(given: GivenPrompt): Promise<PromptResponse> {
    this.#parts.admit('prompt');
    return this.turns.prompt(given);
  }

  /** Its agent, for what a client has it do: it is started for that. Throws if it may not be. */
  get agent(): AgentInUse {
    this.refuse();
    return this.#agent;
  }

  /** Has the agent make a session of its own that begins with the history of this one. */
  async fork(meta: Readonly<Record<string, unknown>> | undefined): Promise<Fork> {
    this.refuse();
    return this.#agent.fork(this.#forksAfterMessage ? await forkPoint(this.log, meta) : meta);
  }

  /** Ends the agent. The session stays in the store, and goes on with the next prompt. */
  async park(): Promise<void> {
    this.#idle.stop();
    await this.#agent.end();
    await this.log.stored();
    await this.#record.saved;
  }

  /** A client closes the session: for itself if others have it, else for good. */
  async closeFor(attached: AttachedClient): Promise<void> {
    if (this.clients.areOnly(attached)) await this.close({ asClosed: true });
    else attached.detach();
  }

  /** Ends the agent, and detaches every client. A session that was never prompted is forgotten. */
  close(how: { readonly asClosed: boolean }): Promise<void> {
    return this.#ending.during(this.#close(how));
  }

  async #close({ asClosed }: { readonly asClosed: boolean }): Promise<void> {
    await this.park();
    const { isPrompted, isKept } = this.facts;
    if (!isPrompted && !isKept) await this.#forget();
    else if (asClosed) this.#record.save({ closedAt: Date.now() });
    await this.#record.saved;
    this.#end();
  }

  /** Throws if the session cannot do anything, or has no agent and may not have one. */
  refuse(): void {
    if (this.unstored) throw this.unstored;
    if (!this.#agent.isAwake) this.#parts.admit('agent');
  }

  async beforeTurn(turnId: string): Promise<void> {
    const prompted = this.turns.line.get(turnId);
    if (!prompted) return;
    const { rules: given, decisions, limited, failsIfLost, acceptedAt } = prompted;
    if (failsIfLost && (this.facts.contextLostAt ?? 0) >= acceptedAt) throw notSent();
    this.#rules.begin({ given, decisions, stop: (message) => limited.stop({ reason: 'rules', message }) });
    this.#agent.warnIfItNeverAsks();
    await this.#agent.ensureAsking();
  }

  received(event: TranscriptEvent): void {
    const prompted = 'turnId' in event ? this.turns.line.get(event.turnId) : undefined;
    const by = prompted?.client.author ?? this.#permissions.takeAuthor(event);
    noteEvent(event, this.#record, this.#agent);
    const isPrompt = event.type === 'prompt' && prompted !== undefined;
    if (isPrompt) this.#begins(event, prompted);
    const key = isPrompt ? prompted.key : undefined;
    const keyed = key === undefined ? event : { ...event, key };
    this.#append(by ? { ...keyed, by } : keyed, key === undefined ? undefined : promptKey(key));
  }

  #begins(
    { turnId, into }: TranscriptEvent & { readonly type: 'prompt' },
    { client, content, meta }: AcceptedPrompt,
  ): void {
    this.turns.line.begin(turnId);
    if (into !== undefined) return;
    this.#controller = client;
    this.#promptMeta = meta;
    notePrompt(content, this.#record);
  }

  #append(event: SessionEvent, key?: string): void {
    this.log.append(event, key);
    // Updates are missed by nobody: clients that come read the log.
    if (event.type !== 'update' && !this.clients.areReading)
      this.#missed.add(event, (turnId) => this.turns.line.get(turnId)?.isUnattended === true);
    this.#parts.onEvent(this, event);
  }

  stateChanged(): void {
    this.#shownState.become(this.state);
  }

  /** What every prompt is answered with, once the session cannot be stored. */
  get unstored(): ProtocolError | undefined {
    return this.#ending.unstored;
  }

  haveAll(cursor: Cursor): boolean {
    return this.clients.haveAll(cursor);
  }

  notify(): void {
    this.clients.notify();
  }

  warn(title: string): void {
    this.#append({ at: Date.now(), type: 'remark', severity: 'warning', title });
  }

  async #forget(): Promise<void> {
    const { tenant, id } = this.record;
    await this.#parts.store.delete(tenant, id).catch((error: unknown) => this.failed(error as Error));
  }

  /** Nothing may be shown that is not stored, so a session that cannot be stored ends here. */
  async failed(error: Error): Promise<void> {
    if (this.#ending.fail(error)) await this.#ending.during(this.#agent.end().then(() => this.#end()));
  }

  /** Resolves when the session, which is being ended, has ended here; undefined: it is not. */
  get ending(): Promise<void> | undefined {
    return this.#ending.underWay;
  }

  #end(): void {
    if (!this.#ending.finish()) return;
    this.#idle.stop();
    this.clients.detach();
    this.#parts.onEnded(this);
  }

  /** Without clients and work the agent is ended after a while. */
  mayIdle(): void {
    const isUsed = this.clients.size > 0 || this.turns.areUnderWay || this.#opening > 0;
    if (isUsed || this.#ending.hasBegun) this.#idle.stop();
    else this.#idle.start();
  }
}
