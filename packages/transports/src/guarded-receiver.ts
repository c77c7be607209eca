import type { FrameAbout, FrameReceiver, TransportWarning } from '@turnwire/protocol';
import { TurnwireError } from '@turnwire/protocol';

/**
 * Ends a connection when its receiver throws. Transports call receivers from event handlers, where nothing catches an exception: without this guard,
 * one frame could end a server and all its other connections.
 */
export class GuardedReceiver implements FrameReceiver {
  readonly #receiver: FrameReceiver;
  readonly #abort: (reason: TurnwireError) => void;
  #hasFailed = false;

  /** @param abort ends the transport. Called at most once; no frame is delivered after it */
  constructor(receiver: FrameReceiver, abort: (reason: TurnwireError) => void) {
    this.#receiver = receiver;
    this.#abort = abort;
  }

  frame(text: string, about?: FrameAbout): Promise<void> | undefined {
    if (this.#hasFailed) return undefined;
    try {
      return this.#receiver.frame(text, about)?.catch((error: unknown) => this.#fail(error));
    } catch (error) {
      this.#fail(error);
      return undefined;
    }
  }

  warning(report: TransportWarning): void {
    if (this.#hasFailed) return;
    try {
      this.#receiver.warning(report);
    } catch (error) {
      this.#fail(error);
    }
  }

  end(reason?: Error): void {
    this.#receiver.end(reason);
  }

  #fail(cause: unknown): void {
    if (this.#hasFailed) return;
    this.#hasFailed = true;
    const message = cause instanceof Error ? cause.message : String(cause);
    this.#abort(new TurnwireError('connection-closed', `a frame could not be handled: ${message}`, { cause }));
  }
}
