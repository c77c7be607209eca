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
import type { TokenPrincipal } from '../auth/token-file.ts';
import { PageFiles } from './page-files.ts';

type AnyRequest = IncomingMessage | Http2ServerRequest;

/** The longest lifetime of a link to watch a session, in hours. */
const longestWatch = 720;
/** The longest request body, in characters. */
const longestBody = 4_096;

/** The connections of an endpoint. */
export interface ConnectionCount {
  readonly agent: string;
  readonly transport: 'websocket' | 'http';
  readonly of: { readonly connections: number };
}

/** The web client. */
export interface WebClient {
  /** The folder of its files. */
  readonly folder: string;
  /** The folders in which sessions may work, the first one by default. Sent to logged-in pages. */
  readonly roots: readonly string[];
  /** The files in one of these folders, as relative paths, which a prompt may refer to. Rejects if the folder is not inside them. */
  readonly files: (folder: string) => Promise<readonly string[]>;
  /** The owner's sessions that this server does not have, with a command to continue each one. Default: none. */
  readonly sessionsElsewhere?: (() => Promise<readonly SessionElsewhere[]>) | undefined;
}

/** A session of the same user that the page lists but cannot open. */
export interface SessionElsewhere {
  readonly title: string;
  readonly agent: string;
  readonly cwd: string;
  /** In milliseconds since 1970. */
  readonly updatedAt: number;
  /** The command that continues it. */
  readonly command: string;
}

/** Options of {@link HttpPages}. */
export interface HttpPagesOptions {
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
  /** The paths of the agents, which other handlers answer. */
  readonly paths: readonly string[];
}

interface Answer {
  readonly status: number;
  readonly text?: string;
  /** The body of an answer without a text. */
  readonly body?: Buffer;
  readonly headers?: Readonly<Record<string, string>>;
}

type Page = (request: AnyRequest) => Answer | Promise<Answer>;

const notFound: Answer = { status: 404, text: 'There is nothing at this path.' };
const notAuthorized: Answer = {
  status: 401,
  text: 'Not authorized. Send a valid token in the Authorization header.',
  headers: { 'www-authenticate': 'Bearer' },
};

/** Ends a page early with this answer. */
class Refusal extends Error {
  readonly answer: Answer;

  constructor(answer: Answer) {
    super(answer.text);
    this.answer = answer;
  }
}

/** Answers the HTTP requests of a gateway that are not for an agent, with 404 for unknown paths. */
export class HttpPages {
  readonly #options: HttpPagesOptions;
  readonly #pages: ReadonlyMap<string, Page>;
  readonly #files: PageFiles | undefined;

  constructor(options: HttpPagesOptions) {
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

  /** Answers requests of a server until it is closed. */
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
    } = await this.#answerTo(request).catch((error: unknown): Answer =>
      error instanceof Refusal ? error.answer : { status: 500, text: 'The request failed on the server.' },
    );
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
    return file === undefined ? notFound : { status: 200, ...file };
  }

  async #principalOf(request: AnyRequest): Promise<TokenPrincipal> {
    const principal = await this.#options.access.principalOf(request);
    if (principal === false) throw new Refusal(notAuthorized);
    return principal;
  }

  async #principalOfAllSessions(request: AnyRequest): Promise<TokenPrincipal> {
    const principal = await this.#principalOf(request);
    if (principal.session !== undefined)
      throw new Refusal({ status: 403, text: 'This needs a token for more than one session.' });
    return principal;
  }

  /** The facts about the server that the web client needs. */
  async #about(request: AnyRequest): Promise<Answer> {
    const { agents, web } = this.#options;
    if (web === undefined) return notFound;
    const { scope, session } = await this.#principalOf(request);
    return json({ agents, roots: session === undefined ? web.roots : [], scope });
  }

  /** The files of a folder. */
  async #list(request: AnyRequest): Promise<Answer> {
    const { web } = this.#options;
    if (web === undefined) return notFound;
    await this.#principalOfAllSessions(request);
    const folder = new URL(request.url ?? '', 'http://server').searchParams.get('folder') ?? '';
    return web.files(folder).then(
      (files) => json(files),
      () => ({ status: 403, text: 'This folder is outside the folders that this server works in.' }),
    );
  }

  /** The owner's other sessions on this machine. Other principals get an empty list. */
  async #elsewhere(request: AnyRequest): Promise<Answer> {
    const principal = await this.#principalOf(request);
    return json((principal.isOwner && (await this.#options.web?.sessionsElsewhere?.())) || []);
  }

  async #metrics(request: AnyRequest): Promise<Answer> {
    const principal = await this.#principalOf(request);
    if (principal.scope !== 'admin') return { status: 403, text: 'This needs a token of scope admin.' };
    const { counts, rules } = this.#options;
    return {
      status: 200,
      text: `${metricsOf(counts)}\n${rules.metrics?.(principal) ?? ''}`.trimEnd(),
      headers: { 'content-type': 'text/plain; version=0.0.4; charset=utf-8' },
    };
  }

  /** Creates a ticket for pages of an accepted origin. A logged-in page cannot create one. */
  async #ticket(request: AnyRequest): Promise<Answer> {
    if (PageLogins.isToken(bearerOf(request) ?? '')) return notAuthorized;
    const principal = await this.#principalOf(request);
    const { origin } = await bodyOf(request);
    const { origins } = this.#options.rules;
    if (typeof origin !== 'string' || !isAcceptedOrigin(origin, { host: hostOf(request), origins }))
      return { status: 400, text: 'origin must be one of the origins that the server accepts.' };
    return json({ ticket: await this.#options.access.ticketFor(principal, origin) });
  }

  /** Creates a token for others to watch a session, until it expires. */
  async #share(request: AnyRequest): Promise<Answer> {
    const { access, rules } = this.#options;
    const principal = await this.#principalOf(request);
    if (principal.scope === 'observe') return { status: 403, text: 'An observer cannot share a session.' };
    const { sessionId, hours } = await bodyOf(request);
    if (typeof sessionId !== 'string' || !isWatchTime(hours))
      return { status: 400, text: `Send a sessionId, and hours up to ${longestWatch}.` };
    if ((await rules.hasSession?.(principal.tenant, sessionId)) === false)
      return { status: 404, text: 'There is no such session.' };
    try {
      return json({ token: await access.tokenToWatch(principal, sessionId, hours) });
    } catch (error) {
      if (error instanceof TurnwireError && error.code === 'invalid-input') return { status: 409, text: error.message };
      throw error;
    }
  }

  /** The logins and links of the principal. */
  async #logins(request: AnyRequest): Promise<Answer> {
    return json(await this.#options.access.listed(await this.#principalOfAllSessions(request), request));
  }

  /** Ends a login or a link of the principal. */
  async #endLogin(request: AnyRequest): Promise<Answer> {
    const principal = await this.#principalOfAllSessions(request);
    const { id } = await bodyOf(request);
    const isEnded = typeof id === 'string' && (await this.#options.access.end(principal, { id, request }));
    return isEnded ? { status: 204 } : { status: 404, text: 'There is no such login or link.' };
  }

  /** Logs in the page that sent a ticket. */
  async #logIn(request: AnyRequest): Promise<Answer> {
    const { ticket } = await bodyOf(request);
    const token = typeof ticket === 'string' ? await this.#options.access.logIn(request, ticket) : undefined;
    if (token === undefined)
      return {
        status: 401,
        text: 'This ticket is not valid. It can be used once, for a minute, by pages of its origin.',
      };
    return json({ token });
  }

  /** Revokes the token of the page that sent the request. */
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

function metricsOf(counts: readonly ConnectionCount[]): string {
  // The first agent has two paths.
  const connections = new Map<string, number>();
  for (const { agent, transport, of } of counts) {
    const series = `turnwire_connections{agent="${agent}",transport="${transport}"}`;
    connections.set(series, (connections.get(series) ?? 0) + of.connections);
  }
  const { user, system } = process.cpuUsage();
  return [
    '# TYPE turnwire_connections gauge',
    ...[...connections].map(([series, value]) => `${series} ${value}`),
    '# TYPE process_resident_memory_bytes gauge',
    `process_resident_memory_bytes ${process.memoryUsage.rss()}`,
    '# TYPE process_cpu_seconds_total counter',
    `process_cpu_seconds_total ${(user + system) / 1e6}`,
  ].join('\n');
}

/** The JSON object in a request. Requires the JSON content type, because a page of another origin cannot send it without a preflight request. */
async function bodyOf(request: AnyRequest): Promise<Readonly<Record<string, unknown>>> {
  if (!/^application\/json *(?:;|$)/i.test(request.headers['content-type'] ?? ''))
    throw new Refusal({ status: 415, text: 'Send application/json.' });
  let text = '';
  request.setEncoding('utf8');
  for await (const chunk of request as AsyncIterable<string>)
    if ((text += chunk).length > longestBody) throw new Refusal({ status: 413, text: 'The body is too long.' });
  try {
    const fields: unknown = JSON.parse(text);
    if (typeof fields === 'object' && fields !== null) return fields as Record<string, unknown>;
  } catch {
    // Answered below.
  }
  throw new Refusal({ status: 400, text: 'The body is not a JSON object.' });
}
