import type { FrameReceiver, Transport } from '@turnwire/protocol';
import { frameAbout, TurnwireError } from '@turnwire/protocol';
import { hasTooManyValues } from '../endpoint/count-values.ts';
import { FrameQueue, type QueueLimits } from '../frame-queue.ts';
import { Backpressure } from '../backpressure.ts';
import { GuardedReceiver } from '../guarded-receiver.ts';
import { parsedFrame } from '../parsed-frame.ts';

/** The part of a `WebSocket` that is used, of browsers or of the package `ws`, whose sockets can also be paused and terminated. */
export interface WebSocketLike {
  readonly readyState: number;
  readonly bufferedAmount: number;
  binaryType?: string;
  /** Sends one text message. */
  send(text: string): void;
  /** Starts the closing handshake. */
  close(code?: number, reason?: string): void;
  /** The socket is open, or failed. */
  addEventListener(type: 'open' | 'error', listener: (event: object) => void): void;
  /** A message has arrived. */
  addEventListener(type: 'message', listener: (event: { readonly data: unknown }) => void): void;
  /** The connection is over. */
  addEventListener(type: 'close', listener: (event: { readonly code: number; readonly reason: string }) => void): void;
  /** Pauses reading. */
  pause?(): void;
  /** Resumes reading. */
  resume?(): void;
  /** Ends the connection without a handshake. */
  terminate?(): void;
}

/** Limits of a transport over a WebSocket. */
export interface WebSocketLimits {
  /** Limit of bytes that the peer has not read beyond which `send` asks to wait. Default 1 MiB. */
  readonly maxWaitingBytes?: number;
  /**
   * Limit of bytes that the peer has not read, and of text that waits for a busy receiver. Beyond it the connection is ended and the receiver ends
   * with `limit-exceeded`. Default 256 Mi.
   */
  readonly maxBufferedBytes?: number;
  /**
   * Limit of JSON values in a received message; one with more ends the connection with code 1009, before it is parsed. `serveWebSockets` has
   * {@link maxValues} as its default. Default: none.
   */
  readonly maxValues?: number;
  /** How long `close` waits for the peer to read queued frames and to close its side, in milliseconds. Default 2,000. */
  readonly flushTimeout?: number | undefined;
}

const [connecting, open] = [0, 1];
/** Interval at which a full socket is checked, in milliseconds: a WebSocket has no drain event. */
const drainPoll = 5;
/** Received text beyond which a pausable socket is paused, in UTF-16 units. */
const pauseAbove = 1024 * 1024;

/** In UTF-16 units. */
const longestFirstMessage = 1024 * 1024;

const incoming: QueueLimits = { frames: Infinity, text: pauseAbove };

/** Differences between the two ends of a connection. */
interface EndOptions {
  /** Sends one text message on the open socket, instead of its `send`. */
  readonly write?: ((text: string) => void) | undefined;
  /** The required first message of the peer, at most 1 MiB long, as the WebSocket profile demands of clients. Default: any. */
  readonly begin?: 'initialize' | undefined;
}

class WebSocketTransport implements Transport {
  readonly #socket: WebSocketLike;
  readonly #limits: Required<WebSocketLimits>;
  readonly #write: ((text: string) => void) | undefined;
  readonly #incoming: FrameQueue;
  readonly #backpressure = new Backpressure();
  /** Exists while a caller waits for the end. */
  #closing: Promise<void> | undefined;
  #resolveClosed: (() => void) | undefined;
  #poll: ReturnType<typeof setInterval> | undefined;
  #receiver: FrameReceiver | undefined;
  /** Frames sent before the socket was open. */
  #early: string[] | undefined;
  #earlyText = 0;
  #state: 'open' | 'closing' | 'closed' = 'open';
  #failure: Error | undefined;
  #begin: 'initialize' | 'refused' | undefined;

  constructor(socket: WebSocketLike, limits: Required<WebSocketLimits>, { write, begin }: EndOptions) {
    this.#socket = socket;
    this.#limits = limits;
    this.#write = write;
    this.#begin = begin;
    this.#incoming = new FrameQueue(incoming);
    if (socket.readyState === connecting) socket.addEventListener('open', () => this.#opened());
    socket.addEventListener('message', ({ data }) => this.#receive(data));
    socket.addEventListener('error', (event) => (this.#failure ??= (event as { readonly error?: Error }).error));
    socket.addEventListener('close', ({ code, reason }) => this.#ended(code, reason));
  }

  start(receiver: FrameReceiver): void {
    this.#receiver = new GuardedReceiver(receiver, (reason) => this.#cut(reason));
    this.#incoming.start(this.#receiver);
  }

  send(frame: string): Promise<void> | undefined {
    if (this.#state !== 'open') return undefined;
    const { readyState } = this.#socket;
    if (readyState === open) {
      if (this.#write) this.#write(frame);
      else this.#socket.send(frame);
    } else if (readyState === connecting) {
      (this.#early ??= []).push(frame);
      this.#earlyText += frame.length;
    }
    return this.#waiting > this.#limits.maxWaitingBytes ? this.#wait() : undefined;
  }

  async close(): Promise<void> {
    if (this.#state === 'open') {
      this.#state = 'closing';
      this.#backpressure.release();
      // Reads on, because otherwise the answer to the close could not arrive.
      this.#socket.resume?.();
      if (this.#socket.readyState !== connecting) this.#socket.close(1000);
    }
    if (this.#state === 'closed') return;
    this.#closing ??= new Promise<void>((resolve) => (this.#resolveClosed = resolve));
    const late = new TurnwireError('connection-closed', 'the peer did not close its side');
    const timer = setTimeout(() => this.#cut(late), this.#limits.flushTimeout);
    await this.#closing;
    clearTimeout(timer);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#incoming.abort(new TurnwireError('connection-closed', 'this side disposed of the transport'));
    await this.close();
  }

  /** Bytes, or UTF-16 units before the socket is open, that the peer has not read yet. */
  get #waiting(): number {
    return this.#socket.bufferedAmount + this.#earlyText;
  }

  #opened(): void {
    for (const frame of this.#early ?? []) this.#socket.send(frame);
    this.#early = undefined;
    this.#earlyText = 0;
    if (this.#state === 'closing') this.#socket.close(1000);
  }

  #receive(data: unknown): void {
    if (typeof data !== 'string') {
      const { byteLength, size = 0 } = data as { readonly byteLength?: number; readonly size?: number };
      return this.#receiver?.warning({ kind: 'noise', bytes: byteLength ?? size, excerpt: 'a binary message' });
    }
    if (!this.#isAffordable(data) || (this.#begin !== undefined && !this.#begins(data))) return;
    const pause = this.#incoming.send(data);
    if (this.#incoming.text > this.#limits.maxBufferedBytes) {
      const why = `${this.#incoming.text} characters wait for a receiver that is busy`;
      return this.#cut(new TurnwireError('limit-exceeded', why));
    }
    if (pause === undefined || this.#state !== 'open' || this.#socket.pause === undefined) return;
    this.#socket.pause();
    void pause.then(() => this.#socket.resume?.());
  }

  /** Whether a message may be parsed. One that is too expensive ends the connection. */
  #isAffordable(text: string): boolean {
    const isTooLong = this.#begin === 'initialize' && text.length > longestFirstMessage;
    if (!isTooLong && !hasTooManyValues(text, this.#limits.maxValues)) return true;
    this.#begin = 'refused';
    this.#socket.close(1009, 'the message is too long, or holds too many values');
    return false;
  }

  /** Whether the first message is `initialize`. Any other request is answered with an error, and the connection ended. */
  #begins(text: string): boolean {
    if (this.#begin === 'refused') return false;
    const { kind, method, id = null } = frameAbout(parsedFrame(text));
    const isFine = method === 'initialize' && kind === 'request';
    this.#begin = isFine ? undefined : 'refused';
    if (isFine) return true;
    const error = { code: -32600, message: 'The first message of a connection has to be initialize' };
    if (kind === 'request') void this.send(JSON.stringify({ jsonrpc: '2.0', id, error }));
    this.#socket.close(1002, 'the first message has to be initialize');
    return false;
  }

  #wait(): Promise<void> | undefined {
    const waiting = this.#waiting;
    if (waiting > this.#limits.maxBufferedBytes) {
      const advice = 'await what send returns, or raise maxBufferedBytes';
      const why = `${waiting} bytes wait for a peer that does not read; ${advice}`;
      return void this.#cut(new TurnwireError('limit-exceeded', why));
    }
    const drained = this.#backpressure.wait();
    this.#poll ??= setInterval(() => {
      if (this.#waiting > this.#limits.maxWaitingBytes / 2 && this.#state === 'open') return;
      clearInterval(this.#poll);
      this.#poll = undefined;
      this.#backpressure.release();
    }, drainPoll);
    return drained;
  }

  /** Ends the connection without waiting for the peer. */
  #cut(reason: TurnwireError): void {
    this.#failure ??= reason;
    if (this.#socket.terminate) this.#socket.terminate();
    else this.#socket.close(1000);
    this.#ended(1006, '');
  }

  #ended(code: number, reason: string): void {
    if (this.#state === 'closed') return;
    const isOrderly = code === 1000 || code === 1001 || code === 1005;
    const cause = this.#failure;
    this.#state = 'closed';
    this.#backpressure.release();
    this.#resolveClosed?.();
    if (isOrderly && cause === undefined) this.#incoming.end();
    else if (cause instanceof TurnwireError) this.#incoming.end(cause);
    else this.#incoming.end(new TurnwireError('connection-closed', whyClosed(code, reason, cause), { cause }));
  }
}

function whyClosed(code: number, reason: string, cause: Error | undefined): string {
  if (cause !== undefined) return cause.message;
  if (code === 1006) return 'the WebSocket was cut off (code 1006, the peer did not close it)';
  return `the WebSocket was closed with code ${code}${reason === '' ? '' : `: ${reason}`}`;
}

/**
 * A transport over either end of a WebSocket, open or still connecting: one text message is one frame, as the WebSocket profile of the specification
 * defines. A binary message is reported as `noise`. Runs in browsers.
 *
 * A WebSocket cannot be half closed: after one side has closed, everything that the other side still sends is lost. The codes 1000, 1001 and 1005
 * end a connection in order, every other with a TurnwireError (`connection-closed`).
 */
export function webSocketTransport(socket: WebSocketLike, limits: WebSocketLimits = {}): Transport {
  return transportOver(socket, limits);
}

export function transportOver(socket: WebSocketLike, limits: WebSocketLimits, options: EndOptions = {}): Transport {
  const mebibyte = 1024 * 1024;
  const { maxWaitingBytes = mebibyte, maxBufferedBytes = 256 * mebibyte } = limits;
  const { maxValues = Infinity, flushTimeout = 2_000 } = limits;
  return new WebSocketTransport(socket, { maxWaitingBytes, maxBufferedBytes, maxValues, flushTimeout }, options);
}
