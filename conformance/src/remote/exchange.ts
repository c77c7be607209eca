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

/** One request, headers besides those that authorize it. A header that is undefined is not sent. */
export interface Asked {
  readonly method: 'POST' | 'GET' | 'DELETE';
  readonly headers?: Readonly<Record<string, string | undefined>>;
  readonly body?: string;
}

export interface OpenStream {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  /** The data of every event that has arrived. */
  readonly events: readonly string[];
  /** Resolves when an event fits, with it; with undefined when none did within so many milliseconds, or the stream ended. */
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

/** Requests to an endpoint by hand, each with a connection of its own; everything is ended with {@link close}. */
export class Exchange {
  readonly #endpoint: RemoteEndpoint;
  readonly #patience: number;
  readonly #open = new Set<ClientRequest>();

  /** @param patience how long an answer may take to begin, in milliseconds */
  constructor(endpoint: RemoteEndpoint, patience: number) {
    this.#endpoint = endpoint;
    this.#patience = patience;
  }

  /** Sends a request and reads its answer. Stops the scenario if there is none. */
  async ask(asked: Asked): Promise<Exchanged> {
    const response = await this.#send(asked);
    const isStream = (response.headers['content-type'] ?? '').startsWith('text/event-stream');
    // The end of a stream is not waited for.
    const body = isStream ? '' : await text(response).catch(() => '');
    if (isStream) response.destroy();
    return { status: response.statusCode ?? 0, headers: response.headers, body };
  }

  async stream(headers: Asked['headers']): Promise<OpenStream> {
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

  /** Begins a POST with this part of a longer body, and cuts it off once that has been sent. */
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

  /** Asks for a WebSocket. Stops the scenario if the server is not there. */
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
        settle(Promise.reject(new Stopped(`the upgrade was answered ${statusCode}`))),
      );
      request.end();
    });
  }

  close(): void {
    for (const request of this.#open) request.destroy();
  }

  #send({ method, headers = {}, body = '' }: Asked): Promise<IncomingMessage> {
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

  /** Waits for what a request comes to. Stops the scenario if that does not begin in time. */
  #answered<Value>(
    request: ClientRequest,
    what: string,
    begin: (request: ClientRequest, settle: (value: Value | Promise<Value>) => void) => void,
  ): Promise<Value> {
    this.#open.add(request);
    const timer = setTimeout(() => request.destroy(new Error('no answer came')), this.#patience);
    const answered = new Promise<Value>((resolve, reject) => {
      request.on('error', (error) => reject(new Stopped(`${what} was not answered: ${error.message}`)));
      begin(request, resolve);
    });
    return answered.finally(() => clearTimeout(timer));
  }
}
