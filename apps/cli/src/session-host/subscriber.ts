import type { CreateElicitationRequest, CreateElicitationResponse, Peer, SessionUpdate } from '@turnwire/protocol';
import type { QuestionChoice, QuestionView } from '@turnwire/permissions';
import type { AskAnswer, PromptOrder } from './host-protocol.ts';

/** The command that sent a prompt, until it disconnects. No method throws or rejects. */
export class Subscriber {
  readonly #peer: Peer<'agent'>;
  readonly #order: Pick<PromptOrder, 'wants' | 'isQueuedOnly' | 'canAsk'>;
  #isConnected = true;
  /** Pending while the command is slower than the agent. */
  #slow: Promise<void> | undefined;

  constructor(peer: Peer<'agent'>, order: Pick<PromptOrder, 'wants' | 'isQueuedOnly' | 'canAsk'>) {
    this.#peer = peer;
    this.#order = order;
    this.#isConnected = !order.isQueuedOnly;
    void peer.closed.then(() => (this.#isConnected = false));
  }

  get isConnected(): boolean {
    return this.#isConnected;
  }

  frame(frame: string): void {
    if (this.#order.wants === 'frames') this.#slow = this.#notify('_host/frame', { frame });
  }

  /** A returned promise holds the agent back. */
  update(update: SessionUpdate): Promise<void> | undefined {
    return this.#order.wants === 'updates' ? this.#notify('_host/update', { update }) : this.#slow;
  }

  remark(message: string): void {
    void this.#notify('_host/remark', { message });
  }

  /** Asks the user. Undefined: there is none, or they gave no answer. */
  async ask(view: QuestionView, signal: AbortSignal): Promise<QuestionChoice | undefined> {
    try {
      const answer = (await this.#peer.request('_host/ask', { view }, { signal })) as AskAnswer;
      return answer.choice === undefined ? undefined : view.choices[answer.choice];
    } catch {
      return undefined;
    }
  }

  /** Asks the user a question of the agent. Undefined: as above. */
  async elicit(request: CreateElicitationRequest, signal: AbortSignal): Promise<CreateElicitationResponse | undefined> {
    if (!this.#order.canAsk) return undefined;
    try {
      return (await this.#peer.request('_host/elicit', { request }, { signal })) as CreateElicitationResponse;
    } catch {
      return undefined;
    }
  }

  async #notify(method: `_${string}`, params: unknown): Promise<void> {
    if (this.#isConnected) await this.#peer.notify(method, params).catch(() => undefined);
  }
}
