import type { FrameReceiver, Transport } from '@turnwire/protocol';
import { frameAbout, TurnwireError } from '@turnwire/protocol';
import { FrameQueue, type QueueLimits } from '../frame-queue.ts';
import { Room } from '../room.ts';
import { GuardedReceiver } from '../guarded-receiver.ts';

/** What is used of a `WebSocket`, of browsers or of the package `ws`, which can also be paused and ended at once. */
export interface WebSocketLike {
  readonly readyState: number;
  readonly bufferedAmount: number;
  binaryType?: string;
  /** Sends one text message. */
  send(text: string): void;
  /** Begins the closing handshake. */
  close(code?: number, reason?: string): void;
  /** The socket is open, or something went wrong. */
  addEventListener(type: 'open' | 'error', listener: (event: object) => void): void;
  /** A message has arrived. */
  addEventListener(type: 'message', listener: (event: { readonly data: unknown }) => void): void;
  /** The connection is over. */
  addEventListener(type: 'close', listener: (event: { readonly code: number; readonly reason: string }) => void): void;
  /** Reads no more for now. */
  pause?(): void;
  /** Reads on. */
  resume?(): void;
  /** Ends the connection without a handshake. */
  terminate?(): void;
}

/** How much a transport over a WebSocket accepts. */
export interface WebSocketLimits {
  /** Bytes waiting for a peer that does not read beyond which `send` asks to wait. Default 1 MiB. */
  readonly maxWaitingBytes?: number;
  /**
   * Bytes waiting for a peer that does not read, and text waiting for a receiver that is busy, beyond which the connection is cut and the
   * receiver ends with `limit-exceeded`. Default 256 Mi.
   */
  readonly maxBufferedBytes?: number;
  /** How long `close` waits for the peer to read what is queued and to close its side, in milliseconds. Default 2,000. */
  readonly flushTimeout?: number | undefined;
}

const [connecting, open] = [0, 1];
/** How often a full socket is asked whether it has room, in milliseconds: it does not say so by itself. */
const roomPoll = 5;
/** Received text beyond which a socket that can be paused is, in UTF-16 units. */
const pauseAbove = 1024 * 1024;

/** In UTF-16 units. */
const longestBeginning = 1024 * 1024;

const incoming: QueueLimits = { frames: Infinity, text: pauseAbove };

/** What the two ends of a connection need beside a socket. */
interface HowToCarry {
  /** Sends one text message by the open socket, in the place of its `send`. */
  readonly write?: ((text: string) => void) | undefined;
  /** What the peer has to begin with, as the WebSocket profile has it for clients, in at most 1 MiB. Default: anything. */
  readonly begin?: 'initialize' | undefined;
  /** Whether a message costs too much to be parsed: it ends the connection with code 1009. Default: none does. */
  readonly isTooMuch?: ((text: string) => boolean) | undefined;
}

class WebSocketTransport implements Transport {
  readonly #socket: WebSocketLike;
  readonly #limits: Required<WebSocketLimits>;
  readonly #write: ((text: string) => void) | undefined;
  readonly #isTooMuch: ((text: string) => boolean) | undefined;
  readonly #incoming: FrameQueue;
  readonly #room = new Room();
  /** There while somebody waits for the end. */
  #closing: Promise<void> | undefined;
  #resolveClosed: (() => void) | undefined;
  #poll: ReturnType<typeof setInterval> | undefined;
  #receiver: FrameReceiver | undefined;
  /** What was sent before the socket was open; there if something was. */
  #early: string[] | undefined;
  #earlyText = 0;
  #state: 'open' | 'closing' | 'closed' = 'open';
  #failure: Error | undefined;
  #begin: 'initialize' | 'refused' | undefined;

  constructor(socket: WebSocketLike, limits: Required<WebSocketLimits>, { write, begin, isTooMuch }: HowToCarry) {
    this.#socket = socket;
    this.#limits = limits;
    this.#write = write;
    this.#begin = begin;
    this.#isTooMuch = isTooMuch;
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
      this.#room.release();
      // Otherwise the answer to it could not be read.
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

  /** Bytes, or UTF-16 units before the socket is open, that the peer has yet to read. */
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
    const room = this.#incoming.send(data);
    if (this.#incoming.text > this.#limits.maxBufferedBytes) {
      const why = `${this.#incoming.text} characters wait for a receiver that is busy`;
      return this.#cut(new TurnwireError('limit-exceeded', why));
    }
    if (room === undefined || this.#state !== 'open' || this.#socket.pause === undefined) return;
    this.#socket.pause();
    void room.then(() => this.#socket.resume?.());
  }

  /** Whether a message may be parsed. One that costs too much ends the connection. */
  #isAffordable(text: string): boolean {
    const isTooLong = this.#begin === 'initialize' && text.length > longestBeginning;
    if (!isTooLong && this.#isTooMuch?.(text) !== true) return true;
    this.#begin = 'refused';
    this.#socket.close(1009, 'the message is too long, or holds too many values');
    return false;
  }

  /** Whether the peer begins with `initialize`. A request that comes first instead is answered, and the connection ended. */
  #begins(text: string): boolean {
    if (this.#begin === 'refused') return false;
    const { kind, method, id = null } = frameAbout(parsed(text));
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
    const room = this.#room.wait();
    this.#poll ??= setInterval(() => {
      if (this.#waiting > this.#limits.maxWaitingBytes / 2 && this.#state === 'open') return;
      clearInterval(this.#poll);
      this.#poll = undefined;
      this.#room.release();
    }, roomPoll);
    return room;
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
    this.#room.release();
    this.#resolveClosed?.();
    if (isOrderly && cause === undefined) this.#incoming.end();
    else if (cause instanceof TurnwireError) this.#incoming.end(cause);
    else this.#incoming.end(new TurnwireError('connection-closed', whyClosed(code, reason, cause), { cause }));
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function whyClosed(code: number, reason: string, cause: Error | undefined): string {
  if (cause !== undefined) return cause.message;
  if (code === 1006) return 'the WebSocket was cut off (code 1006, the peer did not close it)';
  return `the WebSocket was closed with code ${code}${reason === '' ? '' : `: ${reason}`}`;
}

/**
 * Speaks the protocol over a WebSocket, either end of it, open or still connecting: one text message is one frame, as the WebSocket profile of the
 * specification has it. A binary message is reported as `noise`. Runs in browsers.
 *
 * A WebSocket has no half that can be closed: once one side has closed, what the other still sends is lost. The codes 1000, 1001 and 1005 end
 * a connection in order, every other with a TurnwireError (`connection-closed`).
 */
export function webSocketTransport(socket: WebSocketLike, limits: WebSocketLimits = {}): Transport {
  return transportOver(socket, limits);
}

export function transportOver(socket: WebSocketLike, limits: WebSocketLimits, how: HowToCarry = {}): Transport {
  const { maxWaitingBytes = 1024 * 1024, maxBufferedBytes = 256 * 1024 * 1024, flushTimeout = 2_000 } = limits;
  return new WebSocketTransport(socket, { maxWaitingBytes, maxBufferedBytes, flushTimeout }, how);
}
