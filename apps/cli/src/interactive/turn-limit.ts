import type { GatewayConversation } from '../gateway/gateway-conversation.ts';

/** Cancels turns that take longer than a number of seconds. */
export class TurnLimit implements Disposable {
  readonly #seconds: number | undefined;
  readonly #onLimit: (message: string) => void;
  #turnId: string | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(seconds: number | undefined, onLimit: (message: string) => void) {
    this.#seconds = seconds;
    this.#onLimit = onLimit;
  }

  /** Sets which turn runs, if any. */
  follow({ transcript: { turnId } }: GatewayConversation): void {
    if (turnId === this.#turnId || this.#seconds === undefined) return;
    this.#turnId = turnId;
    clearTimeout(this.#timer);
    const message = `stopped: it took longer than ${this.#seconds} s`;
    if (turnId !== undefined) this.#timer = setTimeout(() => this.#onLimit(message), this.#seconds * 1000);
  }

  [Symbol.dispose](): void {
    clearTimeout(this.#timer);
  }
}
