import type { CreateElicitationRequest, CreateElicitationResponse, Peer, SessionUpdate } from '@turnwire/protocol';
import type { QuestionChoice, QuestionView } from '@turnwire/permissions';
import type { AskAnswer, PromptOrder } from './owner-protocol.ts';
import type { Audience } from './prompt-job.ts';

/** The command at the other end of a connection, until it disconnects. */
export class OwnerAudience implements Audience {
  readonly #peer: Peer<'agent'>;
  readonly #order: Pick<PromptOrder, 'wants' | 'isQueuedOnly' | 'canAsk'>;
  #isThere = true;
  /** Pending while the command is slower than the agent. */
  #room: Promise<void> | undefined;

  constructor(peer: Peer<'agent'>, order: Pick<PromptOrder, 'wants' | 'isQueuedOnly' | 'canAsk'>) {
    this.#peer = peer;
    this.#order = order;
    this.#isThere = !order.isQueuedOnly;
    void peer.closed.then(() => (this.#isThere = false));
  }

  get isThere(): boolean {
    return this.#isThere;
  }

  frame(frame: string): void {
    if (this.#order.wants === 'frames') this.#room = this.#tell('_owner/frame', { frame });
  }

  update(update: SessionUpdate): Promise<void> | undefined {
    return this.#order.wants === 'updates' ? this.#tell('_owner/update', { update }) : this.#room;
  }

  remark(message: string): void {
    void this.#tell('_owner/remark', { message });
  }

  async ask(view: QuestionView, signal: AbortSignal): Promise<QuestionChoice | undefined> {
    try {
      const answer = (await this.#peer.request('_owner/ask', { view }, { signal })) as AskAnswer;
      return answer.choice === undefined ? undefined : view.choices[answer.choice];
    } catch {
      return undefined;
    }
  }

  async elicit(request: CreateElicitationRequest, signal: AbortSignal): Promise<CreateElicitationResponse | undefined> {
    if (!this.#order.canAsk) return undefined;
    try {
      return (await this.#peer.request('_owner/elicit', { request }, { signal })) as CreateElicitationResponse;
    } catch {
      return undefined;
    }
  }

  async #tell(method: `_${string}`, params: unknown): Promise<void> {
    if (this.#isThere) await this.#peer.notify(method, params).catch(() => undefined);
  }
}
