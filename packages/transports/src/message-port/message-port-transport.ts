import type { FrameReceiver, Transport } from '@turnwire/protocol';
import { TurnwireError } from '@turnwire/protocol';
import { FrameQueue } from '../frame-queue.ts';
import { GuardedReceiver } from '../guarded-receiver.ts';
import { Room } from '../room.ts';

/** What is used of a `MessagePort`, of browsers or of Node. A `Worker`, and the global scope inside one, will do as well. */
export interface MessagePortLike {
  /** Sends one message. */
  postMessage(message: unknown): void;
  /** A message has arrived, or the port is closed. */
  addEventListener(type: 'message' | 'close', listener: (event: Event) => void): void;
  /** Begins delivery. */
  start?(): void;
  /** Closes the port for both ends. */
  close?(): void;
}

/** How much may be on its way. */
export interface MessagePortLimits {
  /** Text the other end has not taken yet beyond which `send` asks to wait, in UTF-16 units. Default 1 Mi. */
  readonly maxText?: number;
}

class MessagePortTransport implements Transport {
  readonly #port: MessagePortLike;
  readonly #maxText: number;
  readonly #incoming = new FrameQueue({ frames: Infinity, text: Infinity });
  readonly #room = new Room();
  /** Text sent that the other end has not taken yet. */
  #onItsWay = 0;
  /** Text taken that the other end does not know of yet. */
  #taken = 0;
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
    // Only now: until it is started a port keeps what arrives.
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
    this.#onItsWay += frame.length;
    this.#port.postMessage(frame);
    return this.#onItsWay > this.#maxText ? this.#room.wait() : undefined;
  }

  close(): Promise<void> {
    if (!this.#hasClosed) this.#port.postMessage(null);
    this.#hasClosed = true;
    this.#room.release();
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
    else if (typeof data === 'number') this.#makeRoom(data);
    else if (data === null) this.#end();
    else receiver.warning({ kind: 'noise', bytes: 0, excerpt: `a message of type ${typeof data}` });
  }

  #makeRoom(text: number): void {
    this.#onItsWay -= text;
    if (this.#onItsWay <= this.#maxText) this.#room.release();
  }

  /** In large steps, since each is a message. */
  #acknowledge(text: number): void {
    this.#taken += text;
    if (this.#taken < this.#maxText / 4) return;
    this.#port.postMessage(this.#taken);
    this.#taken = 0;
  }

  #end(reason?: Error): void {
    this.#hasEnded = true;
    this.#incoming.end(reason);
    this.#room.release();
    this.#closePort();
  }

  /** Once nothing will go over it either way. What was posted before still arrives. */
  #closePort(): void {
    if (this.#hasClosed && this.#hasEnded) this.#port.close?.();
  }
}

/**
 * Speaks the protocol over a `MessagePort`; both ends are made by this function. A string is a frame, a number says how much text was
 * taken since the last one, and `null` is the end of a side. Runs in browsers.
 */
export function messagePortTransport(
  port: MessagePortLike,
  { maxText = 1024 * 1024 }: MessagePortLimits = {},
): Transport {
  return new MessagePortTransport(port, maxText);
}
