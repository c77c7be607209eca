import { randomUUID } from 'node:crypto';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Transport } from '@turnwire/protocol';
import { TurnwireError } from '@turnwire/protocol';
import type { EndpointRules, Refusal } from '../../endpoint/endpoint-rules.ts';
import { isForEndpoint, refusalOf } from '../../endpoint/endpoint-rules.ts';
import { HttpConnection, type HttpConnectionLimits } from './http-connection.ts';
import { type Posted, readPost } from './read-post.ts';

/** Which requests are accepted, and how much each connection may use. */
export interface HttpEndpointOptions extends EndpointRules, HttpConnectionLimits {
  /** Connections at the same time; more are answered with 503. Default 1,000. */
  readonly maxConnections?: number | undefined;
  /** Longest frame received, in bytes; a longer one is answered with 413. Default 16 MiB. */
  readonly maxFrameBytes?: number | undefined;
  /** How long a connection may have no open stream before it is ended, in milliseconds. Default 45,000. */
  readonly silence?: number | undefined;
}

/** An endpoint that accepts connections over Streamable HTTP. */
export interface HttpEndpoint extends AsyncDisposable {
  /** How many connections there are. */
  readonly connections: number;
  /** Accepts no more, and ends those there are. The HTTP server is not closed. */
  close(): Promise<void>;
}

class Endpoint {
  readonly connections = new Map<string, HttpConnection>();
  readonly #options: HttpEndpointOptions;
  readonly #onConnection: (transport: Transport, accepted: { readonly id: string }) => void;

  constructor(options: HttpEndpointOptions, onConnection: Parameters<typeof serveHttp>[2]) {
    this.#options = options;
    this.#onConnection = onConnection;
  }

  async answer(request: IncomingMessage, response: ServerResponse): Promise<Refusal | undefined> {
    const refusal = await refusalOf(request, this.#options);
    if (refusal !== undefined) return refusal;
    if (request.method === 'POST') return this.#post(request, response);
    if (request.method !== 'GET' && request.method !== 'DELETE')
      return { status: 405, message: 'Use POST, GET or DELETE.' };
    const isStream = /text\/event-stream|\*\/\*/.test(request.headers.accept ?? '');
    if (request.method === 'GET' && !isStream) return { status: 406, message: 'Accept has to list text/event-stream.' };
    const connection = this.#connectionOf(request);
    if (!(connection instanceof HttpConnection)) return connection;
    return request.method === 'GET' ? open(connection, request, response) : remove(connection, response);
  }

  async #post(request: IncomingMessage, response: ServerResponse): Promise<Refusal | undefined> {
    const posted = await readPost(request, this.#options.maxFrameBytes ?? 16 * 1024 * 1024);
    if ('status' in posted) return posted;
    const isNew = request.headers['acp-connection-id'] === undefined;
    if (posted.about.kind === 'request' && posted.about.method === 'initialize')
      return isNew
        ? this.#begin(posted, request, response)
        : { status: 400, message: 'The connection is initialized already.' };
    const connection = this.#connectionOf(request);
    if (!(connection instanceof HttpConnection)) return connection;
    const { kind, id } = posted.about;
    const sessionId = kind === 'answer' ? connection.sessionOf(id) : posted.about.sessionId;
    const given = request.headers['acp-session-id'];
    if (sessionId !== undefined && given === undefined) return { status: 400, message: 'Acp-Session-Id is missing.' };
    if (sessionId !== undefined && given !== sessionId)
      return { status: 400, message: 'Acp-Session-Id is not the session of the message.' };
    await connection.receive(posted.text, { ...posted.about, sessionId });
    response.writeHead(202).end();
    return undefined;
  }

  #begin({ text, about }: Posted, request: IncomingMessage, response: ServerResponse): Refusal | undefined {
    if (this.connections.size >= (this.#options.maxConnections ?? 1_000))
      return { status: 503, message: 'Too many connections are open. Try again later.' };
    const id = randomUUID();
    const { authorization: credentials } = request.headers;
    const connection = new HttpConnection({ id, credentials, initialize: response }, this.#options, () =>
      this.connections.delete(id),
    );
    this.connections.set(id, connection);
    response.once('close', () => {
      if (!response.writableFinished)
        connection.end(new TurnwireError('connection-closed', 'the client left before it was answered'));
    });
    this.#onConnection(connection, { id });
    void connection.receive(text, about);
    return undefined;
  }

  #connectionOf({ headers }: IncomingMessage): HttpConnection | Refusal {
    const id = headers['acp-connection-id'];
    if (id === undefined) return { status: 400, message: 'Acp-Connection-Id is missing.' };
    const connection = this.connections.get(String(id));
    // Of a connection of somebody else nobody learns that there is one.
    return connection === undefined || connection.credentials !== headers.authorization
      ? { status: 404, message: 'There is no such connection.' }
      : connection;
  }
}

function open(connection: HttpConnection, { headers }: IncomingMessage, response: ServerResponse): Refusal | undefined {
  const stream = connection.stream(String(headers['acp-session-id'] ?? ''));
  if (stream === undefined) return { status: 404, message: 'There is no such connection.' };
  if (stream.isOpen) return { status: 409, message: 'This stream is open already.' };
  stream.open(response);
  return undefined;
}

function remove(connection: HttpConnection, response: ServerResponse): undefined {
  response.writeHead(202).end();
  connection.end();
}

/** Streams are kept alive so many times in the time a connection may be without one. */
const beats = 3;

/**
 * Accepts connections over Streamable HTTP on an HTTP server of yours, at one path. Requests for other paths are left to your other `request`
 * listeners, and answered with 404 if there are none.
 * @param onConnection called for each client; it has to start the transport at once
 */
export function serveHttp(
  server: Server,
  options: HttpEndpointOptions,
  onConnection: (transport: Transport, accepted: { readonly id: string }) => void,
): HttpEndpoint {
  const { silence = 45_000 } = options;
  const endpoint = new Endpoint(options, onConnection);
  const listener = (request: IncomingMessage, response: ServerResponse): void => {
    const isOurs = isForEndpoint(request, options);
    if (!isOurs && server.listenerCount('request') > 1) return;
    const answered = isOurs
      ? endpoint.answer(request, response)
      : Promise.resolve({ status: 404, message: 'There is nothing at this path.' });
    answered.then(
      (refusal) => refusal && refuse(response, refusal),
      () => refuse(response, { status: 500, message: 'The request failed on the server.' }),
    );
  };
  server.on('request', listener);
  const unread = new Map<HttpConnection, number>();
  const timer = setInterval(() => {
    for (const connection of endpoint.connections.values()) {
      connection.keepAlive();
      const missed = connection.isRead ? 0 : (unread.get(connection) ?? 0) + 1;
      unread.set(connection, missed);
      if (missed < beats) continue;
      const message = `the client has had no stream open for ${silence / 1000} s: the connection is dead`;
      connection.end(new TurnwireError('connection-closed', message));
    }
    for (const connection of unread.keys()) if (!endpoint.connections.has(connection.id)) unread.delete(connection);
  }, silence / beats);
  timer.unref();
  const close = async (): Promise<void> => {
    server.off('request', listener);
    clearInterval(timer);
    await Promise.all([...endpoint.connections.values()].map((connection) => connection.close()));
  };
  return {
    get connections() {
      return endpoint.connections.size;
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}

function refuse(response: ServerResponse, { status, message }: Refusal): void {
  if (response.headersSent) return void response.destroy();
  response.writeHead(status, {
    'content-type': 'text/plain; charset=utf-8',
    ...(status === 401 && { 'www-authenticate': 'Bearer' }),
    ...(status === 405 && { allow: 'POST, GET, DELETE' }),
    // What else the client sends of its body is not read.
    ...((status === 413 || status === 415) && { connection: 'close' }),
  });
  response.end(`${message}\n`);
}
