import { once } from 'node:events';
import { Agent, type ClientRequest, type IncomingMessage, request as httpRequest, STATUS_CODES } from 'node:http';
import { type ClientHttp2Session, connect, constants } from 'node:http2';
import type { Socket } from 'node:net';
import type { Readable } from 'node:stream';
import type { TLSSocket } from 'node:tls';
import { openWire } from '../../proxy/open-wire.ts';
import type { HttpResponse } from '../http-transport.ts';

/** Options of {@link nodeFetch}. */
export interface NodeFetchOptions {
  /** A proxy for all requests: see `proxyFor`. Default: none. */
  readonly proxy?: URL | undefined;
  /** Certificates of authorities to trust in addition to those of Node, as PEM. Default: none. */
  readonly ca?: string | undefined;
}

type Head = Readonly<Record<string, string | readonly string[] | undefined>>;

/**
 * Sends requests as `fetch` does, with HTTP/2, over which all streams of a connection share one socket, and proxies. The `fetch` of Node supports
 * neither, and needs several times the processor time. Servers without HTTP/2 are reached over HTTP/1.1. Redirects are not followed. It does not keep
 * the process running.
 */
export function nodeFetch(
  options: NodeFetchOptions = {},
): (url: string | URL, init?: RequestInit) => Promise<HttpResponse> {
  const lines = new Map<string, Promise<Line>>();
  const line = async (url: URL): Promise<Line> => {
    const known = lines.get(url.origin);
    if (known && !(await known).isOver()) return known;
    // Another request may have opened one in the meantime.
    const latest = lines.get(url.origin);
    if (latest && latest !== known) return latest;
    const opened = openLine(url, options);
    lines.set(url.origin, opened);
    opened.catch(() => lines.delete(url.origin));
    return opened;
  };
  return async (target, init = {}) => {
    const url = new URL(target);
    init.signal?.throwIfAborted();
    const opened = await line(url);
    init.signal?.throwIfAborted();
    return opened.fetch(url, init);
  };
}

/** The connection to an origin. */
interface Line {
  readonly fetch: (url: URL, init: RequestInit) => Promise<HttpResponse>;
  /** Whether a new one is needed. */
  readonly isOver: () => boolean;
}

async function openLine(url: URL, options: NodeFetchOptions): Promise<Line> {
  const wire = await openWire(url, { ...options, protocols: ['h2', 'http/1.1'] });
  if ((wire as TLSSocket).alpnProtocol === 'h2') return http2Line(url, wire);
  return http1Line(wire, () => openWire(url, { ...options, protocols: ['http/1.1'] }));
}

function http2Line({ origin }: URL, wire: Socket): Line {
  const session = connect(origin, { createConnection: () => wire });
  let streams = 0;
  const count = (change: 1 | -1): void => {
    streams += change;
    if (streams === 0) session.unref();
    else session.ref();
  };
  // Requests report their own failures.
  session.on('error', () => undefined);
  return {
    isOver: () => session.closed || session.destroyed,
    fetch: (url, init) => http2Fetch(session, url, { init, count }),
  };
}

async function http2Fetch(
  session: ClientHttp2Session,
  { pathname, search }: URL,
  { init, count }: { readonly init: RequestInit; readonly count: (change: 1 | -1) => void },
): Promise<HttpResponse> {
  const { method = 'GET', headers, body, signal } = init;
  const stream = session.request({
    ...(headers as Record<string, string>),
    ':method': method,
    ':path': `${pathname}${search}`,
  });
  count(1);
  const abort = (): void => stream.close(constants.NGHTTP2_CANCEL);
  signal?.addEventListener('abort', abort);
  stream.once('close', () => {
    count(-1);
    signal?.removeEventListener('abort', abort);
  });
  stream.end(body as string | undefined);
  const [head] = (await Promise.race([
    once(stream, 'response'),
    once(stream, 'close').then(() => Promise.reject(new Error('the connection was closed before the answer'))),
  ])) as [Head];
  return responseOf(Number(head[':status']), head, stream);
}

function http1Line(first: Socket, open: () => Promise<Socket>): Line {
  const wires = [first];
  const agent = new Agent({ keepAlive: true });
  Object.assign(agent, {
    createConnection: (_options: unknown, done: (error: Error | null, socket?: Socket) => void): void => {
      const wire = wires.pop();
      if (wire && !wire.destroyed) return done(null, wire);
      void (async () => {
        try {
          done(null, await open());
        } catch (error) {
          done(error as Error);
        }
      })();
    },
  });
  return { isOver: () => false, fetch: (url, init) => http1Fetch(agent, url, init) };
}

async function http1Fetch(
  agent: Agent,
  url: URL,
  { method, headers, body, signal }: RequestInit,
): Promise<HttpResponse> {
  const { hostname, port, host, pathname, search } = url;
  const sent = httpRequest({
    agent,
    hostname,
    port,
    path: `${pathname}${search}`,
    ...(method !== undefined && { method }),
    headers: { host, ...(headers as Record<string, string>) },
  });
  const abort = (): void => void sent.destroy(signal?.reason as Error);
  signal?.addEventListener('abort', abort);
  sent.once('close', () => signal?.removeEventListener('abort', abort));
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    sent.once('response', resolve).on('error', reject);
    if (body === undefined) sent.end();
    else sendText(sent, body as string);
  });
  return responseOf(response.statusCode ?? 0, response.headers, response);
}

/** Node joins a string with the headers, which saves a write, and encodes both alike: UTF-8 would change the headers. */
function sendText(request: ClientRequest, text: string): void {
  // For ASCII text, characters and bytes are the same.
  if (Buffer.byteLength(text) === text.length) request.end(text, 'latin1');
  else request.end(Buffer.from(text));
}

function responseOf(status: number, head: Head, body: Readable): HttpResponse {
  if (status >= 300 && status < 400) {
    body.destroy();
    throw new Error(`the server answered ${status}: redirects are not followed`);
  }
  const valuesOf = (name: string): readonly string[] => [head[name] ?? []].flat();
  return {
    ok: status >= 200 && status < 300,
    status,
    // HTTP/2 sends no status text.
    statusText: STATUS_CODES[status] ?? '',
    headers: {
      get: (name) => valuesOf(name.toLowerCase())[0] ?? null,
      getSetCookie: () => [...valuesOf('set-cookie')],
    },
    body: {
      getReader: () => {
        const chunks = body[Symbol.asyncIterator]() as AsyncIterator<Uint8Array, undefined>;
        return { read: async () => chunks.next() as Promise<{ readonly done: boolean; readonly value?: Uint8Array }> };
      },
      cancel: async () => void body.destroy(),
    },
    text: () => textOf(body),
  };
}

function textOf(body: Readable): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = '';
    body.setEncoding('utf8').on('data', (piece: string) => (text += piece));
    body.on('end', () => resolve(text)).on('error', reject);
    body.on('close', () => {
      if (!body.readableEnded) reject(new Error('the connection was closed before the end of the answer'));
    });
  });
}
