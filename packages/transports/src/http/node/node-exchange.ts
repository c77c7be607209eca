import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Http2ServerRequest, Http2ServerResponse } from 'node:http2';
import type { Writable } from 'node:stream';
import { pageHeaders } from '../../endpoint/endpoint-rules.ts';
import type { EventSink, EventSinkWatch, Exchange } from '../server/exchange.ts';

export type AnyRequest = IncomingMessage | Http2ServerRequest;
export type AnyResponse = ServerResponse | Http2ServerResponse;

/** A request to a server of Node: HTTP/1.1, or HTTP/2 through its compatible interface. */
export class NodeExchange implements Exchange {
  readonly request: AnyRequest;
  readonly #response: AnyResponse;

  constructor(request: AnyRequest, response: AnyResponse) {
    this.request = request;
    this.#response = response;
  }

  read(take: (chunk: Uint8Array) => boolean): Promise<void> {
    const { request } = this;
    return new Promise((resolve, reject) => {
      const isOver = (): void => {
        if (!request.readableEnded) reject(new Error('the client disconnected before the end of its request'));
      };
      // Another listener of the server, such as a parser of bodies, has read it: no more events come.
      if (request.readableEnded) return resolve();
      if (request.destroyed) return isOver();
      // Cheaper than its asynchronous iterator, which adds listeners and promises for each request.
      request.on('data', (chunk: Uint8Array) => {
        if (take(chunk)) return;
        request.removeAllListeners('data').pause();
        resolve();
      });
      request.on('end', resolve).on('error', reject).on('close', isOver);
    });
  }

  answer(status: number, headers: Readonly<Record<string, string>>, text: string): void {
    if (this.#response.headersSent) return void this.#response.destroy();
    this.#head(status, headers);
    this.#response.end(text);
  }

  stream({ drained, closed }: EventSinkWatch): EventSink {
    const response: Writable & { readonly flushHeaders?: () => void } = this.#response;
    this.#head(200, {
      ...pageHeaders(this.request),
      'content-type': 'text/event-stream',
      'cache-control': 'no-cache, no-transform',
    });
    response.flushHeaders?.();
    response.on('drain', drained);
    response.on('close', closed);
    return {
      get waiting() {
        return response.writableLength;
      },
      write: (text) => response.write(text),
      end: () => void response.end(),
      destroy: () => void response.destroy(),
    };
  }

  onLeft(action: () => void): void {
    this.#response.once('close', () => {
      if (!this.#response.writableEnded) action();
    });
  }

  #head(status: number, { connection, ...headers }: Readonly<Record<string, string>>): void {
    // HTTP/2 has no such header.
    const own = connection === undefined || this.request.httpVersionMajor > 1 ? headers : { ...headers, connection };
    this.#response.writeHead(status, own);
  }
}
