import { TurnwireError } from '../turnwire-error.ts';
import type { Dialect } from '../dialects/index.ts';
import { type EditionTypes, v1 } from '../edition.ts';
import { type Envelope, type Malformed, readEnvelope, refused } from '../json-rpc/envelope.ts';
import { isTooDeep } from '../json-rpc/depth.ts';
import { messageHead } from '../json-rpc/message-head.ts';
import { Journal } from '../log/journal.ts';
import type { Side } from '../side.ts';
import { errorCodes } from '../protocol-error.ts';
import type { FrameAbout, FrameReceiver, Transport, TransportWarning } from '../transport.ts';
import { Backlog } from './backlog.ts';
import { Caller } from './caller.ts';
import { Dispatcher } from './dispatcher.ts';
import { type AnyOffer, Handshake } from './handshake.ts';
import { Lanes } from './lanes.ts';
import { defaultLimits } from './limits.ts';
import type { Parts } from './parts.ts';
import type { Closed, Peer, PeerOptions, RawCalls, RequestOptions } from './peer-types.ts';
import { MethodTable } from './method-table.ts';
import { ReadingFacts } from './reader.ts';
import { SessionSetup } from './session-setup.ts';
import { after } from './after.ts';
import { aboutAnswer, Wire } from './wire.ts';

/** How long to wait for aborted handlers after the peer is gone, in milliseconds. */
const afterAbort = 500;

/** Arguments of a connection. */
export interface ConnectionParts {
  readonly handlers: object;
  readonly options: PeerOptions<EditionTypes>;
  readonly dialect: Dialect;
  /** Where `initialize` chooses one of several editions: all of them, oldest first. The newest is also in the options. */
  readonly offers?: readonly AnyOffer[] | undefined;
}

/** One end of a connection: reads frames, and passes them to its calling and its answering half. */
export class Connection implements FrameReceiver {
  readonly side: Side;
  readonly closed: Promise<Closed>;
  readonly #parts: Parts;
  readonly #backlog: Backlog;
  readonly #caller: Caller;
  readonly #dispatcher: Dispatcher;
  /** Messages that arrived before the answer to `initialize`. */
  #early: { readonly envelope: Envelope; readonly size: number }[] = [];
  #resolveClosed!: (closed: Closed) => void;
  #isEnding = false;

  constructor(side: Side, transport: Transport, { handlers, options, dialect, offers }: ConnectionParts) {
    // A server may have ten thousand connections: equal parts are shared, and parts that few connections need are made when they are
    // needed.
    const limits = options.limits === undefined ? defaultLimits : { ...defaultLimits, ...options.limits };
    const journal = new Journal(options.log);
    const edition = options.edition ?? v1;
    this.side = side;
    this.closed = new Promise((resolve) => (this.#resolveClosed = resolve));
    this.#backlog = new Backlog(limits.heldText, limits.heldTextHard);
    const lanes = new Lanes(this.#backlog);
    const Rules = (edition.handshake ?? Handshake) as typeof Handshake;
    const handshake = new Rules(options);
    this.#parts = {
      side,
      methods: MethodTable.of(edition, dialect),
      handlers: handlers as Readonly<Record<string, unknown>>,
      wire: new Wire(transport, journal),
      lanes,
      handshake,
      reading: new ReadingFacts(handshake, options.lookup),
      setup: new SessionSetup(lanes),
      journal,
      limits,
      dialect,
      offers,
      checkOutgoing: options.checkOutgoing ?? true,
      connection: this,
    };
    handshake.start(this.#parts);
    this.#caller = new Caller(this.#parts, options.firstId);
    this.#dispatcher = new Dispatcher(this.#parts, {
      peer: this as unknown as Peer,
      freeze: options.freeze ?? false,
    });
    transport.start(this);
  }

  /** The version agreed on. An agent knows it once `initialize` has come, a client once it is answered. */
  get version(): number | undefined {
    return this.remote && this.#parts.methods.edition.protocolVersion;
  }

  get remote(): object | undefined {
    return this.#parts.handshake.remote;
  }

  get raw(): RawCalls {
    return this.#caller.raw;
  }

  request(method: string, params: unknown, options?: RequestOptions): Promise<unknown> {
    return this.#caller.request(method, params, options);
  }

  notify(method: string, params: unknown): Promise<void> {
    return this.#caller.notify(method, params);
  }

  async close(): Promise<void> {
    const finished = this.#finish({ by: 'local' }, 'the connection was closed on this side');
    this.#caller.settleAll();
    await finished;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  frame(text: string, about?: FrameAbout): Promise<void> | undefined {
    if (this.#isEnding) return undefined;
    const value = about?.message ?? this.#parse(text);
    if (value !== undefined) {
      const { depth } = this.#parts.limits;
      const read = readEnvelope(value);
      const envelope = isTooDeep(value, text, depth) ? refused(read, `nested deeper than ${depth} levels`) : read;
      this.#parts.journal.message('in', text, envelope);
      this.#route(envelope, text.length);
    }
    if (this.#backlog.isOverflowing) void this.#giveUp();
    return this.#backlog.room();
  }

  /** The excerpt is not logged: output printed by mistake may hold a secret, and so may a message that was cut off. */
  warning({ kind, bytes, excerpt = '' }: TransportWarning): void {
    this.#parts.journal.warning('warn', kind, { direction: 'in', size: bytes });
    if (kind !== 'oversize' || this.#isEnding) return;
    // Its beginning may hold the id of a request, which would otherwise stay pending.
    const head = messageHead(excerpt);
    const reason = `it is ${bytes} bytes long, more than is read`;
    this.#malformed({ id: null, ...head, reason });
  }

  end(reason?: Error): void {
    if (this.#isEnding) return;
    if (reason === undefined) void this.#drain();
    else void this.#finish({ by: 'error', error: reason }, `the connection broke: ${reason.message}`);
  }

  /**
   * The value of a frame; undefined if it is not JSON, which is reported here. An agent answers that with an error. A client does not: it
   * would answer every line an agent prints by mistake.
   */
  #parse(text: string): unknown {
    try {
      return JSON.parse(text);
    } catch {
      const message = 'Parse error: the frame is not JSON';
      const { journal, wire } = this.#parts;
      journal.warning('warn', 'a frame was dropped', { direction: 'in', size: text.length, detail: message });
      if (this.side === 'agent') wire.complain({ code: errorCodes.parseError, message });
      return undefined;
    }
  }

  #route(envelope: Envelope, size: number): void {
    // Answers belong to this side's requests and must not wait.
    const isCall = envelope.kind === 'request' || envelope.kind === 'notification';
    const isEarly = isCall && this.side === 'agent' && this.#parts.handshake.isUnderWay;
    if (!isEarly) return this.#dispatch(envelope, size);
    this.#backlog.add(size);
    this.#early.push({ envelope, size });
    // A cancel applies to running requests and to those that came early: it is read now and again in its turn.
    if (envelope.kind === 'notification' && envelope.method === '$/cancel_request') this.#dispatch(envelope, size);
  }

  #dispatch(envelope: Envelope, size: number): void {
    switch (envelope.kind) {
      case 'notification':
        return this.#dispatcher.notification(envelope, size);
      case 'request':
        return this.#dispatcher.request(envelope, size);
      case 'response':
        return this.#caller.answer(envelope, size);
      case 'malformed':
        return this.#malformed(envelope);
    }
  }

  /** Answers or reports a malformed message. `like` is absent if it does not resemble any message. */
  #malformed({ id, like, reason }: Pick<Malformed, 'id' | 'reason'> & Partial<Malformed>): void {
    const { wire, journal } = this.#parts;
    journal.warning('warn', 'a malformed message was dropped', { direction: 'in', id, detail: reason });
    if (like === 'notification' || (like === 'answer' && this.#caller.refuseAnswer(id, reason))) return;
    const error = { code: errorCodes.invalidRequest, message: `Invalid request: ${reason}` };
    if (like === 'request' && id !== null) wire.sendError(error, aboutAnswer(id));
    else if (like === 'request' || this.side === 'agent') wire.complain(error);
  }

  /** Clients may send on without waiting for the answer to `initialize`. */
  readEarly(): void {
    const early = this.#early;
    this.#early = [];
    for (const { envelope, size } of early) {
      this.#backlog.remove(size);
      this.#route(envelope, size);
    }
  }

  /**
   * The peer ended its side in order. An agent still answers pending requests: a client may have closed its end of the pipe
   * after sending them. A client's handlers cannot answer any more.
   */
  async #drain(): Promise<void> {
    const ended = 'the peer ended the connection';
    this.#parts.lanes.releaseAll();
    this.#caller.failAll(closedError(ended));
    if (this.side === 'agent') await within(this.#parts.limits.drain, this.#dispatcher.running.idle());
    this.#dispatcher.running.abortAll();
    await within(afterAbort, this.#dispatcher.running.idle());
    await this.#finish({ by: 'remote' }, ended);
  }

  async #giveUp(): Promise<void> {
    const error = new TurnwireError(
      'limit-exceeded',
      `More than ${this.#parts.limits.heldTextHard} characters wait for slow handlers; the connection was given up`,
    );
    const finished = this.#finish({ by: 'error', error }, error.message);
    this.#caller.settleAll();
    await finished;
  }

  async #finish(closed: Closed, why: string): Promise<void> {
    if (this.#isEnding) return void (await this.closed);
    this.#isEnding = true;
    this.#parts.lanes.releaseAll();
    this.#caller.failAll(closedError(why, closed.error));
    this.#dispatcher.running.abortAll();
    await this.#parts.wire.close();
    this.#resolveClosed(closed);
  }
}

function closedError(why: string, cause?: Error): TurnwireError {
  return new TurnwireError('connection-closed', `No answer will come: ${why}`, cause && { cause });
}

/** Waits for the promise, but no longer than so many milliseconds; leaves no timer behind. */
async function within(milliseconds: number, promise: Promise<void>): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  await Promise.race([promise, new Promise<void>((resolve) => (timer = after(milliseconds, resolve)))]);
  clearTimeout(timer);
}
