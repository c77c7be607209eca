import type { FrameAbout, FrameReceiver, Transport, TransportWarning } from '@turnwire/protocol';

/**
 * Receives every frame of a connection in wire order, unchanged. Must not throw. A promise for an incoming frame delays the frames after
 * it, for listeners that write to a slow destination.
 */
export type FrameTap = (direction: 'in' | 'out', frame: string) => Promise<void> | undefined | void;

/** Listeners for frames, and for data that is not a frame. */
export interface Listeners {
  readonly tap: FrameTap | undefined;
  /** Receives each warning before the receiver does. */
  readonly warnings: Pick<FrameReceiver, 'warning'>;
}

/** The same transport, with listeners. */
export class TappedTransport implements Transport, FrameReceiver {
  readonly #transport: Transport;
  readonly #tap: FrameTap | undefined;
  readonly #warnings: Listeners['warnings'];
  #receiver: FrameReceiver | undefined;

  constructor(transport: Transport, { tap, warnings }: Listeners) {
    this.#transport = transport;
    this.#tap = tap;
    this.#warnings = warnings;
  }

  start(receiver: FrameReceiver): void {
    this.#receiver = receiver;
    this.#transport.start(this);
  }

  send(frame: string, about?: FrameAbout): Promise<void> | undefined {
    void this.#tap?.('out', frame);
    return this.#transport.send(frame, about);
  }

  close(): Promise<void> {
    return this.#transport.close();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#transport[Symbol.asyncDispose]();
  }

  frame(text: string, about?: FrameAbout): Promise<void> | undefined {
    const tapping = this.#tap?.('in', text);
    const handling = this.#receiver?.frame(text, about);
    return tapping && handling ? Promise.all([tapping, handling]).then(() => undefined) : (tapping ?? handling);
  }

  warning(report: TransportWarning): void {
    this.#warnings.warning(report);
    this.#receiver?.warning(report);
  }

  end(reason?: Error): void {
    this.#receiver?.end(reason);
  }
}
