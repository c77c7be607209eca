import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Duplex, Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream as NodeReadableStream } from 'node:stream/web';
import type { AcpServer, PreparedWebSocketUpgrade, WebSocketServerSocket } from '../remote/server.ts';

/** The default of `maxRequestBodyBytes`: 16 MiB. */
export const DEFAULT_MAX_REQUEST_BODY_BYTES: number = 16 * 1024 * 1024;

/** Options of `createNodeHttpHandler`. */
export interface NodeHttpHandlerOptions {
  /** The longest body, in bytes; a longer one is answered with 413. Default 16 MiB, which is also the limit of `AcpServer`. */
  readonly maxRequestBodyBytes?: number;
}

type HeadersListener = (headers: string[], request: IncomingMessage) => void;

/** The `WebSocketServer` of the package `ws`, with `noServer`. */
export interface NodeWebSocketUpgradeServer {
  /** Adds a listener for the headers of an answer. */
  on(event: 'headers', listener: HeadersListener): void;
  /** Removes it. */
  off(event: 'headers', listener: HeadersListener): void;
  /** Answers an upgrade. */
  handleUpgrade(
    request: IncomingMessage,
    socket: Duplex,
    head: Buffer,
    callback: (webSocket: WebSocketServerSocket) => void,
  ): void;
}

/**
 * A listener for the requests of a server of `node:http`.
 * @throws RangeError when `maxRequestBodyBytes` is not a positive integer
 */
export function createNodeHttpHandler(
  server: AcpServer,
  { maxRequestBodyBytes = DEFAULT_MAX_REQUEST_BODY_BYTES }: NodeHttpHandlerOptions = {},
): (request: IncomingMessage, response: ServerResponse) => void {
  if (!Number.isSafeInteger(maxRequestBodyBytes) || maxRequestBodyBytes <= 0)
    throw new RangeError('maxRequestBodyBytes must be a positive safe integer');
  return (request, response) => void answer(server, { request, response }, maxRequestBodyBytes);
}

/** A listener for the upgrades of a server of `node:http`. */
export function createNodeWebSocketUpgradeHandler(
  server: AcpServer,
  webSocketServer: NodeWebSocketUpgradeServer,
): (request: IncomingMessage, socket: Duplex, head: Buffer) => void {
  return (request, socket, head) => {
    // Node has removed its own listener, and without one a reset would end the process.
    socket.on('error', destroyed);
    if (server.isRefused(request.headers.host ?? '', request.headers.origin)) {
      const answer = 'HTTP/1.1 403 Forbidden\r\nConnection: close\r\nContent-Length: 0\r\n\r\n';
      return void socket.end(answer, () => socket.destroy());
    }
    let upgrade: PreparedWebSocketUpgrade | undefined;
    const nameConnection: HeadersListener = (headers, answered) => {
      if (answered === request && upgrade) headers.push(`Acp-Connection-Id: ${upgrade.connectionId}`);
    };
    const stop = (): void => {
      webSocketServer.off('headers', nameConnection);
      socket.off('close', fail);
    };
    const fail = (): void => {
      stop();
      upgrade?.reject();
    };
    try {
      upgrade = server.prepareWebSocketUpgrade();
      webSocketServer.on('headers', nameConnection);
      socket.on('close', fail);
      webSocketServer.handleUpgrade(request, socket, head, (webSocket) => {
        stop();
        upgrade?.accept(webSocket);
      });
    } catch (error) {
      stop();
      upgrade?.reject();
      socket.destroy(error as Error);
    }
  };
}

/** A shared function, because a closure would keep the request for the lifetime of the connection. */
function destroyed(this: Duplex): void {
  this.destroy();
}

interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

async function answer(server: AcpServer, exchange: Exchange, maxBytes: number): Promise<void> {
  const { request, response } = exchange;
  const left = new AbortController();
  const leave = (): void => {
    if (!response.writableFinished) left.abort(new Error('the client left before it was answered'));
  };
  response.once('close', leave);
  try {
    const body = await bodyOf(request, maxBytes);
    if (body === 'too long') return refuse(exchange, 413, `Request body exceeds ${maxBytes} bytes`);
    const init = { method: request.method ?? 'GET', headers: headersOf(request), signal: left.signal };
    await respond(
      response,
      await server.handleRequest(new Request(urlOf(request), { ...init, ...(body && { body }) })),
    );
  } catch (error) {
    // A stream that has begun must not look complete.
    if (response.headersSent) response.destroy();
    else refuse(exchange, 500, error instanceof Error ? error.message : 'The request failed on the server.');
  } finally {
    response.off('close', leave);
  }
}

async function respond(response: ServerResponse, { status, headers, body }: Response): Promise<void> {
  response.statusCode = status;
  for (const [name, value] of headers) if (name !== 'set-cookie') response.setHeader(name, value);
  const cookies = headers.getSetCookie();
  if (cookies.length > 0) response.setHeader('set-cookie', cookies);
  if (body === null) return void response.end();
  response.flushHeaders();
  await pipeline(Readable.fromWeb(body as NodeReadableStream<Uint8Array>), response);
}

/** The rest of a refused body is not read. */
function refuse({ request, response }: Exchange, status: number, message: string): void {
  response.statusCode = status;
  response.setHeader('content-type', 'text/plain; charset=utf-8');
  response.setHeader('connection', 'close');
  response.end(message);
  request.once('error', () => undefined).resume();
}

async function bodyOf(
  request: IncomingMessage,
  maxBytes: number,
): Promise<Uint8Array<ArrayBuffer> | undefined | 'too long'> {
  if (request.method === 'GET' || request.method === 'HEAD') return undefined;
  if (Number(request.headers['content-length'] ?? 0) > maxBytes) return 'too long';
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const piece of request as AsyncIterable<Buffer | string>) {
    const chunk = Buffer.from(piece);
    length += chunk.length;
    if (length > maxBytes) return 'too long';
    chunks.push(chunk);
  }
  return new Uint8Array(Buffer.concat(chunks));
}

function headersOf({ headers }: IncomingMessage): Headers {
  const sent = new Headers();
  for (const [name, values = []] of Object.entries(headers))
    for (const value of [values].flat()) sent.append(name, value);
  return sent;
}

/** A host that is not valid must not fail the request: the server decides about hosts. */
function urlOf({ url = '/', headers: { host = 'localhost' } }: IncomingMessage): string {
  const base = URL.canParse(`http://${host}`) ? new URL(`http://${host}`) : undefined;
  const isHost = base !== undefined && base.href === `http://${base.host}/`;
  return new URL(url, isHost ? base : 'http://localhost').href;
}
