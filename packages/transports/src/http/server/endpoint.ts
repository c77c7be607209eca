import type { Transport } from '@turnwire/protocol';
import { TurnwireError } from '@turnwire/protocol';
import {
  type Accepted,
  authorizedBy,
  type EndpointRequest,
  type EndpointRules,
  foreignRefusal,
  headerOf,
  pageHeaders,
  type Refusal,
  tooManyConnects,
} from '../../endpoint/endpoint-rules.ts';
import { defaultSilence } from '../../default-silence.ts';
import type { Exchange } from './exchange.ts';
import { HttpConnection, type HttpConnectionLimits } from './http-connection.ts';
import { type Posted, readPost } from './read-post.ts';

/** The requests that are accepted, and the limits of each connection. */
export interface HttpEndpointOptions extends EndpointRules, HttpConnectionLimits {
  /** Limit of concurrent connections; further ones are answered with 503. Default 1,000. */
  readonly maxConnections?: number | undefined;
  /** Longest frame received, in bytes; a longer one, or one of more than 250,000 JSON values, is answered with 413. Default 16 MiB. */
  readonly maxFrameBytes?: number | undefined;
  /** How long a connection may have no open stream before it is ended, in milliseconds. Default 45,000. */
  readonly silence?: number | undefined;
}

/** Called for each client; it must start the transport at once. */
export type OnConnection = (transport: Transport, accepted: AcceptedHttpConnection) => void;

/** A client that connected. */
export interface AcceptedHttpConnection {
  /** The `Acp-Connection-Id` of the client. It is not a credential. */
  readonly id: string;
  /** The sender, as `authorize` returned it. */
  readonly principal: true | object;
}

/** An endpoint that accepts connections over Streamable HTTP. */
export interface HttpEndpoint extends AsyncDisposable {
  /** The number of connections. */
  readonly connections: number;
  /** Stops accepting connections and ends the open ones. The HTTP server stays open. */
  close(): Promise<void>;
}

/** Keep-alive rounds in the time that a connection may be without a stream. */
export const beats = 3;

/** The headers that answer a preflight request from a page of an accepted origin. */
const preflight = {
  'access-control-allow-methods': 'POST, GET, DELETE',
  'access-control-allow-headers': 'authorization, content-type, acp-connection-id, acp-session-id, last-event-id',
  'access-control-max-age': '600',
};

/** The connections of an endpoint, independent of the kind of HTTP server. */
export class Endpoint {
  readonly connections: Map<string, HttpConnection> = new Map();
  readonly #options: HttpEndpointOptions;
  readonly #onConnection: OnConnection;

  constructor(options: HttpEndpointOptions, onConnection: OnConnection) {
    this.#options = options;
    this.#onConnection = onConnection;
  }

  /** Answers a request for the endpoint. */
  async answer(exchange: Exchange): Promise<void> {
    const foreign = foreignRefusal(exchange.request, this.#options);
    if (foreign) return refuse(exchange, foreign, {});
    try {
      const refusal = await this.#answer(exchange);
      if (refusal) refuse(exchange, refusal);
    } catch {
      refuse(exchange, { status: 500, message: 'The request failed on the server.' });
    }
  }

  /** Keeps the streams alive, and ends connections whose client has had no open stream for too long. Called {@link beats} times in `silence`. */
  beat(): void {
    const { silence = defaultSilence } = this.#options;
    for (const connection of this.connections.values()) {
      connection.keepAlive();
      if (connection.beatsUnread() < beats) continue;
      const message = `the client has had no stream open for ${silence / 1000} s: the connection is dead`;
      connection.end(new TurnwireError('connection-closed', message));
    }
  }

  async close(): Promise<void> {
    await Promise.all([...this.connections.values()].map((connection) => connection.close()));
  }

  async #answer(exchange: Exchange): Promise<Refusal | undefined> {
    const { request } = exchange;
    // A browser sends a preflight request for a page, without credentials.
    if (request.method === 'OPTIONS' && request.headers['access-control-request-method'] !== undefined)
      return void exchange.answer(204, { ...pageHeaders(request), ...preflight }, '');
    const accepted = await authorizedBy(request, this.#options);
    if ('status' in accepted) return accepted;
    const sender = senderOf(request, accepted);
    if (request.method === 'POST') return this.#post(exchange, sender);
    if (request.method !== 'GET' && request.method !== 'DELETE')
      return { status: 405, message: 'Use POST, GET or DELETE.' };
    const isStream = /text\/event-stream|\*\/\*/.test(headerOf(request, 'accept') ?? '');
    if (request.method === 'GET' && !isStream) return { status: 406, message: 'Accept has to list text/event-stream.' };
    const connection = this.#connectionOf(request, sender);
    if (!(connection instanceof HttpConnection)) return connection;
    return request.method === 'GET' ? open(connection, exchange) : remove(connection, exchange);
  }

  async #post(exchange: Exchange, sender: Sender): Promise<Refusal | undefined> {
    const { request } = exchange;
    const posted = await readPost(exchange, this.#options.maxFrameBytes);
    if ('status' in posted) return posted;
    const isNew = headerOf(request, 'acp-connection-id') === undefined;
    if (posted.about.kind === 'request' && posted.about.method === 'initialize')
      return isNew
        ? this.#begin(posted, { exchange, sender })
        : { status: 400, message: 'The connection is initialized already.' };
    const connection = this.#connectionOf(request, sender);
    if (!(connection instanceof HttpConnection)) return connection;
    const { kind, id } = posted.about;
    const sessionId = kind === 'answer' ? connection.sessionOf(id) : posted.about.sessionId;
    const sessionHeader = headerOf(request, 'acp-session-id');
    if (sessionId !== undefined && sessionHeader === undefined)
      return { status: 400, message: 'Acp-Session-Id is missing.' };
    if (sessionId !== undefined && sessionHeader !== sessionId)
      return { status: 400, message: 'Acp-Session-Id is not the session of the message.' };
    await connection.receive(posted.text, { ...posted.about, sessionId });
    exchange.answer(202, pageHeaders(request), '');
    return undefined;
  }

  #begin(
    { text, about }: Posted,
    { exchange, sender }: { readonly exchange: Exchange; readonly sender: Sender },
  ): Refusal | undefined {
    if (this.connections.size >= (this.#options.maxConnections ?? 1_000))
      return { status: 503, message: 'Too many connections are open. Try again later.' };
    if (this.#options.mayConnect?.(sender.principal) === false) return tooManyConnects;
    const id = crypto.randomUUID();
    if (sender.credentials !== undefined) this.#endOrphans(sender.credentials);
    const connection = new HttpConnection(
      { id, credentials: sender.credentials, initialize: exchange },
      this.#options,
      () => this.connections.delete(id),
    );
    this.connections.set(id, connection);
    exchange.onLeft(() =>
      connection.end(new TurnwireError('connection-closed', 'the client left before it was answered')),
    );
    this.#onConnection(connection, { id, principal: sender.principal });
    void connection.receive(text, about);
    return undefined;
  }

  /**
   * Ends the connections of the same sender that have lost all their streams. The sender reconnects, and must not wait until the old connection,
   * which still uses its sessions, has timed out.
   */
  #endOrphans(credentials: string | object): void {
    for (const connection of this.connections.values())
      if (connection.credentials === credentials && connection.isOrphaned)
        connection.end(new TurnwireError('connection-closed', 'the client lost its streams and reconnected'));
  }

  #connectionOf(request: EndpointRequest, sender: Sender): HttpConnection | Refusal {
    const id = headerOf(request, 'acp-connection-id');
    if (id === undefined) return { status: 400, message: 'Acp-Connection-Id is missing.' };
    const connection = this.connections.get(id);
    // The same answer for connections of other senders, so that their ids cannot be probed.
    return connection === undefined || connection.credentials !== sender.credentials
      ? { status: 404, message: 'There is no such connection.' }
      : connection;
  }
}

/** The sender of a request. */
interface Sender extends Accepted {
  /** Common to all requests of a connection. */
  readonly credentials: string | object | undefined;
}

function senderOf(request: EndpointRequest, { principal }: Accepted): Sender {
  return { principal, credentials: principal === true ? headerOf(request, 'authorization') : principal };
}

function open(connection: HttpConnection, exchange: Exchange): Refusal | undefined {
  const sessionId = headerOf(exchange.request, 'acp-session-id') ?? '';
  const lastEventId = headerOf(exchange.request, 'last-event-id') ?? '';
  if (lastEventId !== '')
    return connection.reopen(sessionId, lastEventId, exchange)
      ? undefined
      : { status: 410, message: 'The events after this one are no longer kept. Connect again and load the session.' };
  const stream = connection.stream(sessionId);
  if (stream === undefined) return { status: 404, message: 'There is no such connection.' };
  if (stream.isOpen) return { status: 409, message: 'This stream is open already.' };
  stream.open(exchange);
  return undefined;
}

function remove(connection: HttpConnection, exchange: Exchange): undefined {
  exchange.answer(202, pageHeaders(exchange.request), '');
  connection.end();
}

/** @param forPage headers that let a page read the answer */
function refuse(exchange: Exchange, { status, message }: Refusal, forPage = pageHeaders(exchange.request)): void {
  const headers = {
    ...forPage,
    'content-type': 'text/plain; charset=utf-8',
    ...(status === 401 && { 'www-authenticate': 'Bearer' }),
    ...(status === 405 && { allow: 'POST, GET, DELETE' }),
    // The rest of the body is not read.
    ...((status === 413 || status === 415) && { connection: 'close' }),
  };
  exchange.answer(status, headers, `${message}\n`);
}
