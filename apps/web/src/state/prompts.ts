import { type Agent, errorText, type Session } from '@turnwire/client';
import { canSteer, steer } from '@turnwire/client/extensions';
import type { TranscriptEvent } from '@turnwire/client/transcript';
import { type ContentBlock, errorCodes, ProtocolError, TurnwireError } from '@turnwire/protocol';
import { serverClock } from '../server/server-clock.ts';
import type { OwnPrompt, SessionState } from './session-state.ts';
import type { Store } from './store.ts';

/** Where prompts are sent. */
export interface PromptLink {
  readonly agent: Agent;
  readonly session: Session;
  /** The session has a log, in which the prompts are seen, and a queue of its own. */
  readonly hasLog: boolean;
  /** Asks the user to log in at the agent; whether that was done. */
  readonly logIn: () => Promise<boolean>;
}

/**
 * The prompts of a window until the log of their session has them. A gateway has a queue, in which they wait even if the window is closed;
 * with another agent they wait here.
 */
export class Prompts {
  readonly #state: Store<SessionState>;
  readonly #record: (event: TranscriptEvent) => void;
  #link: PromptLink | undefined;

  /** @param record called with what an agent without a log does not say */
  constructor(state: Store<SessionState>, record: (event: TranscriptEvent) => void) {
    this.#state = state;
    this.#record = record;
  }

  /** There is a connection. What was sent on the last one is sent again: with its key it stays one turn. */
  attach(link: PromptLink): void {
    this.#link = link;
    for (const prompt of this.#own) if (prompt.isSent) this.#send(prompt);
    this.next();
  }

  detach(): void {
    this.#link = undefined;
    this.#state.change({ queue: [] });
  }

  add(content: readonly ContentBlock[]): void {
    this.#state.change({ waiting: [...this.#own, { key: crypto.randomUUID(), content, isSent: false }] });
    this.next();
  }

  /** Takes back a prompt that waits, by its key or that of its turn. Resolves with its content as far as it is known; undefined if it runs already. */
  async withdraw(id: string): Promise<readonly ContentBlock[] | undefined> {
    const queued = this.#state.current.queue.find(({ turnId, key }) => turnId === id || key === id);
    const own = this.#own.find(({ key }) => key === (queued?.key ?? id));
    if (!queued && own?.isSent) return undefined;
    if (queued && (await this.#request('_turnwire/withdraw', queued.turnId))['withdrawn'] !== true) return undefined;
    if (own) this.#forget(own.key);
    return own?.content ?? (queued && [{ type: 'text', text: queued.text }]);
  }

  /** Whether the agent takes prompts into a running turn. */
  get canSteer(): boolean {
    return canSteer(this.#link?.agent);
  }

  /** Sends a prompt that waits into the running turn, whichever window sent it. Resolves when the agent has read it, or it waits on. */
  async steer(id: string): Promise<void> {
    const { queue, view } = this.#state.current;
    const queued = queue.find(({ turnId, key }) => turnId === id || key === id);
    if (queued) return void (await this.#request('_turnwire/steer', queued.turnId));
    const own = this.#own.find(({ key, isSent }) => key === id && !isSent);
    if (!own || view.turnId === undefined) return;
    const { turnId: into } = view;
    const { agent, session } = this.#link ?? {};
    if (!session || !canSteer(agent)) return;
    this.#markSent(own);
    const onTaken = (): void => {
      this.#record({ at: serverClock.now(), type: 'prompt', turnId: id, content: own.content, into });
      this.#forget(id);
    };
    await steer(agent, { sessionId: session.id, prompt: own.content, onTaken }).catch(() => undefined);
    if (this.#own.some(({ key }) => key === id)) this.#giveBack(own);
  }

  /** Cancels the running turn, and has a prompt that waits run before all others, whichever window sent it. */
  async runNow(id: string): Promise<void> {
    const { queue } = this.#state.current;
    const queued = queue.find(({ turnId, key }) => turnId === id || key === id);
    if (queued) {
      const { advanced } = await this.#request('_turnwire/advance', queued.turnId);
      if (advanced !== true) return;
    } else {
      const first = this.#own.find(({ key, isSent }) => key === id && !isSent);
      if (!first) return;
      this.#state.change({ waiting: [first, ...this.#own.filter((each) => each !== first)] });
    }
    this.cancel();
  }

  /**
   * Cancels the running turn, and takes back the prompts of this window that wait, so that none of them begins. Resolves with their content,
   * to be put into the editor.
   */
  async stop(): Promise<readonly ContentBlock[]> {
    const waiting = this.#own.map(({ key }) => this.withdraw(key));
    this.cancel();
    const taken = (await Promise.all(waiting)).filter((content) => content !== undefined);
    return taken.flatMap((content, place) => (place === 0 ? content : [{ type: 'text', text: '\n' }, ...content]));
  }

  /** Cancels the running turn, whichever window sent it. */
  cancel(): void {
    if (!this.#link) return;
    const { agent, session } = this.#link;
    this.#state.change({ isCancelling: true });
    const kept = { sessionId: session.id, _meta: { turnwire: { keepWaiting: true } } };
    void agent.peer.notify('session/cancel', kept).catch(() => undefined);
  }

  /** Sends what is due: all, or where there is no queue the first one once nothing runs. */
  next(): void {
    const { phase, view } = this.#state.current;
    if (phase !== 'ready' || !this.#link) return;
    const unsent = this.#own.filter(({ isSent }) => !isSent);
    const isFree = view.turnId === undefined && unsent.length === this.#own.length;
    const due = this.#link.hasLog ? unsent : unsent.slice(0, isFree ? 1 : 0);
    if (due.length === 0) return;
    this.#markSent(...due);
    for (const prompt of due) this.#send(prompt);
  }

  #markSent(...prompts: readonly OwnPrompt[]): void {
    this.#state.change({
      waiting: this.#own.map((each) => (prompts.includes(each) ? { ...each, isSent: true } : each)),
    });
  }

  /** No turn took it in: it waits as before. */
  #giveBack({ key }: OwnPrompt): void {
    this.#state.change({ waiting: this.#own.map((each) => (each.key === key ? { ...each, isSent: false } : each)) });
    this.next();
  }

  get #own(): readonly OwnPrompt[] {
    return this.#state.current.waiting;
  }

  /** A request about a prompt that waits. An empty answer if it fails. */
  async #request(method: string, turnId: string): Promise<Readonly<Record<string, unknown>>> {
    if (!this.#link) return {};
    const { agent, session } = this.#link;
    const answer = await agent.peer.raw.request(method, { sessionId: session.id, turnId }).catch(() => ({}));
    return answer as Readonly<Record<string, unknown>>;
  }

  #send({ key, content }: OwnPrompt): void {
    const { agent, session, hasLog } = this.#link ?? {};
    if (!agent || !session) return;
    if (!hasLog) return this.#sendWithoutLog(session, { key, content });
    const _meta = { turnwire: { key } };
    agent.peer.request('session/prompt', { sessionId: session.id, prompt: [...content], _meta }).then(
      () => this.#forget(key),
      (error: unknown) => void this.#failed({ key, content }, error),
    );
  }

  async #failed({ key, content }: Omit<OwnPrompt, 'isSent'>, error: unknown): Promise<void> {
    // It is sent again on the next connection.
    if (error instanceof TurnwireError && error.code === 'connection-closed') return;
    const isWaiting = this.#own.some((prompt) => prompt.key === key);
    this.#forget(key);
    const wantsLogin = error instanceof ProtocolError && error.code === errorCodes.authenticationRequired;
    if (wantsLogin && (await this.#link?.logIn())) this.add(content);
    else if (isWaiting)
      this.#record({ at: serverClock.now(), type: 'remark', severity: 'error', title: errorText(error) });
  }

  #sendWithoutLog(session: Session, { key: turnId, content }: Omit<OwnPrompt, 'isSent'>): void {
    this.#record({ at: serverClock.now(), type: 'prompt', turnId, content });
    session
      .prompt(content)
      .result.then(
        ({ stopReason }) => this.#record({ at: serverClock.now(), type: 'turn-ended', turnId, stopReason }),
        (error: unknown) =>
          this.#record({ at: serverClock.now(), type: 'turn-failed', turnId, message: errorText(error) }),
      )
      .finally(() => {
        this.#forget(turnId);
        this.next();
      });
  }

  #forget(key: string): void {
    const waiting = this.#own.filter((prompt) => prompt.key !== key);
    if (waiting.length !== this.#own.length) this.#state.change({ waiting });
  }
}

/** A prompt is in the log now. */
export function withoutPrompt(
  waiting: readonly OwnPrompt[],
  { content }: TranscriptEvent & { readonly type: 'prompt' },
): readonly OwnPrompt[] {
  const echoed = JSON.stringify(content);
  const place = waiting.findIndex((each) => each.isSent && JSON.stringify(each.content) === echoed);
  return place < 0 ? waiting : waiting.toSpliced(place, 1);
}
