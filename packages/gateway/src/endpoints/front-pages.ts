import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Http2SecureServer, Http2ServerRequest, Http2ServerResponse } from 'node:http2';
import type { Duplex } from 'node:stream';
import {
  bearerOf,
  foreignRefusal,
  type EndpointRules,
  headerOf,
  hostOf,
  isAcceptedOrigin,
} from '@turnwire/transports/http/node';
import { TurnwireError } from '@turnwire/protocol';
import type { Access } from '../auth/access.ts';
import { PageLogins } from '../auth/page-logins.ts';
import type { Principal } from '../auth/principal.ts';
import { PageFiles } from './page-files.ts';

type AnyRequest = IncomingMessage | Http2ServerRequest;

/** How long a link to watch a session may be good for, in hours. */
const longestWatch = 720;
/** The longest body of a request, in characters. */
const longestBody = 4_096;

/** How many connections an endpoint has. */
export interface ConnectionCount {
  readonly agent: string;
  readonly transport: 'websocket' | 'http';
  readonly of: { readonly connections: number };
}

/** The web client. */
export interface WebClient {
  /** Where its files are. */
  readonly folder: string;
  /** What it is given once it is logged in: the folders in which sessions may work, the first one by default. */
  readonly roots: readonly string[];
  /** The files of a folder in them, as relative paths: what a prompt may refer to. Rejects if the folder is not in them. */
  readonly files: (folder: string) => Promise<readonly string[]>;
  /** The sessions of the owner that this server does not have, and how to continue them elsewhere. Default: none. */
  readonly sessionsElsewhere?: (() => Promise<readonly SessionElsewhere[]>) | undefined;
}

/** A session of the same user that the page lists and does not open. */
export interface SessionElsewhere {
  readonly title: string;
  readonly agent: string;
  readonly cwd: string;
  /** In milliseconds since 1970. */
  readonly updatedAt: number;
  /** The command that continues it. */
  readonly command: string;
}

/** What the pages need. */
export interface FrontPagesOptions {
  readonly rules: EndpointRules & {
    readonly isReady?: (() => boolean) | undefined;
    readonly metrics?: ((principal: Principal) => string) | undefined;
    readonly hasSession?: ((tenant: string, sessionId: string) => Promise<boolean>) | undefined;
  };
  readonly access: Access;
  /** The names of the agents. */
  readonly agents: readonly string[];
  /** The web client, at `/`. Default: none. */
  readonly web?: WebClient | undefined;
  readonly counts: readonly ConnectionCount[];
  /** The paths of the agents, which are answered elsewhere. */
  readonly paths: readonly string[];
}

interface Answer {
  readonly status: number;
  readonly text?: string;
  /** Instead of a text. */
  readonly body?: Buffer;
  readonly headers?: Readonly<Record<string, string>>;
}

type Page = (request: AnyRequest) => Answer | Promise<Answer>;

const notThere: Answer = { status: 404, text: 'There is nothing at this path.' };
const notAuthorized: Answer = {
  status: 401,
  text: 'Not authorized. Send a valid token in the Authorization header.',
  headers: { 'www-authenticate': 'Bearer' },
};

const oneSession: Answer = { status: 403, text: 'This needs a token for more than one session.' };

/** What a gateway answers besides its agents, and 404 for everything else. */
export class FrontPages {
  readonly #options: FrontPagesOptions;
  readonly #pages: ReadonlyMap<string, Page>;
  readonly #files: PageFiles | undefined;

  constructor(options: FrontPagesOptions) {
    this.#options = options;
    const { isReady = () => true } = options.rules;
    this.#files = options.web && new PageFiles(options.web.folder);
    this.#pages = new Map<string, Page>([
      ['GET /healthz', () => ({ status: 200, text: 'ok' })],
      ['GET /readyz', () => (isReady() ? { status: 200, text: 'ready' } : { status: 503, text: 'not ready' })],
      ['GET /metrics', (request) => this.#metrics(request)],
      ['POST /tickets', (request) => this.#ticket(request)],
      ['POST /login', (request) => this.#logIn(request)],
      ['POST /logout', (request) => this.#logOut(request)],
      ['POST /shares', (request) => this.#share(request)],
      ['GET /logins', (request) => this.#logins(request)],
      ['POST /logins/end', (request) => this.#endLogin(request)],
      ['GET /server', (request) => this.#about(request)],
      ['GET /files', (request) => this.#list(request)],
      ['GET /sessions', (request) => this.#elsewhere(request)],
    ]);
  }

  /** Answers on a server, until it is closed. */
  mount(server: Server | Http2SecureServer): { close(): Promise<void> } {
    const request = (incoming: AnyRequest, response: ServerResponse | Http2ServerResponse): void => {
      if (!this.#isElsewhere(incoming)) void this.#answer(incoming, response as ServerResponse);
    };
    const upgrade = (incoming: IncomingMessage, wire: Duplex): void => {
      if (this.#isElsewhere(incoming)) return;
      wire.on('error', () => wire.destroy());
      wire.end('HTTP/1.1 404 Not Found\r\nConnection: close\r\nContent-Length: 0\r\n\r\n', () => wire.destroy());
    };
    server.on('request', request);
    server.on('upgrade', upgrade);
    return {
      close: async () => {
        server.off('request', request);
        server.off('upgrade', upgrade);
      },
    };
  }

  #isElsewhere({ url = '' }: AnyRequest): boolean {
    return this.#options.paths.includes(pathOf(url));
  }

  async #answer(request: AnyRequest, response: ServerResponse): Promise<void> {
    const {
      status,
      text = '',
      body = text === '' ? '' : `${text}\n`,
      headers,
    } = await this.#answerTo(request).catch((): Answer => ({ status: 500, text: 'The request failed on the server.' }));
    response.writeHead(status, {
      'content-type': 'text/plain; charset=utf-8',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      ...headers,
    });
    response.end(body);
  }

  async #answerTo(request: AnyRequest): Promise<Answer> {
    const foreign = foreignRefusal(request, this.#options.rules);
    if (foreign !== undefined) return { status: foreign.status, text: foreign.message };
    const page = this.#pages.get(`${request.method} ${pathOf(request.url ?? '')}`);
    return page === undefined ? this.#file(request) : page(request);
  }

  async #file(request: AnyRequest): Promise<Answer> {
    const takesGzip = /\bgzip\b/.test(headerOf(request, 'accept-encoding') ?? '');
    const file =
      request.method === 'GET'
        ? await this.#files?.at(pathOf(request.url ?? ''), { host: hostOf(request), takesGzip })
        : undefined;
    return file === undefined ? notThere : { status: 200, ...file };
  }

  /** What the web client needs to know of the server. */
  async #about(request: AnyRequest): Promise<Answer> {
    const { access, agents, web } = this.#options;
    if (web === undefined) return notThere;
    const principal = await access.principalOf(request);
    if (principal === false) return notAuthorized;
    const { scope, session } = principal;
    return json({ agents, roots: session === undefined ? web.roots : [], scope });
  }

  /** The files of a folder, for pages that are logged in. */
  async #list(request: AnyRequest): Promise<Answer> {
    const { access, web } = this.#options;
    if (web === undefined) return notThere;
    const principal = await access.principalOf(request);
    if (principal === false) return notAuthorized;
    if (principal.session !== undefined) return oneSession;
    const folder = new URL(request.url ?? '', 'http://server').searchParams.get('folder') ?? '';
    return web.files(folder).then(
      (files) => json(files),
      () => ({ status: 403, text: 'This folder is in none of the folders that this server works in.' }),
    );
  }

  /** What else the owner of the server has on this machine. Others see none of it. */
  async #elsewhere(request: AnyRequest): Promise<Answer> {
    const principal = await this.#options.access.principalOf(request);
    if (principal === false) return notAuthorized;
    return json((principal.isOwner && (await this.#options.web?.sessionsElsewhere?.())) || []);
  }

  async #metrics(request: AnyRequest): Promise<Answer> {
    const principal = await this.#options.access.principalOf(request);
    if (principal === false) return notAuthorized;
    if (principal.scope !== 'admin') return { status: 403, text: 'This needs a token of scope admin.' };
    const { counts, rules } = this.#options;
    const { user, system } = process.cpuUsage();
    // The first agent has two paths.
    const connections = new Map<string, number>();
    for (const { agent, transport, of } of counts) {
      const series = `turnwire_connections{agent="${agent}",transport="${transport}"}`;
      connections.set(series, (connections.get(series) ?? 0) + of.connections);
    }
    const lines = [
      '# TYPE turnwire_connections gauge',
      ...[...connections].map(([series, value]) => `${series} ${value}`),
      '# TYPE process_resident_memory_bytes gauge',
      `process_resident_memory_bytes ${process.memoryUsage.rss()}`,
      '# TYPE process_cpu_seconds_total counter',
      `process_cpu_seconds_total ${(user + system) / 1e6}`,
    ];
    return {
      status: 200,
      text: `${lines.join('\n')}\n${rules.metrics?.(principal) ?? ''}`.trimEnd(),
      headers: { 'content-type': 'text/plain; version=0.0.4; charset=utf-8' },
    };
  }

  /** Gives whoever has a token a ticket for pages of an accepted origin. A page that is logged in gets none. */
  async #ticket(request: AnyRequest): Promise<Answer> {
    if (PageLogins.isToken(bearerOf(request) ?? '')) return notAuthorized;
    const principal = await this.#options.access.principalOf(request);
    if (principal === false) return notAuthorized;
    const body = await bodyOf(request);
    if ('status' in body) return body;
    const { origin } = body.fields;
    const { origins } = this.#options.rules;
    if (typeof origin !== 'string' || !isAcceptedOrigin(origin, { host: hostOf(request), origins }))
      return { status: 400, text: 'origin has to be one of the origins that the server lists.' };
    return json({ ticket: await this.#options.access.ticketFor(principal, origin) });
  }

  /** Gives whoever controls a session a token for others, who may only watch it, until it expires. */
  async #share(request: AnyRequest): Promise<Answer> {
    const { access, rules } = this.#options;
    const principal = await access.principalOf(request);
    if (principal === false) return notAuthorized;
    if (principal.scope === 'observe') return { status: 403, text: 'Who only watches cannot let others watch.' };
    const body = await bodyOf(request);
    if ('status' in body) return body;
    const { sessionId, hours } = body.fields;
    if (typeof sessionId !== 'string' || !isWatchTime(hours))
      return { status: 400, text: `A sessionId is needed, and hours up to ${longestWatch}.` };
    if ((await rules.hasSession?.(principal.tenant, sessionId)) === false)
      return { status: 404, text: 'There is no such session.' };
    try {
      return json({ token: await access.tokenToWatch(principal, sessionId, hours) });
    } catch (error) {
      if (error instanceof TurnwireError && error.code === 'invalid-input') return { status: 409, text: error.message };
      throw error;
    }
  }

  /** The logins and links of whoever asks. A link to watch shows none. */
  async #logins(request: AnyRequest): Promise<Answer> {
    const { access } = this.#options;
    const principal = await access.principalOf(request);
    if (principal === false) return notAuthorized;
    if (principal.session !== undefined) return oneSession;
    return json(await access.listed(principal, request));
  }

  /** Ends a login or a link of whoever asks. */
  async #endLogin(request: AnyRequest): Promise<Answer> {
    const { access } = this.#options;
    const principal = await access.principalOf(request);
    if (principal === false) return notAuthorized;
    if (principal.session !== undefined) return oneSession;
    const body = await bodyOf(request);
    if ('status' in body) return body;
    const { id } = body.fields;
    const isEnded = typeof id === 'string' && (await access.end(principal, { id, request }));
    return isEnded ? { status: 204 } : { status: 404, text: 'There is no such login or link.' };
  }

  /** Logs in the page that sends a ticket. */
  async #logIn(request: AnyRequest): Promise<Answer> {
    const body = await bodyOf(request);
    if ('status' in body) return body;
    const { ticket } = body.fields;
    const token = typeof ticket === 'string' ? await this.#options.access.logIn(request, ticket) : undefined;
    if (token === undefined)
      return {
        status: 401,
        text: 'This ticket is not valid. It can be used once, for a minute, by pages of its origin.',
      };
    return json({ token });
  }

  /** Makes the token of the page void that sends it. */
  async #logOut(request: AnyRequest): Promise<Answer> {
    await this.#options.access.logOut(request);
    return { status: 204 };
  }
}

function isWatchTime(hours: unknown): hours is number {
  return typeof hours === 'number' && hours > 0 && hours <= longestWatch;
}

function pathOf(url: string): string {
  return url.split('?', 1)[0] ?? '';
}

function json(value: object): Answer {
  return { status: 200, text: JSON.stringify(value), headers: { 'content-type': 'application/json' } };
}

/** The JSON object that a request holds. What a page can send without being asked first is refused. */
async function bodyOf(request: AnyRequest): Promise<Answer | { readonly fields: Readonly<Record<string, unknown>> }> {
  if (!/^application\/json *(?:;|$)/i.test(request.headers['content-type'] ?? ''))
    return { status: 415, text: 'Send application/json.' };
  let text = '';
  request.setEncoding('utf8');
  for await (const chunk of request as AsyncIterable<string>)
    if ((text += chunk).length > longestBody) return { status: 413, text: 'The body is too long.' };
  try {
    const fields: unknown = JSON.parse(text);
    if (typeof fields === 'object' && fields !== null) return { fields: fields as Record<string, unknown> };
  } catch {
    // Said below.
  }
  return { status: 400, text: 'The body is no JSON object.' };
}
