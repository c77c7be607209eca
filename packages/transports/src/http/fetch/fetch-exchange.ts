import { type EndpointRequest, pageHeaders } from '../../endpoint/endpoint-rules.ts';
import type { EventSink, EventSinkWatch, Exchange } from '../server/exchange.ts';

/** Bytes that the server may buffer before frames wait here. */
const highWaterMark = 64 * 1024;
const encoder = new TextEncoder();

/** A request to a handler that takes a `Request` and returns a `Response`. */
export class FetchExchange implements Exchange {
  readonly request: EndpointRequest;
  /** Resolves with the answer. */
  readonly response: Promise<Response>;
  readonly #from: Request;
  #resolve!: (response: Response) => void;
  #isAnswered = false;

  constructor(from: Request) {
    const { pathname, search, host } = new URL(from.url);
    this.#from = from;
    this.request = {
      method: from.method,
      url: `${pathname}${search}`,
      headers: { host, ...Object.fromEntries(from.headers) },
    };
    this.response = new Promise((resolve) => (this.#resolve = resolve));
  }

  async read(take: (chunk: Uint8Array) => boolean): Promise<void> {
    const reader = this.#from.body?.getReader();
    for (let read = await reader?.read(); read?.done === false; read = await reader?.read())
      if (!take(read.value)) return reader?.cancel();
  }

  answer(status: number, { connection: _, ...headers }: Readonly<Record<string, string>>, text: string): void {
    this.#answer(new Response(text === '' ? null : text, { status, headers }));
  }

  stream({ drained, closed }: EventSinkWatch): EventSink {
    let controller!: ReadableStreamDefaultController<Uint8Array>;
    let isOver = false;
    const over = (action: () => void): void => {
      if (isOver) return;
      isOver = true;
      action();
      closed();
    };
    const body = new ReadableStream<Uint8Array>(
      {
        start: (created) => void (controller = created),
        pull: drained,
        cancel: () => over(() => undefined),
      },
      { highWaterMark, size: (piece) => piece?.length ?? 0 },
    );
    const headers = { 'content-type': 'text/event-stream', 'cache-control': 'no-cache, no-transform' };
    this.#answer(new Response(body, { headers: { ...pageHeaders(this.request), ...headers } }));
    return {
      get waiting() {
        return isOver ? 0 : highWaterMark - (controller.desiredSize ?? 0);
      },
      write: (text) => {
        if (isOver) return true;
        controller.enqueue(encoder.encode(text));
        return (controller.desiredSize ?? 0) > 0;
      },
      end: () => over(() => controller.close()),
      destroy: () => over(() => controller.error(new Error('the connection was ended'))),
    };
  }

  onLeft(action: () => void): void {
    this.#from.signal.addEventListener('abort', () => {
      if (!this.#isAnswered) action();
    });
  }

  #answer(response: Response): void {
    this.#isAnswered = true;
    this.#resolve(response);
  }
}
