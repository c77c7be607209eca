import { TurnwireError, type PromptResponse, type SessionUpdate } from '@turnwire/protocol';
import { lossText, type MessageLoss } from './message-loss.ts';
import { UpdateQueue } from './update-queue.ts';

/** How a turn ended; `stopReason` says why. */
export type TurnResult = PromptResponse;

/**
 * One prompt and everything the agent does about it. Iterate it for the updates, await it for the result, or both:
 * ```ts
 * const turn = session.prompt('search for TODO');
 * for await (const update of turn) console.log(update.sessionUpdate);
 * const { stopReason } = await turn;
 * ```
 * The updates have one reader, who holds the agent back when more than 256 wait. Awaiting a turn nobody has begun to iterate
 * throws its updates away. If the turn fails, iterating and awaiting both throw why.
 */
export interface Turn extends AsyncIterable<SessionUpdate>, PromiseLike<TurnResult> {
  /**
   * Resolves when the agent has answered. Rejects with ProtocolError (the agent's error) or TurnwireError: `connection-closed`
   * with how the agent's process ended and what it printed, `timeout` if a cancel was not honoured, `limit-exceeded` if the agent
   * has answered, and a message it sent during the turn was too long to be read: what is known of the turn is not all of it.
   */
  readonly result: Promise<TurnResult>;
  /** How many updates were lost because nobody read them in time. */
  readonly dropped: number;
  /**
   * Asks the agent to stop, answers every permission request of the session with `cancelled`, and waits for the result, which
   * then usually has the stop reason `cancelled`. Updates go on until then. A turn that was not sent yet never is.
   */
  cancel(): Promise<TurnResult>;
}

/** Updates that may wait for their reader. */
const capacity = 256;

/** The session's side of a turn. */
export class PromptTurn implements Turn {
  readonly result: Promise<TurnResult>;
  readonly #updates = new UpdateQueue<SessionUpdate>(capacity);
  readonly #onCancel: (turn: PromptTurn) => void;
  #resolve!: (result: TurnResult) => void;
  #reject!: (error: unknown) => void;
  #isCancelled = false;
  #hasBegun = false;
  #loss: TurnwireError | undefined;

  constructor(onCancel: (turn: PromptTurn) => void) {
    this.#onCancel = onCancel;
    this.result = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
    // Whoever iterates hears of the failure there, so a result nobody awaits is no unhandled rejection.
    this.result.catch(() => undefined);
  }

  get isCancelled(): boolean {
    return this.#isCancelled;
  }

  get dropped(): number {
    return this.#updates.dropped;
  }

  /** True once the agent has done something about the prompt, so that sending it again could do it twice. */
  get hasBegun(): boolean {
    return this.#hasBegun;
  }

  begin(): void {
    this.#hasBegun = true;
  }

  /** A message of the agent was not read: the turn continues, and is no success. */
  lose(loss: MessageLoss): void {
    this.#hasBegun = true;
    this.#loss ??= new TurnwireError('limit-exceeded', `Part of the turn is missing: ${lossText(loss)}`);
  }

  cancel(): Promise<TurnResult> {
    if (!this.#isCancelled) {
      this.#isCancelled = true;
      this.#updates.letGo();
      this.#onCancel(this);
    }
    return this.result;
  }

  deliver(update: SessionUpdate): Promise<void> | undefined {
    return this.#updates.put(update);
  }

  succeed(result: TurnResult): void {
    if (this.#loss && !this.#isCancelled) return this.fail(this.#loss);
    this.#resolve(result);
    this.#updates.end();
  }

  fail(error: unknown): void {
    this.#reject(error);
    this.#updates.end({ error });
  }

  // oxlint-disable-next-line unicorn/no-thenable -- a turn is awaited for its result
  then<Fulfilled = TurnResult, Rejected = never>(
    onFulfilled?: ((result: TurnResult) => Fulfilled | PromiseLike<Fulfilled>) | null,
    onRejected?: ((reason: unknown) => Rejected | PromiseLike<Rejected>) | null,
  ): Promise<Fulfilled | Rejected> {
    this.#updates.discard();
    return this.result.then(onFulfilled, onRejected);
  }

  [Symbol.asyncIterator](): AsyncIterator<SessionUpdate> {
    return this.#updates.read();
  }
}
