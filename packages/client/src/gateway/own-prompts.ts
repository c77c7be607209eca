import {
  type ContentBlock,
  errorCodes,
  isSteerable,
  ProtocolError,
  type TurnwireMeta,
  TurnwireError,
  type WaitingPrompt,
} from '@turnwire/protocol';
import type { Agent } from '../agent/agent.ts';
import { askGateway, type GatewayMethods } from './gateway-methods.ts';

/** A prompt of this client that is not in the log yet. */
export interface OwnPrompt {
  /** Identifies the prompt: the gateway runs one turn for it, however often the client sends it. */
  readonly key: string;
  readonly content: readonly ContentBlock[];
  /** False: the prompt waits for a connection. */
  readonly isSent: boolean;
}

/** The callbacks of {@link OwnPrompts}. */
export interface OwnPromptsParts {
  /** Asks the user to log in at the agent. Resolves with whether the user did. */
  readonly logIn: (agent: Agent) => Promise<boolean>;
  /** Called after each change. */
  readonly onChange: () => void;
  /** Called with the reason when a prompt fails before its turn begins. */
  readonly onFailed: (error: unknown) => void;
}

/** An open session. */
interface PromptLink {
  readonly agent: Agent;
  readonly sessionId: string;
}

/**
 * The waiting prompts of a session: the queue of the gateway, which outlives its clients, and the prompts of this client until they are in the
 * log. The key identifies a prompt in the queue and in the log.
 */
export class OwnPrompts {
  readonly #parts: OwnPromptsParts;
  #link: PromptLink | undefined;
  #list: readonly OwnPrompt[] = [];
  #queue: readonly WaitingPrompt[] = [];
  #isCancelling = false;

  constructor(parts: OwnPromptsParts) {
    this.#parts = parts;
  }

  /** The prompts of this client, oldest first. */
  get list(): readonly OwnPrompt[] {
    return this.#list;
  }

  /** The prompts of all clients, in the order in which they will run. */
  get queue(): readonly WaitingPrompt[] {
    return this.#queue;
  }

  /** Whether this client has cancelled the running turn. */
  get isCancelling(): boolean {
    return this.#isCancelling;
  }

  /** Whether the agent takes prompts into a running turn. */
  get canSteer(): boolean {
    return isSteerable(this.#link?.agent.peer.remote);
  }

  /** Sends a prompt as soon as the session is open. */
  add(content: readonly ContentBlock[]): void {
    const prompt = { key: crypto.randomUUID(), content, isSent: false };
    this.#change({ list: [...this.#list, prompt] });
    this.#sendAll([prompt]);
  }

  /** Removes a waiting prompt by its key or its turn. Resolves with the known part of its content; undefined: the turn has begun. */
  async withdraw(id: string): Promise<readonly ContentBlock[] | undefined> {
    const queued = this.#queued(id);
    const own = this.#list.find(({ key }) => key === (queued?.key ?? id));
    // A prompt that was sent just now is not yet in a list of the gateway, which knows it by its key.
    const sent = queued?.turnId ?? (own?.isSent === true ? own.key : undefined);
    if (sent !== undefined && (await this.#ask('_turnwire/withdraw', sent))?.withdrawn !== true) return undefined;
    if (own) this.#forget(own.key);
    return own?.content ?? (queued && [{ type: 'text', text: queued.text }]);
  }

  /** Sends a waiting prompt of any client into the running turn. Resolves after the agent has read it, or the turn has ended. */
  async steer(id: string): Promise<void> {
    const queued = this.#queued(id);
    if (queued) await this.#ask('_turnwire/steer', queued.turnId);
  }

  /** Cancels the running turn, and runs a waiting prompt of any client next. */
  async runNow(id: string): Promise<void> {
    const queued = this.#queued(id);
    if (queued && (await this.#ask('_turnwire/advance', queued.turnId))?.advanced === true) this.cancel();
  }

  /** Cancels the running turn, and removes the waiting prompts of this client. Resolves with their content. */
  async stop(): Promise<readonly (readonly ContentBlock[])[]> {
    const waiting = this.#list.map(({ key }) => this.withdraw(key));
    this.cancel();
    return (await Promise.all(waiting)).filter((content) => content !== undefined);
  }

  /** Cancels the running turn of any client. Waiting prompts stay in the queue. */
  cancel(): void {
    if (!this.#link) return;
    const { agent, sessionId } = this.#link;
    this.#change({ isCancelling: true });
    const turnwire: TurnwireMeta['session/cancel'] = { keepWaiting: true };
    void agent.peer.notify('session/cancel', { sessionId, _meta: { turnwire } }).catch(() => undefined);
  }

  /** Sends all prompts on a new connection, also those that the last connection may have lost: the key prevents a second turn. */
  attach(link: PromptLink): void {
    this.#link = link;
    this.#sendAll(this.#list);
  }

  /** Drops the connection. */
  detach(): void {
    this.#link = undefined;
    this.#change({ queue: [] });
  }

  /** Takes the queue that the gateway has sent. */
  receive(queue: readonly WaitingPrompt[]): void {
    this.#change({ queue });
  }

  /** Removes a prompt that is in the log. */
  begin({ key, into }: { readonly key?: string | undefined; readonly into?: string | undefined }): void {
    if (key !== undefined) this.#forget(key);
    if (into === undefined) this.endTurn();
  }

  /** Notes the end of the running turn. */
  endTurn(): void {
    if (this.#isCancelling) this.#change({ isCancelling: false });
  }

  #queued(id: string): WaitingPrompt | undefined {
    return this.#queue.find(({ turnId, key }) => turnId === id || key === id);
  }

  /**
   * Sends a request about a waiting prompt. Resolves with undefined after an error.
   * @param turnId the id of its turn, or its key
   */
  async #ask<Method extends '_turnwire/withdraw' | '_turnwire/steer' | '_turnwire/advance'>(
    method: Method,
    turnId: string,
  ): Promise<GatewayMethods[Method]['result'] | undefined> {
    if (!this.#link) return undefined;
    const { agent, sessionId } = this.#link;
    return askGateway(agent, method, { sessionId, turnId }).catch(() => undefined);
  }

  #sendAll(prompts: readonly OwnPrompt[]): void {
    if (!this.#link || prompts.length === 0) return;
    const keys = new Set(prompts.map(({ key }) => key));
    this.#change({ list: this.#list.map((each) => (keys.has(each.key) ? { ...each, isSent: true } : each)) });
    for (const prompt of prompts) void this.#send(prompt, this.#link);
  }

  async #send({ key, content }: OwnPrompt, { agent, sessionId }: PromptLink): Promise<void> {
    const turnwire: TurnwireMeta['session/prompt'] = { key };
    try {
      await agent.peer.request('session/prompt', { sessionId, prompt: [...content], _meta: { turnwire } });
      this.#forget(key);
    } catch (error) {
      // The next connection sends it again.
      if (error instanceof TurnwireError && error.code === 'connection-closed') return;
      const isWaiting = this.#list.some((each) => each.key === key);
      this.#forget(key);
      const wantsLogin = error instanceof ProtocolError && error.code === errorCodes.authenticationRequired;
      if (wantsLogin && (await this.#parts.logIn(agent))) this.add(content);
      // The log contains the failures of turns.
      else if (isWaiting) this.#parts.onFailed(error);
    }
  }

  #forget(key: string): void {
    const list = this.#list.filter((each) => each.key !== key);
    if (list.length < this.#list.length) this.#change({ list });
  }

  #change({
    list = this.#list,
    queue = this.#queue,
    isCancelling = this.#isCancelling,
  }: {
    readonly list?: readonly OwnPrompt[];
    readonly queue?: readonly WaitingPrompt[];
    readonly isCancelling?: boolean;
  }): void {
    this.#list = list;
    this.#queue = queue;
    this.#isCancelling = isCancelling;
    this.#parts.onChange();
  }
}
