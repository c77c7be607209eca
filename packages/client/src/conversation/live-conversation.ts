import { TurnwireError, type ContentBlock, type Implementation, type SessionUpdate } from '@turnwire/protocol';
import { soon } from '@turnwire/machine/waits';
import type { Agent } from '../agent/agent.ts';
import type { NewSessionOptions } from '../session/session-options.ts';
import { errorText } from '../agent/error-text.ts';
import { lossText, type MessageLoss } from '../session/message-loss.ts';
import type { Session, UpdateListener } from '../session/session.ts';
import { PromptTurn, type Turn, type TurnResult } from '../session/turn.ts';
import type { TranscriptView } from '../transcript/index.ts';
import { AgentStart, type StartListener } from './agent-start.ts';
import { ChangeListeners } from './change-listeners.ts';
import type { Conversation, ConversationState, QueuedPrompt } from './conversation.ts';
import type { ConversationOptions } from './conversation-options.ts';
import { ConversationRecord } from './conversation-record.ts';
import { DesiredSettings } from './desired-settings.ts';
import { afterFailure, closed, isLoginNeeded } from './endings.ts';
import { type Prompted, PromptQueue } from './prompt-queue.ts';
import { canSteer, steer } from './steer.ts';
import type { OpenedSession } from './restore-session.ts';

const defaultSilence = 60_000;
const cancelled: TurnResult = { stopReason: 'cancelled' };

/** The implementation of a conversation. */
export class LiveConversation implements Conversation, StartListener {
  readonly opened: Promise<void>;
  readonly #options: ConversationOptions;
  readonly #changes = new ChangeListeners();
  readonly #desired = new DesiredSettings();
  /** There while something waits that the end of the conversation ends. */
  #ending: AbortController | undefined;
  #state: ConversationState = { name: 'starting', since: Date.now() };
  readonly #record: ConversationRecord;
  readonly #queue = new PromptQueue();
  #running: Prompted | undefined;
  #settingUp: Promise<void>;
  #prompts = 0;
  readonly #start: AgentStart;
  readonly #unwatch: (() => void) | undefined;

  constructor(options: ConversationOptions) {
    this.#options = options;
    this.#record = new ConversationRecord(options, () => this.#changes.changed());
    this.#start = new AgentStart(options, this);
    if (options.modeId !== undefined) this.#desired.mode(options.modeId);
    this.#unwatch = options.terminals?.watch((snapshot) => {
      if (snapshot.sessionId === this.#start.sessionId) this.#record.add({ type: 'terminal', snapshot });
    });
    this.#settingUp = this.#orFail(this.#start.begin({ isRestart: false }));
    this.opened = this.#settingUp;
    this.opened.catch(() => undefined);
  }

  get state(): ConversationState {
    return this.#state;
  }

  get transcript(): TranscriptView {
    return this.#record.transcript;
  }

  get agent(): Agent | undefined {
    return this.#start.agent;
  }

  get session(): Session | undefined {
    return this.#start.session;
  }

  get agentInfo(): Implementation | undefined {
    return this.#start.agent?.info;
  }

  get queue(): readonly QueuedPrompt[] {
    return this.#queue.list;
  }

  onChange(listener: () => void): () => void {
    return this.#changes.add(listener);
  }

  prompt(
    prompt: string | readonly ContentBlock[],
    { id = String(++this.#prompts) }: { readonly id?: string | undefined } = {},
  ): Turn {
    const content: readonly ContentBlock[] = typeof prompt === 'string' ? [{ type: 'text', text: prompt }] : prompt;
    const prompted: Prompted = { id, content, turn: new PromptTurn(() => this.#cancel(prompted)) };
    if (this.#state.name === 'closed') prompted.turn.fail(closed());
    else this.#queue.add(prompted);
    if (this.#isBroken) void this.restart();
    this.#next();
    this.#changes.changed();
    return prompted.turn;
  }

  async cancel(): Promise<void> {
    await this.#running?.turn.cancel().catch(() => undefined);
  }

  withdraw(id: string): boolean {
    const prompted = this.#queue.waiting(id);
    if (prompted) void prompted.turn.cancel();
    return prompted !== undefined;
  }

  advance(id: string): boolean {
    const prompted = this.#queue.waiting(id);
    if (!prompted) return false;
    this.#queue.advance(prompted);
    this.#changes.changed();
    return true;
  }

  async steer(id: string): Promise<boolean> {
    const prompted = this.#queue.waiting(id);
    const running = this.#running;
    const { agent, sessionId } = this.#start;
    if (!prompted || !running?.sent || this.#state.name !== 'working') return false;
    if (!canSteer(agent) || sessionId === undefined) return false;
    this.advance(id);
    prompted.into = running;
    try {
      return await steer(agent, {
        sessionId,
        prompt: prompted.content,
        onTaken: () => this.#join(prompted, running),
      });
    } finally {
      // Not taken, it waits on.
      if (this.#queue.has(prompted)) prompted.into = undefined;
      this.#next();
    }
  }

  async setMode(modeId: string): Promise<void> {
    const { modes } = await this.#ready();
    if (!modes) throw new TurnwireError('not-advertised', 'The agent has no modes');
    await modes.set(modeId);
    this.#desired.mode(modeId);
    this.#record.addSetup(this.#start.session ?? {});
  }

  async setConfigOption(id: string, value: string | boolean): Promise<void> {
    const { configOptions } = await this.#ready();
    if (!configOptions) throw new TurnwireError('not-advertised', 'The agent has no options');
    await configOptions.set(id, value);
    this.#desired.option(id, value);
    this.#record.addSetup(this.#start.session ?? {});
  }

  async authenticate(methodId: string): Promise<void> {
    const { agent } = this.#start;
    if (!agent) throw new TurnwireError('connection-closed', 'The agent is not running; restart it before you log in');
    const { needsRestart } = await agent.authenticate(methodId);
    if (needsRestart) await this.restart();
    else if (this.#state.name === 'login-needed') await (this.#settingUp = this.#start.continue(agent));
  }

  restart(): Promise<void> {
    if (this.#state.name === 'closed') return Promise.reject(closed());
    if (this.#state.name === 'reconnecting') this.#start.hurry();
    if (this.#state.name === 'starting' || this.#state.name === 'reconnecting') return this.#settingUp;
    this.#settingUp = this.#orFail(this.#start.beginAgain());
    // Callers that did not ask for the restart learn of its failure from the state.
    this.#settingUp.catch(() => undefined);
    return this.#settingUp;
  }

  async close(): Promise<void> {
    if (this.#state.name === 'closed') return;
    const { session } = this.#start;
    this.setState({ name: 'closed' });
    this.#ending?.abort();
    for (const { turn } of this.#queue.list) void turn.cancel();
    await this.cancel();
    await session?.close?.().catch(() => undefined);
    await this.#start.endAgent();
    this.#unwatch?.();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  /** The agent has taken a prompt into the running turn. */
  #join(prompted: Prompted, running: Prompted): void {
    // It may have been called off on its way.
    if (!this.#queue.has(prompted)) return;
    this.#queue.remove(prompted);
    this.#record.add({ type: 'prompt', turnId: prompted.id, content: prompted.content, into: running.id });
    this.#changes.changed();
    const { turn } = prompted;
    running.turn.result.then(
      (result) => turn.succeed(result),
      (error: unknown) => turn.fail(error),
    );
  }

  /** The agent has ended or does not react: only a restart helps. */
  get #isBroken(): boolean {
    const { name } = this.#state;
    return name === 'dead' || name === 'reconnecting' || (this.#state.name === 'cancelling' && this.#state.isOverdue);
  }

  async #ready(): Promise<Session> {
    await this.#settingUp;
    return this.#start.session as Session;
  }

  /** The agent is gone without having been asked to leave. */
  #broke(message: string): void {
    if (!this.#start.reconnects) return this.setState({ name: 'dead', message });
    this.#settingUp = this.#orFail(this.#start.reconnect(message));
    // Callers learn of the failure from the state.
    this.#settingUp.catch(() => undefined);
  }

  async #orFail(start: Promise<void>): Promise<void> {
    try {
      await start;
    } catch (error) {
      this.#failToStart(error);
      throw error;
    }
  }

  async sessionOpened({ session, boundary }: OpenedSession): Promise<void> {
    if (boundary) this.#record.add({ type: 'boundary', ...boundary });
    for (const remark of await this.#desired.apply(session))
      this.#record.add({ type: 'remark', severity: 'warning', title: remark });
    this.#record.addSetup(this.#start.session ?? {});
    this.setState({ name: 'ready' });
    this.#ending = undefined;
    this.#next();
  }

  /** Aborts when the conversation is closed. */
  untilClosed(): AbortSignal {
    this.#ending ??= new AbortController();
    if (this.#state.name === 'closed') this.#ending.abort();
    return this.#ending.signal;
  }

  sessionOptions(onUpdate: UpdateListener): NewSessionOptions {
    const { cwd, additionalDirectories, mcpServers, meta } = this.#options;
    return {
      cwd,
      additionalDirectories,
      mcpServers,
      meta,
      signal: this.untilClosed(),
      onUpdate,
      onPermission: (event) => this.#record.add(event),
      onMessageLost: (loss) => this.#lost(loss),
      silence: this.#options.silence ?? defaultSilence,
      onSilence: (_, silentSince) => this.#silent(silentSince),
    };
  }

  #failToStart(error: unknown): void {
    const message = errorText(error);
    if (isLoginNeeded(error) && this.#start.agent) return this.setState({ name: 'login-needed', message });
    this.setState({ name: 'dead', message });
    this.#failQueue(error);
  }

  remark(severity: 'info' | 'warning', title: string, description: string): void {
    this.#record.add({ type: 'remark', severity, title, description });
  }

  agentEnded(message: string): void {
    const { name } = this.#state;
    if (name === 'starting' || name === 'reconnecting' || name === 'closed') return;
    this.#broke(message);
  }

  /** Sends the oldest waiting prompt, if the conversation is ready. */
  #next(): void {
    const prompted = this.#queue.oldest;
    if (!prompted || prompted.into || this.#running || this.#state.name !== 'ready') return;
    this.#queue.remove(prompted);
    this.#running = prompted;
    void this.#run(prompted, this.#start.session as Session);
  }

  async #run(prompted: Prompted, session: Session): Promise<void> {
    const { id, content, turn } = prompted;
    this.setState({ name: 'working', since: Date.now() });
    this.#record.add({ type: 'prompt', turnId: id, content });
    this.#start.endReplay();
    try {
      if (this.#options.beforeTurn) await this.#options.beforeTurn(id);
      const result = turn.isCancelled ? cancelled : await (prompted.sent = session.prompt(content));
      this.#record.add({ type: 'turn-ended', turnId: id, stopReason: result.stopReason });
      this.#over({ name: 'ready' });
      turn.succeed(result);
    } catch (error) {
      this.#record.add({ type: 'turn-failed', turnId: id, message: errorText(error) });
      this.#over(afterFailure(error, turn.isCancelled));
      turn.fail(error);
    }
    this.#next();
  }

  #over(state: ConversationState): void {
    this.#running = undefined;
    this.#options.permissions?.endTurn(this.#start.sessionId);
    // It may have been closed or restarted in the meantime, or its agent may have ended.
    if (this.#state.name !== 'working' && this.#state.name !== 'cancelling') return;
    if (state.name === 'dead') this.#broke(state.message);
    else this.setState(state);
  }

  #lost(loss: MessageLoss): void {
    const text = lossText(loss);
    this.#record.add({ type: 'remark', severity: 'error', title: `${text.charAt(0).toUpperCase()}${text.slice(1)}` });
  }

  #silent(silentSince: number | undefined): void {
    if (this.#state.name !== 'working') return;
    const { since } = this.#state;
    this.setState({ name: 'working', since, ...(silentSince !== undefined && { silentSince }) });
  }

  #cancel(prompted: Prompted): void {
    if (prompted.into && !this.#queue.has(prompted)) {
      void prompted.into.turn.cancel().catch(() => undefined);
      return;
    }
    if (prompted.sent) {
      this.#record.add({ type: 'cancel-requested', turnId: prompted.id });
      if (this.#state.name === 'working') this.setState({ name: 'cancelling', since: Date.now(), isOverdue: false });
      void prompted.sent.cancel().catch(() => undefined);
      return;
    }
    // Its turn has come, and is over before it is sent.
    if (prompted === this.#running) return;
    this.#queue.remove(prompted);
    prompted.turn.succeed(cancelled);
    this.#changes.changed();
  }

  /** Rejects the waiting prompts, which will not be sent. They stay in the transcript. */
  #failQueue(error: unknown): void {
    for (const { id: turnId, content, turn } of this.#queue.takeAll()) {
      this.#record.add({ type: 'prompt', turnId, content });
      this.#record.add({ type: 'turn-failed', turnId, message: errorText(error) });
      turn.fail(error);
    }
    this.#changes.changed();
  }

  update(update: SessionUpdate, isReplay: boolean): Promise<void> | undefined {
    // That the agent has taken a prompt in may be read together with the updates that come after it, and is handled a moment later.
    if (this.#queue.oldest?.into === undefined) return this.#receive(update, isReplay);
    return new Promise<void>((resolve) => soon(resolve)).then(() => this.#receive(update, isReplay));
  }

  #receive(update: SessionUpdate, isReplay: boolean): Promise<void> | undefined {
    this.#record.addUpdate(update, isReplay);
    if (isReplay) return undefined;
    const unasked = isToolCall(update) && this.#options.permissions?.observe(this.#start.sessionId ?? '', update);
    if (unasked) this.#record.add({ type: 'ran-unasked', ...unasked });
    return this.#running?.turn.deliver(update);
  }

  setState(state: ConversationState): void {
    if (this.#state.name !== 'closed') this.#state = state;
    this.#changes.changed();
  }
}

/** Nothing else that an agent says is about something that it runs. */
function isToolCall({ sessionUpdate }: SessionUpdate): boolean {
  return sessionUpdate === 'tool_call' || sessionUpdate === 'tool_call_update';
}
