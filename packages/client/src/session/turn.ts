import { TurnwireError, type PromptResponse, type SessionUpdate } from '@turnwire/protocol';
import { lossText, type MessageLoss } from './message-loss.ts';
import { UpdateQueue } from './update-queue.ts';

/** How a turn ended; `stopReason` is the reason. */
export type TurnResult = PromptResponse;

/**
 * One prompt and the agent's work on it. Iterate it for the updates, await it for the result, or both:
 * ```ts
 * const turn = session.prompt('search for TODO');
 * for await (const update of turn) console.log(update.sessionUpdate);
 * const { stopReason } = await turn;
 * ```
 * The updates have one reader, who slows the agent down when more than 256 wait. Awaiting a turn that is not being iterated discards its
 * updates. If the turn fails, iterating and awaiting both throw its error.
 */
export interface Turn extends AsyncIterable<SessionUpdate>, PromiseLike<TurnResult> {
  /**
   * Resolves when the agent has answered. Rejects with ProtocolError (the agent's error) or TurnwireError: `connection-closed` with the
   * exit and the stderr of the agent's process, `timeout` if a cancel was ignored, `limit-exceeded` if the agent has answered, but a
   * message it sent during the turn was too long to be read: the turn is incomplete.
   */
  readonly result: Promise<TurnResult>;
  /** Number of updates that were lost because they were not read in time. */
  readonly dropped: number;
  /**
   * Asks the agent to stop, answers every permission request of the session with `cancelled`, and waits for the result, which then usually
   * has the stop reason `cancelled`. Updates continue until then. A turn that was not sent yet is never sent.
   */
  cancel(): Promise<TurnResult>;
}

/** The maximum number of updates that may wait for their reader. */
const capacity = 256;

/** The session's side of a turn. */
export class PromptTurn implements Turn {
  readonly result: Promise<TurnResult>;
  readonly updates: UpdateQueue<SessionUpdate> = new UpdateQueue(capacity);
  readonly #onCancel: (turn: PromptTurn) => void;
  #resolve!: (result: TurnResult) => void;
  #reject!: (error: unknown) => void;
  #isCancelled = false;
  /** Whether the agent has worked on the prompt, so that sending it again could repeat the work. */
  hasBegun = false;
  #loss: TurnwireError | undefined;
  /** Called at the end, before the caller can see the result. */
  onEnd: (() => void) | undefined;

  constructor(onCancel: (turn: PromptTurn) => void) {
    this.#onCancel = onCancel;
    this.result = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
    // An iterating caller receives the error there, so a result that is not awaited is not an unhandled rejection.
    this.result.catch(() => undefined);
  }

  get isCancelled(): boolean {
    return this.#isCancelled;
  }

  get dropped(): number {
    return this.updates.dropped;
  }

  /** Records an unreadable message: the turn continues, but fails at its end. */
  lose(loss: MessageLoss): void {
    this.hasBegun = true;
    this.#loss ??= new TurnwireError('limit-exceeded', `Part of the turn is missing: ${lossText(loss)}`);
  }

  cancel(): Promise<TurnResult> {
    if (!this.#isCancelled) {
      this.#isCancelled = true;
      this.updates.stopHolding();
      this.#onCancel(this);
    }
    return this.result;
  }

  succeed(result: TurnResult): void {
    if (this.#loss && !this.#isCancelled) return this.fail(this.#loss);
    this.onEnd?.();
    this.#resolve(result);
    this.updates.end();
  }

  fail(error: unknown): void {
    this.onEnd?.();
    this.#reject(error);
    this.updates.end({ error });
  }

  // oxlint-disable-next-line unicorn/no-thenable -- a turn is awaited for its result
  then<Fulfilled = TurnResult, Rejected = never>(
    onFulfilled?: ((result: TurnResult) => Fulfilled | PromiseLike<Fulfilled>) | null,
    onRejected?: ((reason: unknown) => Rejected | PromiseLike<Rejected>) | null,
  ): Promise<Fulfilled | Rejected> {
    this.updates.discard();
    return this.result.then(onFulfilled, onRejected);
  }

  [Symbol.asyncIterator](): AsyncIterator<SessionUpdate> {
    return this.updates.read();
  }
}
