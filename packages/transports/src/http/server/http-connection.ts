import type { FrameAbout, FrameReceiver, RequestId, Transport } from '@turnwire/protocol';
import { TurnwireError } from '@turnwire/protocol';
import { pageHeaders } from '../../endpoint/endpoint-rules.ts';
import { FrameQueue } from '../../frame-queue.ts';
import { afterComment } from '../frame-order.ts';
import { EventStream } from './event-stream.ts';
import type { Exchange } from './exchange.ts';
import { GuardedReceiver } from '../../guarded-receiver.ts';

/** Limits of a connection. */
export interface HttpConnectionLimits {
  /** Limit of text on one stream that the client has not read, beyond which `send` asks to wait. Default 1 Mi. */
  readonly maxWaitingText?: number | undefined;
  /** Limit of such text on all streams. Beyond it the connection is ended, and the receiver ends with `limit-exceeded`. Default 64 Mi. */
  readonly maxBufferedText?: number | undefined;
  /**
   * The amount of text sent on a stream that is kept for a client that reopens the stream with `Last-Event-ID`, in UTF-16 units. Reopening after an
   * older event is answered with 410. Default 256 Ki.
   */
  readonly maxKeptText?: number | undefined;
  /** Limit of sessions with a stream. Beyond it the connection is ended. Default 1,024. */
  readonly maxStreams?: number | undefined;
  /** How long `close` waits for the client to read queued frames, in milliseconds. Default 2,000. */
  readonly flushTimeout?: number | undefined;
}

const mebi = 1024 * 1024;
/** Ended streams that a connection remembers. */
const mostFreed = 64;
/** After these a session needs no stream. */
const endings: ReadonlySet<string | undefined> = new Set(['session/close', 'session/delete']);

/** The server's end of a connection over Streamable HTTP: frames arrive as POSTs and leave on event streams. */
export class HttpConnection implements Transport {
  readonly id: string;
  /** The credentials of the client. Every request of the connection must carry the same ones. */
  readonly credentials: string | object | undefined;
  readonly #limits: HttpConnectionLimits;
  readonly #onEnd: () => void;
  readonly #incoming = new FrameQueue({ frames: Infinity, text: mebi });
  readonly #streams = new Map<string, EventStream>();
  /** Closed sessions whose streams were ended, the latest last: their clients do not open them for a later answer. */
  readonly #freed = new Set<string>();
  /** The sessions of the agent's unanswered requests, by request id, because answers carry their session in a header. */
  readonly #sessionOfRequest = new Map<RequestId, string>();
  #initialize: Exchange | undefined;
  #unread = 0;
  #state: 'open' | 'closing' | 'closed' = 'open';

  constructor(
    about: { readonly id: string; readonly credentials: string | object | undefined; readonly initialize: Exchange },
    limits: HttpConnectionLimits,
    onEnd: () => void,
  ) {
    this.id = about.id;
    this.credentials = about.credentials;
    this.#initialize = about.initialize;
    this.#limits = limits;
    this.#onEnd = onEnd;
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
    const pause = this.stream(this.#streamOf(about))?.write(frame, maxWaitingText, this.#order(about));
    if (pause !== undefined) this.#checkWaiting();
    if (about?.kind === 'answer' && endings.has(about.method)) this.#free(frame, about.sessionId);
    return pause;
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

  /** Receives a frame. @returns a promise while the agent is busy */
  receive(frame: string, about: FrameAbout): Promise<void> | undefined {
    if (about.kind === 'answer' && about.id !== undefined) this.#sessionOfRequest.delete(about.id);
    return this.#incoming.send(frame, about);
  }

  /** The session of an unanswered request of the agent. */
  sessionOf(id: RequestId | undefined): string | undefined {
    return id === undefined ? undefined : this.#sessionOfRequest.get(id);
  }

  /** The stream of a session, or of the connection: ''. Undefined if there are too many, which ends the connection. */
  stream(sessionId: string): EventStream | undefined {
    const existing = this.#streams.get(sessionId);
    if (existing) return existing;
    const { maxStreams = 1024 } = this.#limits;
    if (this.#streams.size > maxStreams) {
      this.end(new TurnwireError('limit-exceeded', `more than ${maxStreams} sessions have a stream on one connection`));
      return undefined;
    }
    this.#freed.delete(sessionId);
    const stream = new EventStream(this.#limits.maxKeptText ?? mebi / 4);
    this.#streams.set(sessionId, stream);
    return stream;
  }

  /** Continues a stream that the client lost after an event. False if that is not possible. */
  reopen(sessionId: string, lastEventId: string, exchange: Exchange): boolean {
    return this.#streams.get(sessionId)?.reopen(exchange, lastEventId) ?? false;
  }

  /** Counts consecutive calls during which the client read none of its streams. */
  beatsUnread(): number {
    this.#unread = this.#isRead ? 0 : this.#unread + 1;
    return this.#unread;
  }

  /** Whether the client has had streams and lost all of them, as after a broken network connection. */
  get isOrphaned(): boolean {
    return !this.#isRead && [...this.#streams.values()].some(({ wasOpen }) => wasOpen);
  }

  get #isRead(): boolean {
    return this.#initialize !== undefined || [...this.#streams.values()].some(({ isOpen }) => isOpen);
  }

  keepAlive(): void {
    for (const stream of this.#streams.values()) stream.keepAlive();
  }

  /** Ends it at once, with a reason unless the client asked for the end. */
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
    this.#onEnd();
  }

  /** The name of the stream for a frame. */
  #streamOf({ kind, method, id, sessionId }: Partial<FrameAbout> = {}): string {
    if (sessionId === undefined || (kind === 'answer' && method === 'session/load')) return '';
    // A request that was sent before the client knew that the stream had ended, such as a second `session/close`.
    if (kind === 'answer' && this.#freed.has(sessionId)) return '';
    if (kind === 'request' && id !== undefined) this.#sessionOfRequest.set(id, sessionId);
    return sessionId;
  }

  /** Ends the stream of a closed session after the answer. A stream that the client has not opened yet stays, to deliver the answer. */
  #free(answer: string, sessionId = ''): void {
    const stream = this.#streams.get(sessionId);
    if (sessionId === '' || !stream?.isOpen || 'error' in (JSON.parse(answer) as object)) return;
    this.#streams.delete(sessionId);
    stream.finish();
    this.#freed.add(sessionId);
    const [oldest] = this.#freed;
    if (this.#freed.size > mostFreed && oldest !== undefined) this.#freed.delete(oldest);
  }

  /** The comment that orders an answer after the replay that precedes it. */
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
