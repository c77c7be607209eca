import type { FrameReceiver, Transport } from '@turnwire/protocol';
import { TurnwireError } from '@turnwire/protocol';
import { FrameQueue } from '../frame-queue.ts';
import { GuardedReceiver } from '../guarded-receiver.ts';
import { Backpressure } from '../backpressure.ts';

/** The part of a `MessagePort` that is used, of browsers or of Node. A `Worker`, and the global scope inside one, work as well. */
export interface MessagePortLike {
  /** Sends one message. */
  postMessage(message: unknown): void;
  /** A message has arrived, or the port is closed. */
  addEventListener(type: 'message' | 'close', listener: (event: Event) => void): void;
  /** Starts delivery. */
  start?(): void;
  /** Closes the port for both ends. */
  close?(): void;
}

/** Limits of a transport over a `MessagePort`. */
export interface MessagePortLimits {
  /** Limit of sent text that the other end has not processed yet, beyond which `send` asks to wait, in UTF-16 units. Default 1 Mi. */
  readonly maxText?: number;
}

class MessagePortTransport implements Transport {
  readonly #port: MessagePortLike;
  readonly #maxText: number;
  readonly #incoming = new FrameQueue({ frames: Infinity, text: Infinity });
  readonly #backpressure = new Backpressure();
  /** Sent text that the other end has not acknowledged yet. */
  #unacknowledged = 0;
  /** Processed text that this end has not acknowledged yet. */
  #processed = 0;
  #hasClosed = false;
  #hasEnded = false;

  constructor(port: MessagePortLike, maxText: number) {
    this.#port = port;
    this.#maxText = maxText;
  }

  start(receiving: FrameReceiver): void {
    const receiver = new GuardedReceiver(receiving, (reason) => this.#end(reason));
    this.#incoming.start({
      frame: (text, about) => {
        const pause = receiver.frame(text, about);
        if (pause === undefined) this.#acknowledge(text.length);
        else void pause.then(() => this.#acknowledge(text.length));
        return pause;
      },
      warning: (report) => receiver.warning(report),
      end: (reason) => receiver.end(reason),
    });
    // Only now: a port keeps messages until it is started.
    this.#port.addEventListener('message', (event) =>
      this.#receive((event as Event & { readonly data: unknown }).data, receiver),
    );
    this.#port.addEventListener('close', () =>
      this.#end(new TurnwireError('connection-closed', 'the port was closed')),
    );
    this.#port.start?.();
  }

  send(frame: string): Promise<void> | undefined {
    if (this.#hasClosed) return undefined;
    this.#unacknowledged += frame.length;
    this.#port.postMessage(frame);
    return this.#unacknowledged > this.#maxText ? this.#backpressure.wait() : undefined;
  }

  close(): Promise<void> {
    if (!this.#hasClosed) this.#port.postMessage(null);
    this.#hasClosed = true;
    this.#backpressure.release();
    this.#closePort();
    return Promise.resolve();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#incoming.abort(new TurnwireError('connection-closed', 'this side disposed of the transport'));
    await this.close();
    this.#end();
  }

  #receive(data: unknown, receiver: FrameReceiver): void {
    if (typeof data === 'string') void this.#incoming.send(data);
    else if (typeof data === 'number') {
      this.#unacknowledged -= data;
      if (this.#unacknowledged <= this.#maxText) this.#backpressure.release();
    } else if (data === null) this.#end();
    else receiver.warning({ kind: 'noise', bytes: 0, excerpt: `a message of type ${typeof data}` });
  }

  /** Acknowledges in large steps, since each acknowledgement is a message. */
  #acknowledge(text: number): void {
    this.#processed += text;
    if (this.#processed < this.#maxText / 4) return;
    this.#port.postMessage(this.#processed);
    this.#processed = 0;
  }

  #end(reason?: Error): void {
    this.#hasEnded = true;
    this.#incoming.end(reason);
    this.#backpressure.release();
    this.#closePort();
  }

  /** Closes the port when both directions have ended. Messages posted before still arrive. */
  #closePort(): void {
    if (this.#hasClosed && this.#hasEnded) this.#port.close?.();
  }
}

/**
 * A transport over a `MessagePort`; use this function for both ends. A string is a frame, a number acknowledges that much text since the last one,
 * and `null` is the end of a side. Runs in browsers.
 */
export function messagePortTransport(
  port: MessagePortLike,
  { maxText = 1024 * 1024 }: MessagePortLimits = {},
): Transport {
  return new MessagePortTransport(port, maxText);
}
