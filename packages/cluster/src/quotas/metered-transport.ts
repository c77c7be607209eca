import type { FrameAbout, FrameReceiver, Transport } from '@turnwire/protocol';

/** Counts the bytes of a transport in both directions. */
export class MeteredTransport implements Transport {
  readonly #transport: Transport;
  readonly #onBytes: (bytes: number) => void;

  /** @param onBytes called with the length of each frame */
  constructor(transport: Transport, onBytes: (bytes: number) => void) {
    this.#transport = transport;
    this.#onBytes = onBytes;
  }

  start(receiver: FrameReceiver): void {
    this.#transport.start({
      frame: (text, about) => {
        this.#onBytes(Buffer.byteLength(text));
        return receiver.frame(text, about);
      },
      warning: (report) => receiver.warning(report),
      end: (reason) => receiver.end(reason),
    });
  }

  send(frame: string, about?: FrameAbout): Promise<void> | undefined {
    this.#onBytes(Buffer.byteLength(frame));
    return this.#transport.send(frame, about);
  }

  close(): Promise<void> {
    return this.#transport.close();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#transport[Symbol.asyncDispose]();
  }
}
