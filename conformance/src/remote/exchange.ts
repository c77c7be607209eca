import { randomBytes } from 'node:crypto';
import { type ClientRequest, type IncomingMessage, request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { text } from 'node:stream/consumers';
import { Stopped } from '../wire/stopped.ts';
import { Arrivals } from '../wire/waiters.ts';
import type { RemoteEndpoint } from './endpoint.ts';
import { RawWebSocket } from './raw-web-socket.ts';

export interface Exchanged {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

/** One HTTP request. `headers` are sent in addition to those of the endpoint; an undefined header is omitted. */
export interface HttpRequest {
  readonly method: 'POST' | 'GET' | 'DELETE';
  readonly headers?: Readonly<Record<string, string | undefined>>;
  readonly body?: string;
}

export interface OpenStream {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  /** The data of every event that has arrived. */
  readonly events: readonly string[];
  /** Resolves with the first matching event; with undefined after the limit in milliseconds, or when the stream ends. */
  find(fits: (event: string) => boolean, milliseconds: number): Promise<string | undefined>;
  readonly isOver: boolean;
}

/** An accepted WebSocket. */
export interface Upgraded {
  readonly headers: IncomingMessage['headers'];
  readonly socket: RawWebSocket;
}

function senderFor(url: string): typeof httpRequest {
  return url.startsWith('https:') ? httpsRequest : httpRequest;
}

/** Hand-written requests to an endpoint, each over a new connection. {@link close} ends them all. */
export class Exchange {
  readonly #endpoint: RemoteEndpoint;
  readonly #timeout: number;
  readonly #open = new Set<ClientRequest>();

  /** @param timeout how long an answer may take to begin, in milliseconds */
  constructor(endpoint: RemoteEndpoint, timeout: number) {
    this.#endpoint = endpoint;
    this.#timeout = timeout;
  }

  /** Sends a request and reads its answer. Stops the scenario if there is none. */
  async ask(asked: HttpRequest): Promise<Exchanged> {
    const response = await this.#send(asked);
    const isStream = (response.headers['content-type'] ?? '').startsWith('text/event-stream');
    // Do not wait for the end of an event stream.
    const body = isStream ? '' : await text(response).catch(() => '');
    if (isStream) response.destroy();
    return { status: response.statusCode ?? 0, headers: response.headers, body };
  }

  async stream(headers: HttpRequest['headers']): Promise<OpenStream> {
    const response = await this.#send({ method: 'GET', headers: { accept: 'text/event-stream', ...headers } });
    const arrived = new Arrivals<string>();
    let rest = '';
    response.setEncoding('utf8');
    response.on('data', (piece: string) => {
      const parts = (rest + piece).replaceAll('\r\n', '\n').split('\n\n');
      rest = parts.pop() ?? '';
      for (const part of parts) {
        const data = part.split('\n').filter((line) => line.startsWith('data:'));
        if (data.length > 0) arrived.add(data.map((line) => line.replace(/^data: ?/, '')).join('\n'));
      }
    });
    response.on('error', () => undefined);
    response.on('close', () => arrived.end());
    return {
      status: response.statusCode ?? 0,
      headers: response.headers,
      events: arrived.all,
      find: (fits, milliseconds) => arrived.find(fits, milliseconds),
      get isOver() {
        return arrived.isOver;
      },
    };
  }

  /** Begins a POST with a part of its body, and drops the connection once that part was sent. */
  async cutPost(headers: Readonly<Record<string, string>>, part: string): Promise<void> {
    const { url, headers: own } = this.#endpoint;
    const request = senderFor(url)(url, {
      method: 'POST',
      headers: { ...own, ...headers, 'content-length': 10_000 },
      agent: false,
    });
    request.on('error', () => undefined);
    await new Promise<void>((resolve) => request.write(part, () => resolve()));
    request.destroy();
  }

  /** Requests a WebSocket. Stops the scenario if the server refuses or does not answer. */
  async upgrade(): Promise<Upgraded> {
    const url = this.#endpoint.url.replace(/^ws/i, 'http');
    const headers = {
      ...this.#endpoint.headers,
      connection: 'Upgrade',
      upgrade: 'websocket',
      'sec-websocket-version': '13',
      'sec-websocket-key': randomBytes(16).toString('base64'),
    };
    return this.#answered(senderFor(url)(url, { headers, agent: false }), 'the upgrade', (request, settle) => {
      request.once('upgrade', ({ headers: answered }, socket, head) =>
        settle({ headers: answered, socket: new RawWebSocket(socket, { head }) }),
      );
      request.once('response', ({ statusCode = 0 }) =>
        settle(Promise.reject(new Stopped(`the upgrade was answered with status ${statusCode}`))),
      );
      request.end();
    });
  }

  close(): void {
    for (const request of this.#open) request.destroy();
  }

  #send({ method, headers = {}, body = '' }: HttpRequest): Promise<IncomingMessage> {
    const { url, headers: own } = this.#endpoint;
    const all = Object.fromEntries(
      Object.entries({ ...own, ...headers }).filter((header): header is [string, string] => header[1] !== undefined),
    );
    return this.#answered(senderFor(url)(url, { method, headers: all, agent: false }), method, (request, settle) => {
      request.once('response', settle);
      request.once('close', () => this.#open.delete(request));
      request.end(body);
    });
  }

  /** Waits for the outcome of a request. Stops the scenario if no answer begins in time. */
  #answered<Value>(
    request: ClientRequest,
    what: string,
    begin: (request: ClientRequest, settle: (value: Value | Promise<Value>) => void) => void,
  ): Promise<Value> {
    this.#open.add(request);
    const timer = setTimeout(() => request.destroy(new Error('no answer arrived in time')), this.#timeout);
    const answered = new Promise<Value>((resolve, reject) => {
      request.on('error', (error) => reject(new Stopped(`${what} was not answered: ${error.message}`)));
      begin(request, resolve);
    });
    return answered.finally(() => clearTimeout(timer));
  }
}
