import type { FrameAbout, FrameReceiver, Transport } from '@turnwire/protocol';

/** The limits of one connection. */
interface GuardLimits {
  readonly connectionId: string;
  readonly maxIdLength: number;
  readonly maxOutputStallMs: number | undefined;
}

/** A server's end of a connection that ends when it exceeds its limits. */
export class GuardedTransport implements Transport {
  /** Resolves after the answer to `initialize`, which is the first answer. */
  readonly introduced: Promise<void>;
  readonly #transport: Transport;
  readonly #limits: GuardLimits;
  #introduce: () => void = () => undefined;
  #stall: ReturnType<typeof setTimeout> | undefined;

  constructor(transport: Transport, limits: GuardLimits) {
    this.#transport = transport;
    this.#limits = limits;
    this.introduced = new Promise((resolve) => (this.#introduce = resolve));
  }

  start(receiver: FrameReceiver): void {
    this.#transport.start(receiver);
  }

  send(text: string, about?: FrameAbout): Promise<void> | undefined {
    const { maxIdLength } = this.#limits;
    if (about?.sessionId !== undefined && about.sessionId.length > maxIdLength) {
      this.#end(`Session ID exceeds maxIdLength (${maxIdLength})`);
      return undefined;
    }
    const drained = this.#transport.send(text, about);
    if (drained) this.#limitStall(drained);
    if (about?.kind === 'answer') this.#introduce();
    return drained;
  }

  close(): Promise<void> {
    return this.#transport.close();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    clearTimeout(this.#stall);
    await this.#transport[Symbol.asyncDispose]();
  }

  /** Without a limit of the program, our transports end a connection whose client is gone. */
  #limitStall(drained: Promise<void>): void {
    const { maxOutputStallMs } = this.#limits;
    if (maxOutputStallMs === undefined || this.#stall !== undefined) return;
    const stalled = (): void => this.#end(`Connection output stalled for maxOutputStallMs (${maxOutputStallMs})`);
    this.#stall = setTimeout(stalled, maxOutputStallMs);
    void drained.then(() => {
      clearTimeout(this.#stall);
      this.#stall = undefined;
    });
  }

  #end(reason: string): void {
    // oxlint-disable-next-line no-console -- programs expect this line on stderr, as from the official package
    console.warn(`Closing ACP connection ${this.#limits.connectionId}:`, reason);
    void this[Symbol.asyncDispose]();
  }
}
