import type { FrameAbout, FrameReceiver, RequestId, Transport, WireError } from '@turnwire/protocol';
import { frameAbout, TurnwireError } from '@turnwire/protocol';
import { defaultSilence } from '../default-silence.ts';
import { codeOfRefusal } from '../endpoint/code-of-refusal.ts';
import { FrameQueue } from '../frame-queue.ts';
import { Backpressure } from '../backpressure.ts';
import { Cookies } from './cookies.ts';
import { continuedFrames } from './continued-frames.ts';
import type { EventBody } from './event-frames.ts';
import type { After } from './frame-order.ts';
import { StreamProgress } from './stream-progress.ts';
import { GuardedReceiver } from '../guarded-receiver.ts';
import { parsedFrame } from '../parsed-frame.ts';

/** The part of a `Response` that is used. */
export interface HttpResponse {
  readonly ok: boolean;
  readonly status: number;
  readonly statusText: string;
  readonly headers: Pick<Headers, 'get' | 'getSetCookie'>;
  readonly body: EventBody | null;
  /** Resolves with the whole body. */
  text(): Promise<string>;
}

/** Options of {@link connectHttp}. */
export interface ConnectHttpOptions {
  /** Headers of every request: `{ authorization: 'Bearer …' }`. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Sends the requests. Default: `fetch` of the platform. */
  readonly fetch?: ((url: string, init: RequestInit) => Promise<HttpResponse>) | undefined;
  /** Longest frame received, in bytes; a longer one is skipped and reported as `oversize`. Default 64 MiB. */
  readonly maxFrameBytes?: number | undefined;
  /** Limit of text that waits to be sent beyond which `send` asks to wait, in UTF-16 units. Default 1 Mi. */
  readonly maxWaitingText?: number | undefined;
  /** How long `close` waits until queued messages are sent, in milliseconds. Default 2,000. */
  readonly flushTimeout?: number | undefined;
  /** How long a server that keeps its streams alive may be silent before the connection counts as dead, in milliseconds. Default 45,000. */
  readonly silence?: number | undefined;
}

/** The stream of a session (or of the connection: ''), and its request. */
interface OpenStream {
  readonly sessionId: string;
  readonly request: AbortController;
}

interface Outgoing {
  readonly frame: string;
  readonly about: FrameAbout | undefined;
}

const mebibyte = 1024 * 1024;
/** Statuses after which no other request of the connection can succeed either. */
const fatal: ReadonlySet<number> = new Set([401, 403, 404, 410]);
/** After these a server ends the stream of the session. */
const endings: ReadonlySet<string> = new Set(['session/close', 'session/delete']);

/** Characters of a server's error text that are quoted. */
const quoted = 500;

class HttpTransport implements Transport {
  readonly #url: string;
  readonly #options: ConnectHttpOptions;
  readonly #incoming = new FrameQueue({ frames: Infinity, text: mebibyte });
  readonly #backpressure = new Backpressure();
  /** Each request has a controller of its own: a signal that many requests share would keep references to all of them. */
  readonly #requests = new Set<AbortController>();
  readonly #cookies = new Cookies();
  /** The open event streams by session; '' is the connection's. Each promise resolves when the stream is open. */
  readonly #streams = new Map<string, Promise<void>>();
  readonly #reading = new Set<Promise<void>>();
  readonly #progress = new Map<string, StreamProgress>();
  /** The method of the last message about each session that has a stream. */
  readonly #lastMethods = new Map<string, string | undefined>();
  /** The sessions that are being loaded, by request id. */
  readonly #loading = new Map<RequestId, string>();
  #receiver: FrameReceiver | undefined;
  #outgoing: Outgoing[] = [];
  #waiting = 0;
  #sending: Promise<void> | undefined;
  #connectionId: string | undefined;
  #state: 'open' | 'closing' | 'closed' = 'open';

  constructor(url: string, options: ConnectHttpOptions) {
    this.#url = url;
    this.#options = options;
  }

  start(receiver: FrameReceiver): void {
    this.#receiver = new GuardedReceiver(receiver, (reason) => this.#end(reason));
    this.#incoming.start(this.#receiver);
  }

  send(frame: string, about?: FrameAbout): Promise<void> | undefined {
    if (this.#state !== 'open') return undefined;
    const { kind, method, id, sessionId } = about ?? {};
    if (kind === 'request' && method === 'session/load' && id !== undefined && sessionId !== undefined)
      this.#loading.set(id, sessionId);
    this.#outgoing.push({ frame, about });
    this.#waiting += frame.length;
    this.#sending ??= this.#sendAll();
    return this.#waiting > (this.#options.maxWaitingText ?? mebibyte) ? this.#backpressure.wait() : undefined;
  }

  async close(): Promise<void> {
    if (this.#state !== 'open') return;
    this.#state = 'closing';
    this.#backpressure.release();
    const timer = setTimeout(() => this.#abortAll(), this.#options.flushTimeout ?? 2_000);
    await this.#sending;
    // The server then ends the streams.
    if (this.#connectionId !== undefined) await this.#text('DELETE', {}).catch(() => undefined);
    clearTimeout(timer);
    this.#end();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#incoming.abort(new TurnwireError('connection-closed', 'this side disposed of the transport'));
    await this.close();
  }

  async #sendAll(): Promise<void> {
    // One by one: parallel requests could arrive in any order.
    for (let next = this.#outgoing.shift(); next !== undefined; next = this.#outgoing.shift()) {
      try {
        const { about } = next;
        await (isWithoutHeader(about) ? this.#notAccepted(about, notInHeader(about), 0) : this.#post(next));
      } catch (error) {
        this.#end(failure('a message could not be sent', error));
      }
      this.#waiting -= next.frame.length;
      if (this.#waiting <= (this.#options.maxWaitingText ?? mebibyte) / 2) this.#backpressure.release();
    }
    this.#sending = undefined;
  }

  async #post({ frame, about }: Outgoing): Promise<void> {
    if (this.#state === 'closed') return;
    const isFirst = this.#connectionId === undefined;
    const sessionId = inHeader(about?.sessionId);
    if (sessionId !== undefined && !isFirst) {
      this.#lastMethods.set(sessionId, about?.method);
      await this.#stream(sessionId);
    }
    const session: Record<string, string> = sessionId === undefined ? {} : { 'acp-session-id': sessionId };
    const { response, text } = await this.#text('POST', { 'content-type': 'application/json', ...session }, frame);
    if (!response.ok) return this.#refused(response, text, about);
    if (!isFirst) return;
    const id = response.headers.get('acp-connection-id');
    if (id === null) throw new TurnwireError('connection-closed', 'the server sent no Acp-Connection-Id');
    this.#connectionId = id;
    await this.#stream('');
    void this.#incoming.send(text);
  }

  /** A refused answer ends the connection: the agent would wait for it forever. */
  #refused({ status, statusText }: HttpResponse, text: string, about: FrameAbout | undefined): void {
    const excerpt = text.trim().slice(0, quoted);
    const message = `the server answered ${status} ${statusText}${excerpt === '' ? '' : `: ${excerpt}`}`;
    const isFirst = this.#connectionId === undefined && about?.method === 'initialize';
    if (fatal.has(status) || about === undefined || about.kind === 'answer' || isFirst)
      throw new TurnwireError(codeOfRefusal(status), message);
    this.#notAccepted(about, { code: -32603, message, data: { status } }, text.length);
  }

  /** Answers a request that was not accepted, and reports a notification. @param bytes the length of the server's text about it */
  #notAccepted({ kind, id }: FrameAbout, error: WireError, bytes: number): void {
    if (kind !== 'request') return this.#receiver?.warning({ kind: 'refused', bytes, excerpt: error.message });
    if (id !== undefined) this.#loading.delete(id);
    void this.#incoming.send(JSON.stringify({ jsonrpc: '2.0', id, error }));
  }

  /** Opens the stream of a session, or of the connection, unless it is open. Resolves when the server has accepted it. */
  #stream(sessionId: string): Promise<void> {
    const open = this.#streams.get(sessionId) ?? this.#open(sessionId);
    this.#streams.set(sessionId, open);
    return open;
  }

  async #open(sessionId: string): Promise<void> {
    if (sessionId !== '' && !this.#progress.has(sessionId)) this.#progress.set(sessionId, new StreamProgress());
    const request = new AbortController();
    const response = await this.#listen(sessionId, request);
    if (!response.ok || response.body === null) {
      const excerpt = (await response.text()).trim().slice(0, quoted);
      const message = `the server opened no event stream: ${response.status} ${excerpt}`;
      throw new TurnwireError(codeOfRefusal(response.status), message);
    }
    const reading = this.#read(response.body, { sessionId, request }).finally(() => {
      this.#reading.delete(reading);
      this.#requests.delete(request);
    });
    this.#reading.add(reading);
  }

  #listen(sessionId: string, request: AbortController, lastEventId?: string): Promise<HttpResponse> {
    const headers = {
      accept: 'text/event-stream',
      ...(sessionId !== '' && { 'acp-session-id': sessionId }),
      ...(lastEventId !== undefined && { 'last-event-id': lastEventId }),
    };
    return this.#fetch({ method: 'GET', headers }, request);
  }

  /** Undefined if the server has no more of the stream, or this side is closing. */
  async #reopen({ sessionId, request }: OpenStream, lastEventId: string): Promise<EventBody | undefined> {
    if (this.#state !== 'open') return undefined;
    const { ok, body } = await this.#listen(sessionId, request, lastEventId);
    if (ok && body !== null) return body;
    await body?.cancel();
    return undefined;
  }

  async #read(body: EventBody, open: OpenStream): Promise<void> {
    const { sessionId } = open;
    const { maxFrameBytes = 64 * mebibyte, silence = defaultSilence } = this.#options;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const giveUp = (): void =>
      this.#end(
        new TurnwireError('connection-closed', `nothing has arrived for ${silence / 1000} s: the connection is dead`),
      );
    const seen = (isComment: boolean): void => {
      // A server that has never sent a keep-alive comment may stay silent for any time.
      if (timer === undefined && !isComment) return;
      clearTimeout(timer);
      timer = setTimeout(giveUp, silence);
    };
    try {
      const warning: FrameReceiver['warning'] = (report) => this.#receiver?.warning(report);
      const frames = continuedFrames(body, { maxFrameBytes, warning, seen }, (id) => this.#reopen(open, id));
      for await (const { frame, after } of frames) {
        if (sessionId === '' && frame.includes('"sessionId"')) this.#openNewSession(frame);
        const replayed = sessionId === '' ? this.#replayed(frame, after) : undefined;
        // The answers of other sessions need not wait for it.
        if (replayed) void replayed.then(() => this.#incoming.send(frame));
        else await this.#incoming.send(frame);
        this.#progress.get(sessionId)?.count();
      }
      this.#streams.delete(sessionId);
      if (sessionId === '') await this.#ended();
    } catch (error) {
      this.#end(failure('the event stream broke', error));
    } finally {
      clearTimeout(timer);
      this.#progress.get(sessionId)?.end();
      this.#progress.delete(sessionId);
    }
    this.#continue(sessionId);
  }

  /** Opens the stream of a closed session again if the client had sent a later message, such as `session/resume`, before the stream ended. */
  #continue(sessionId: string): void {
    const method = this.#lastMethods.get(sessionId);
    this.#lastMethods.delete(sessionId);
    if (this.#state !== 'open' || method === undefined || endings.has(method)) return;
    // A server that ends the connection ends every stream, and opens none.
    this.#stream(sessionId).catch(() => this.#streams.delete(sessionId));
  }

  /** For the answer to `session/load`: resolves when the replay, which arrives on the stream of the session, has been delivered. */
  #replayed(frame: string, after: After | undefined): Promise<void> | undefined {
    if (this.#loading.size === 0) return undefined;
    const { id, kind } = frameAbout(parsedFrame(frame));
    const sessionId = id === undefined || kind !== 'answer' ? undefined : this.#loading.get(id);
    if (id === undefined || sessionId === undefined) return undefined;
    this.#loading.delete(id);
    const progress = this.#progress.get(sessionId);
    return after?.sessionId === sessionId ? progress?.reached(after.frames) : progress?.settled();
  }

  /** Opens the stream of a new session when the answer with its id arrives. */
  #openNewSession(frame: string): void {
    const message = parsedFrame(frame) as
      | { readonly result?: { readonly sessionId?: unknown } | null }
      | null
      | undefined;
    const sessionId = inHeader(message?.result?.sessionId);
    if (sessionId === undefined) return;
    this.#stream(sessionId).catch((error: unknown) => this.#end(failure('the event stream broke', error)));
  }

  /** The server has ended the connection. Waits for the end of the session streams, which are still being read. */
  async #ended(): Promise<void> {
    const others = [...this.#reading].slice(1);
    let timer: ReturnType<typeof setTimeout> | undefined;
    const late = new Promise((resolve) => (timer = setTimeout(resolve, this.#options.flushTimeout ?? 2_000)));
    await Promise.race([Promise.all(others), late]);
    clearTimeout(timer);
    this.#end();
  }

  #end(reason?: TurnwireError): void {
    if (this.#state === 'closed') return;
    this.#state = 'closed';
    this.#outgoing = [];
    this.#backpressure.release();
    this.#incoming.end(reason);
    this.#abortAll();
  }

  #abortAll(): void {
    for (const request of this.#requests) request.abort();
  }

  async #text(
    method: string,
    headers: Readonly<Record<string, string>>,
    body?: string,
  ): Promise<{ readonly response: HttpResponse; readonly text: string }> {
    const request = new AbortController();
    try {
      const response = await this.#fetch({ method, headers, ...(body !== undefined && { body }) }, request);
      return { response, text: await response.text() };
    } finally {
      this.#requests.delete(request);
    }
  }

  async #fetch({ headers, ...init }: RequestInit, request: AbortController): Promise<HttpResponse> {
    const { fetch = globalThis.fetch, headers: own } = this.#options;
    const { header: cookie } = this.#cookies;
    this.#requests.add(request);
    const response = await fetch(this.#url, {
      ...init,
      headers: {
        ...own,
        ...(headers as Readonly<Record<string, string>>),
        ...(cookie !== undefined && { cookie }),
        ...(this.#connectionId !== undefined && { 'acp-connection-id': this.#connectionId }),
      },
      redirect: 'error',
      credentials: 'include',
      signal: request.signal,
    });
    this.#cookies.take(response);
    return response;
  }
}

/** A session id that a header can contain unchanged: receivers remove spaces around a value. */
function inHeader(sessionId: unknown): string | undefined {
  const isValue =
    typeof sessionId === 'string' &&
    /^[\x21-\x7e\x80-\xff](?:[\x20-\x7e\x80-\xff]*[\x21-\x7e\x80-\xff])?$/.test(sessionId);
  return isValue ? sessionId : undefined;
}

/** Whether a server cannot accept a message. One of another kind may accept an answer without the header. */
function isWithoutHeader(about: FrameAbout | undefined): about is FrameAbout & { readonly sessionId: string } {
  return about?.sessionId !== undefined && about.kind !== 'answer' && inHeader(about.sessionId) === undefined;
}

function notInHeader({ sessionId }: { readonly sessionId: string }): WireError {
  const shown = JSON.stringify(sessionId.slice(0, quoted));
  const message = `the session id ${shown} cannot be sent over HTTP: the header Acp-Session-Id contains only characters of Latin 1, and neither control characters nor spaces at its ends`;
  return { code: -32602, message };
}

function failure(what: string, cause: unknown): TurnwireError {
  if (cause instanceof TurnwireError) return cause;
  const { message, cause: reason } = cause as Error;
  const detail = reason instanceof Error && reason.message !== '' ? reason.message : message;
  return new TurnwireError('connection-closed', `${what}: ${detail}`, { cause });
}

/**
 * Connects to an agent over Streamable HTTP. The first frame sent must be `initialize`. Runs in browsers. A request that the server refuses is
 * answered with an error, a refused notification is reported as `refused`; any other failure ends the receiver with TurnwireError
 * `connection-closed`, or `not-authorized` after 401 and 403. A session id that no header can contain is refused without a request.
 *
 * Order is kept within a session, and the answer to `session/load` follows the replay. The protocol guarantees no order between sessions, or for
 * messages without a session.
 * @param url `http:` or `https:`. Secrets belong in `headers`: URLs appear in logs
 * @throws TurnwireError `invalid-input` if it is not such a URL
 */
export function connectHttp(url: string | URL, options: ConnectHttpOptions = {}): Transport {
  if (!/^https?:\/\/[^/]/i.test(String(url)))
    throw new TurnwireError('invalid-input', 'the URL of an agent behind HTTP begins with http:// or https://');
  return new HttpTransport(String(url), options);
}
