import type { FrameAbout, FrameReceiver, RequestId, Transport } from '@turnwire/protocol';
import { TurnwireError } from '@turnwire/protocol';
import { pageHeaders } from '../../endpoint/endpoint-rules.ts';
import { FrameQueue } from '../../frame-queue.ts';
import { afterComment } from '../frame-order.ts';
import { EventStream } from './event-stream.ts';
import type { Exchange } from './exchange.ts';
import { GuardedReceiver } from '../../guarded-receiver.ts';

/** How much a connection may hold. */
export interface HttpConnectionLimits {
  /** Text waiting on one stream for a client that does not read beyond which `send` asks to wait. Default 1 Mi. */
  readonly maxWaitingText?: number | undefined;
  /** The same of all streams beyond which the connection is cut; the receiver ends with `limit-exceeded`. Default 64 Mi. */
  readonly maxBufferedText?: number | undefined;
  /**
   * How much of what was written to a stream is kept for a client whose stream is cut and that opens it again with `Last-Event-ID`, in UTF-16
   * units. What came after an older event is answered with 410. Default 256 Ki.
   */
  readonly maxKeptText?: number | undefined;
  /** Sessions that may have a stream. Beyond it the connection is cut. Default 1,024. */
  readonly maxStreams?: number | undefined;
  /** How long `close` waits for the client to read what is queued, in milliseconds. Default 2,000. */
  readonly flushTimeout?: number | undefined;
}

const mebi = 1024 * 1024;
/** After these a session needs no stream. */
const endings: ReadonlySet<string | undefined> = new Set(['session/close', 'session/delete']);

/** The server's end of a connection over Streamable HTTP: frames come as POSTs and go to event streams. */
export class HttpConnection implements Transport {
  readonly id: string;
  /** What the client authorized itself with. Whoever uses the connection has to send the same. */
  readonly credentials: string | object | undefined;
  readonly #limits: HttpConnectionLimits;
  readonly #gone: () => void;
  readonly #incoming = new FrameQueue({ frames: Infinity, text: mebi });
  readonly #streams = new Map<string, EventStream>();
  /** The sessions of the agent's requests that are not answered yet, by id: answers carry their session in a header. */
  readonly #asked = new Map<RequestId, string>();
  #initialize: Exchange | undefined;
  #unread = 0;
  #state: 'open' | 'closing' | 'closed' = 'open';

  constructor(
    about: { readonly id: string; readonly credentials: string | object | undefined; readonly initialize: Exchange },
    limits: HttpConnectionLimits,
    gone: () => void,
  ) {
    this.id = about.id;
    this.credentials = about.credentials;
    this.#initialize = about.initialize;
    this.#limits = limits;
    this.#gone = gone;
  }

  start(receiver: FrameReceiver): void {
    this.#incoming.start(new GuardedReceiver(receiver, (reason) => this.end(reason)));
  }

  send(frame: string, about?: FrameAbout): Promise<void> | undefined {
    if (this.#state !== 'open') return undefined;
    const initialize = this.#initialize;
    if (initialize !== undefined && (about === undefined || about.kind === 'answer')) {
      this.#initialize = undefined;
      initialize.answer(
        200,
        { ...pageHeaders(initialize.request), 'content-type': 'application/json', 'acp-connection-id': this.id },
        frame,
      );
      return undefined;
    }
    const { maxWaitingText = mebi } = this.#limits;
    const room = this.stream(this.#streamOf(about))?.write(frame, maxWaitingText, this.#order(about));
    if (room !== undefined) this.#checkWaiting();
    if (about?.kind === 'answer' && endings.has(about.method)) this.#free(frame, about.sessionId);
    return room;
  }

  async close(): Promise<void> {
    if (this.#state !== 'open') return;
    this.#state = 'closing';
    let timer: ReturnType<typeof setTimeout> | undefined;
    const late = new Promise((resolve) => (timer = setTimeout(resolve, this.#limits.flushTimeout ?? 2_000)));
    for (const stream of this.#streams.values()) stream.finish();
    await Promise.race([Promise.all([...this.#streams.values()].map(({ done }) => done)), late]);
    clearTimeout(timer);
    this.end();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#incoming.abort(new TurnwireError('connection-closed', 'this side disposed of the transport'));
    await this.close();
  }

  /** Takes a frame. @returns a promise while the agent is busy */
  receive(frame: string, about: FrameAbout): Promise<void> | undefined {
    if (about.kind === 'answer' && about.id !== undefined) this.#asked.delete(about.id);
    return this.#incoming.send(frame, about);
  }

  /** The session of a request of the agent that waits for an answer. */
  sessionOf(id: RequestId | undefined): string | undefined {
    return id === undefined ? undefined : this.#asked.get(id);
  }

  /** The stream of a session, or of the connection: ''. Undefined if there would be too many; the connection is then cut. */
  stream(sessionId: string): EventStream | undefined {
    const existing = this.#streams.get(sessionId);
    if (existing) return existing;
    const { maxStreams = 1024 } = this.#limits;
    if (this.#streams.size > maxStreams) {
      this.end(new TurnwireError('limit-exceeded', `more than ${maxStreams} sessions have a stream on one connection`));
      return undefined;
    }
    const stream = new EventStream(this.#limits.maxKeptText ?? mebi / 4);
    this.#streams.set(sessionId, stream);
    return stream;
  }

  /** Goes on with a stream that the client lost behind an event. False if that is not possible. */
  reopen(sessionId: string, lastEventId: string, exchange: Exchange): boolean {
    return this.#streams.get(sessionId)?.reopen(exchange, lastEventId) ?? false;
  }

  /** Counts how often in a row this was called while the client read none of its streams. */
  beatsUnread(): number {
    this.#unread = this.#isRead ? 0 : this.#unread + 1;
    return this.#unread;
  }

  /** Whether the client has had streams and has lost them, which is what a broken line looks like. */
  get isOrphaned(): boolean {
    return !this.#isRead && [...this.#streams.values()].some(({ wasOpen }) => wasOpen);
  }

  get #isRead(): boolean {
    return this.#initialize !== undefined || [...this.#streams.values()].some(({ isOpen }) => isOpen);
  }

  keepAlive(): void {
    for (const stream of this.#streams.values()) stream.keepAlive();
  }

  /** Ends it at once, with a reason if the client did not ask for it. */
  end(reason?: TurnwireError): void {
    if (this.#state === 'closed') return;
    this.#state = 'closed';
    this.#initialize?.answer(500, { 'content-type': 'text/plain' }, 'The agent ended before it answered.\n');
    this.#initialize = undefined;
    for (const stream of this.#streams.values()) {
      if (reason === undefined) stream.finish();
      else stream.destroy();
    }
    this.#incoming.end(reason);
    this.#gone();
  }

  /** The name of the stream a frame belongs on. */
  #streamOf({ kind, method, id, sessionId }: Partial<FrameAbout> = {}): string {
    if (sessionId === undefined || (kind === 'answer' && method === 'session/load')) return '';
    if (kind === 'request' && id !== undefined) this.#asked.set(id, sessionId);
    return sessionId;
  }

  /** A session that has ended needs no stream: it ends behind the answer. One that nobody reads yet stays, for the answer. */
  #free(answer: string, sessionId = ''): void {
    const stream = this.#streams.get(sessionId);
    if (sessionId === '' || !stream?.isOpen || 'error' in (JSON.parse(answer) as object)) return;
    this.#streams.delete(sessionId);
    stream.finish();
  }

  /** What says that an answer comes after what was replayed before it. */
  #order({ kind, method, sessionId }: Partial<FrameAbout> = {}): string | undefined {
    const stream = kind === 'answer' && method === 'session/load' ? this.#streams.get(sessionId ?? '') : undefined;
    return stream && sessionId !== undefined ? afterComment({ sessionId, frames: stream.frames }) : undefined;
  }

  #checkWaiting(): void {
    const { maxBufferedText = 64 * mebi } = this.#limits;
    const waiting = [...this.#streams.values()].reduce((sum, stream) => sum + stream.waiting, 0);
    if (waiting <= maxBufferedText) return;
    this.end(new TurnwireError('limit-exceeded', `${waiting} characters wait for a client that does not read`));
  }
}
