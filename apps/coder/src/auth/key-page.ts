import { randomBytes, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { KeyExchange } from './key-exchange.ts';
import { keyDonePage, keyFormPage } from './key-page-html.ts';

/** Stores a key the user typed, or returns a sentence with the reason why it cannot. */
type TakeKey = (key: string) => Promise<{ readonly refused: string } | { readonly kept: string }>;

/** The options of a page. */
export interface KeyPageOptions {
  /** The provider's name for users. */
  readonly provider: string;
  /** Where users get a key. */
  readonly keysAt: string;
  readonly take: TakeKey;
  /** A login at the provider instead of typing a key. Absent if the provider has none. */
  readonly exchange?: KeyExchange | undefined;
}

const longestBody = 8 * 1024;
/** More attempts than this are not typing mistakes. */
const mostAttempts = 10;

/**
 * A page on this machine that asks for a key, once. Its address has an unpredictable number; requests by
 * another host name or from another page are refused; the key travels in the body of one POST and is not stored here.
 */
export class KeyPage implements AsyncDisposable {
  /** Resolves when a key was accepted. Rejects if the page closes without one. */
  readonly done: Promise<void>;
  readonly #server: Server;
  readonly #path = `/${randomBytes(24).toString('base64url')}`;
  readonly #options: KeyPageOptions;
  readonly #settle: { readonly resolve: () => void; readonly reject: (reason: Error) => void };
  #state: 'open' | 'taking' | 'done' = 'open';
  #attempts = 0;

  private constructor(options: KeyPageOptions) {
    this.#options = options;
    const settle: { resolve: () => void; reject: (reason: Error) => void } = { resolve: () => {}, reject: () => {} };
    this.done = new Promise((resolve, reject) => Object.assign(settle, { resolve, reject }));
    this.#settle = settle;
    // Avoids an unhandled rejection if the caller no longer waits.
    this.done.catch(() => undefined);
    this.#server = createServer({ requestTimeout: 10_000, headersTimeout: 10_000 }, (request, response) => {
      this.#answer(request, response).catch(() => response.destroy());
    });
    this.#server.maxConnections = 16;
  }

  static async open(options: KeyPageOptions): Promise<KeyPage> {
    const page = new KeyPage(options);
    await new Promise<void>((resolve, reject) => {
      page.#server.once('error', reject);
      page.#server.listen(0, '127.0.0.1', resolve);
    });
    return page;
  }

  get url(): string {
    return `http://${this.#host}${this.#path}`;
  }

  /** Accepts no more connections; open requests are still answered. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#settle.reject(new Error('The page was closed'));
    await new Promise<void>((resolve) => {
      this.#server.close(() => resolve());
      this.#server.closeIdleConnections();
      setTimeout(() => this.#server.closeAllConnections(), 1_000).unref();
    });
  }

  get #host(): string {
    return `127.0.0.1:${this.#port}`;
  }

  get #port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const part = this.#partOf(request);
    if (part === undefined) return send(response, 404, 'Not found.');
    const { exchange } = this.#options;
    if (part !== '' && !(exchange && request.method === 'GET')) return send(response, 404, 'Not found.');
    if (part === '/login') return redirect(response, exchange?.addressFor(this.#callback) ?? '');
    if (part === '/back') return this.#comeBack(request, response);
    if (request.method === 'GET') return send(response, 200, this.#form());
    if (request.method !== 'POST') return send(response, 405, 'Use GET or POST.');
    if (!this.#isSameOrigin(request)) return send(response, 403, 'The form does not belong to this page.');
    return this.#take(() => readKeyField(request).catch(() => ''), response);
  }

  /** Handles the provider's redirect, whose query has the code or an error. */
  #comeBack({ url = '' }: IncomingMessage, response: ServerResponse): Promise<void> {
    const code = new URL(url, 'http://127.0.0.1').searchParams.get('code') ?? '';
    const { exchange, provider } = this.#options;
    return this.#take(async () => {
      if (code === '' || !exchange) throw new Error(`${provider} gave no code: log in once more, or enter a key.`);
      return exchange.keyFor(code);
    }, response);
  }

  async #take(read: () => Promise<string>, response: ServerResponse): Promise<void> {
    if (this.#state !== 'open' || ++this.#attempts > mostAttempts)
      return send(response, 410, 'This page has been used already.');
    this.#state = 'taking';
    const outcome = await read()
      .then((key) => this.#options.take(key))
      .catch((error: unknown) => ({ refused: reasonOf(error) }));
    if ('refused' in outcome) {
      this.#state = 'open';
      return send(response, 422, this.#form(outcome.refused));
    }
    this.#state = 'done';
    response.once('close', () => this.#settle.resolve());
    return send(response, 200, keyDonePage(outcome.kept));
  }

  #form(refused?: string): string {
    const { provider, keysAt, exchange } = this.#options;
    const login = exchange && { loginPath: `${this.#path}/login` };
    return keyFormPage({ provider, keysAt, ...login, ...(refused !== undefined && { refused }) });
  }

  /** Where the provider sends the browser. Providers know `localhost` as this machine. */
  get #callback(): string {
    return `http://localhost:${this.#port}${this.#path}/back`;
  }

  /** The part of the page a request is for; the page itself is ''. Checking the host name guards against DNS rebinding. */
  #partOf({ url = '', headers }: IncomingMessage): '' | '/login' | '/back' | undefined {
    const [requested, own] = [Buffer.from(url), Buffer.from(this.#path)];
    const part = requested.subarray(own.length).toString();
    const isBack = /^\/back(?:\?|$)/.test(part);
    const isHost = headers.host === this.#host || (isBack && headers.host === `localhost:${this.#port}`);
    if (!isHost || requested.length < own.length || !timingSafeEqual(requested.subarray(0, own.length), own))
      return undefined;
    if (isBack) return '/back';
    return part === '' || part === '/login' ? part : undefined;
  }

  #isSameOrigin({ headers }: IncomingMessage): boolean {
    const isFrom = headers.origin === undefined || headers.origin === `http://${this.#host}`;
    const site = headers['sec-fetch-site'];
    return isFrom && (site === undefined || site === 'same-origin');
  }
}

async function readKeyField(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > longestBody) throw new Error('too long');
    chunks.push(chunk);
  }
  return new URLSearchParams(Buffer.concat(chunks).toString('utf8')).get('key') ?? '';
}

/** The page closes the connection, as its other answers do. */
function redirect(response: ServerResponse, location: string): void {
  response.writeHead(303, {
    location,
    'cache-control': 'no-store',
    'referrer-policy': 'no-referrer',
    connection: 'close',
  });
  response.end();
}

function send(response: ServerResponse, status: number, page: string): void {
  const isPage = page.startsWith('<!doctype html>');
  response.writeHead(status, {
    'content-type': `${isPage ? 'text/html' : 'text/plain'}; charset=utf-8`,
    'content-security-policy':
      "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
    'cache-control': 'no-store',
    'referrer-policy': 'same-origin',
    'x-content-type-options': 'nosniff',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    connection: 'close',
  });
  response.end(page);
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : 'The key could not be stored.';
}
