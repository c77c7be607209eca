import type { PermissionOption, RequestPermissionRequest, SessionUpdate } from '@agentwire/protocol';
import type { Turn } from '@agentwire/client';
import { CostLimit } from '../limits/cost-limit.ts';
import { PermissionCount } from '../permission/permission-count.ts';
import type { PromptOrder, PromptOutcome } from './owner-protocol.ts';

/** Whoever gave a prompt, while they listen. None of it throws or rejects. */
export interface Audience {
  /** False once nobody is there any more. */
  readonly isThere: boolean;
  frame(frame: string): void;
  /** A returned promise holds the agent back. */
  update(update: SessionUpdate): Promise<void> | undefined;
  remark(message: string): void;
  /** Asks the person. Undefined: there is none, or they gave no answer. */
  ask(request: RequestPermissionRequest, signal: AbortSignal): Promise<PermissionOption | undefined>;
}

type Stopped = NonNullable<PromptOutcome['stopped']>;

/** A prompt on its way from the queue to its end. */
export class PromptJob {
  readonly order: PromptOrder;
  readonly audience: Audience;
  readonly permissions: PermissionCount = new PermissionCount();
  readonly #cost: CostLimit;
  #turn: Turn | undefined;
  #stopped: Stopped | undefined;
  #isCancelled = false;

  constructor(order: PromptOrder, audience: Audience) {
    this.order = order;
    this.audience = audience;
    this.#cost = new CostLimit(order.maxCost);
  }

  get isCancelled(): boolean {
    return this.#isCancelled;
  }

  /** Asks the agent to stop; what has not begun never will. */
  cancel(stopped?: Stopped): void {
    this.#isCancelled = true;
    this.#stopped ??= stopped;
    void this.#turn?.cancel().catch(() => undefined);
  }

  /** Follows the turn to its end. Rejects with why it failed. */
  async follow(turn: Turn): Promise<PromptOutcome> {
    this.#turn = turn;
    if (this.#isCancelled) void turn.cancel().catch(() => undefined);
    const { timeout } = this.order;
    const timer = timeout === undefined ? undefined : setTimeout(() => this.#timeOut(timeout), timeout * 1000);
    try {
      for await (const update of turn) await this.#take(update);
      return this.outcome((await turn.result).stopReason);
    } finally {
      clearTimeout(timer);
    }
  }

  outcome(stopReason: string): PromptOutcome {
    return { stopReason, isDenied: this.permissions.isDenied, ...(this.#stopped && { stopped: this.#stopped }) };
  }

  #take(update: SessionUpdate): Promise<void> | undefined {
    const message = this.#cost.exceededBy(update);
    if (message !== undefined) this.cancel({ reason: 'max-cost', message });
    return this.audience.update(update);
  }

  #timeOut(timeout: number): void {
    this.cancel({ reason: 'timeout', message: `stopped: it took longer than ${timeout} s` });
  }
}
