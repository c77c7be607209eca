import type { SessionUpdate } from '@turnwire/protocol';
import type { Permissions } from '@turnwire/permissions';
import type { Turn } from '@turnwire/client';
import { CostLimit, withRetries } from '@turnwire/gateway';
import { PermissionCount } from '../permission/permission-count.ts';
import { turnPermissions, type TurnPermissionsParts } from './turn-permissions.ts';
import type { PromptOrder, PromptOutcome } from './host-protocol.ts';
import type { Subscriber } from './subscriber.ts';

type Stopped = NonNullable<PromptOutcome['stopped']>;

/** Wraps the turn, which is a thenable: an async function that returned it would await its end. */
export interface StartedTurn {
  readonly turn: Turn;
  /** Pending until the events so far are stored: holds the agent back. */
  readonly drained: () => Promise<void> | undefined;
  /** Resolves when the history has everything so far. */
  readonly stored: () => Promise<void>;
}

/** What permissions depend on besides the prompt. */
export type DecidedBy = Pick<TurnPermissionsParts, 'cwd' | 'rules' | 'differences'>;

/** A prompt from the queue to its end. */
export class PromptJob {
  readonly order: PromptOrder;
  readonly subscriber: Subscriber;
  readonly #count: PermissionCount = new PermissionCount();
  readonly #cost: CostLimit;
  readonly #ending: AbortController = new AbortController();
  #permissions: Permissions | undefined;
  #turn: Turn | undefined;
  #hasBegun = false;
  #stopped: Stopped | undefined;

  constructor(order: PromptOrder, subscriber: Subscriber) {
    this.order = order;
    this.subscriber = subscriber;
    this.#cost = new CostLimit(order.maxCost);
  }

  get isCancelled(): boolean {
    return this.#ending.signal.aborted;
  }

  /** The permissions while it runs. */
  get permissions(): Permissions | undefined {
    return this.#permissions;
  }

  /** Asks the agent to stop; a queued prompt is dropped. */
  cancel(stopped?: Stopped): void {
    this.#stopped ??= stopped;
    this.#ending.abort();
    void this.#turn?.cancel().catch(() => undefined);
  }

  /** Runs turns until one ends. Rejects with the error of the last. */
  async run(by: DecidedBy, start: () => Promise<StartedTurn>): Promise<PromptOutcome> {
    this.#permissions = this.#deciding(by);
    const { timeout, retries = 0 } = this.order;
    const message = `stopped: it took longer than ${timeout} s`;
    const stop = (): void => this.cancel({ reason: 'timeout', message });
    const timer = timeout === undefined ? undefined : setTimeout(stop, timeout * 1000);
    try {
      return await withRetries(async () => this.#follow(await start()), {
        count: retries,
        hasBegun: () => this.#hasBegun,
        signal: this.#ending.signal,
        onRetry: (message) => this.subscriber.remark(message),
      });
    } finally {
      clearTimeout(timer);
      this.#permissions.endTurn();
    }
  }

  outcome(stopReason: string): PromptOutcome {
    return { stopReason, isDenied: this.#count.isDenied, ...(this.#stopped && { stopped: this.#stopped }) };
  }

  async #follow({ turn, stored, drained }: StartedTurn): Promise<PromptOutcome> {
    this.#turn = turn;
    if (this.isCancelled) void turn.cancel().catch(() => undefined);
    for await (const update of turn) {
      // A turn that somebody saw begin is in the history, even if this process is killed.
      if (!this.#hasBegun) await stored();
      await this.#take(update);
      await drained();
    }
    const { stopReason } = await turn.result;
    const warning = this.#cost.warning();
    if (warning !== undefined) this.subscriber.remark(warning);
    return this.outcome(stopReason);
  }

  #take(update: SessionUpdate): Promise<void> | undefined {
    this.#hasBegun = true;
    const message = this.#cost.exceededBy(update);
    if (message !== undefined) this.cancel({ reason: 'max-cost', message });
    return this.subscriber.update(update);
  }

  #deciding(by: DecidedBy): Permissions {
    const { order, subscriber } = this;
    const permissions = turnPermissions(order.permission, {
      ...by,
      ask: order.canAsk ? (view, signal) => subscriber.ask(view, signal) : undefined,
      remark: (message) => subscriber.remark(message),
      isVerbose: order.isVerbose,
      stop: (message) => this.cancel({ reason: 'cannot-ask', message }),
    });
    permissions.onDecision(this.#count.record);
    return permissions;
  }
}
