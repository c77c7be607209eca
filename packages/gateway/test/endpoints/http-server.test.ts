import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect as connectHttp2 } from 'node:http2';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect as connectTls } from 'node:tls';
import type { Transport } from '@turnwire/protocol';
import { connectWebSocket } from '@turnwire/transports/websocket/node';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { within } from '../../../../tools/pace.ts';
import { TokenFile, type TokenGrant } from '../../src/auth/token-file.ts';
import {
  type HttpServer,
  type HttpServerOptions,
  openHttpServer,
  type ServedClient,
} from '../../src/endpoints/index.ts';
import { testCertificate } from '../../../../tools/test-certificate.ts';
import { type RawAnswer, rawRequest, requestText } from './raw-request.ts';

const certificate = testCertificate();
const page = 'https://page.example';
const grant: TokenGrant = { label: 'test', tenant: 'ada', scope: 'control', expiresAt: null };
const initialize = { jsonrpc: '2.0', id: 1, method: 'initialize', params: { protocolVersion: 1 } };

let tokens: TokenFile;
let server: HttpServer;
let token: string;
let tokenId: string;
let port: string;
/** The number of clients that have been served. */
let served: number;

beforeEach(async () => {
  const folder = await mkdtemp(join(tmpdir(), 'turnwire-server-'));
  onTestFinished(async () => rm(folder, { recursive: true, force: true }));
  tokens = new TokenFile(join(folder, 'tokens.json'));
  const made = await tokens.create(grant);
  token = made.token;
  tokenId = made.record.id;
  served = 0;
  server = await open({});
  port = new URL(server.url).port;
});

async function open(options: Partial<HttpServerOptions>): Promise<HttpServer> {
  const opened = await openHttpServer({ agents: ['coder', 'other'], tokens, origins: [page], ...options }, serve);
  onTestFinished(async () => opened.close());
  return opened;
}

/** Answers every request with its principal and agent. */
function serve(transport: Transport, to: object): ServedClient {
  served += 1;
  const closed = new Promise<void>((resolve) => {
    transport.start({
      frame: (text) => {
        const { id, method } = JSON.parse(text) as { id: number; method: string };
        const answer = { kind: 'answer', method, id, sessionId: undefined } as const;
        return transport.send(JSON.stringify({ jsonrpc: '2.0', id, result: to }), answer);
      },
      warning: () => undefined,
      end: () => resolve(),
    });
  });
  return { closed };
}

/** Requests a WebSocket with these headers instead of the accepted ones. */
function upgrade(headers: Readonly<Record<string, string | undefined>>, path = '/acp'): Promise<RawAnswer> {
  const usual = {
    host: `127.0.0.1:${port}`,
    authorization: `Bearer ${token}`,
    connection: 'Upgrade',
    upgrade: 'websocket',
    'sec-websocket-version': '13',
    'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
  };
  return rawRequest(server.url, requestText(`GET ${path} HTTP/1.1`, { ...usual, ...headers }));
}

/** Posts to the endpoint with these headers instead of the accepted ones. */
function post(
  headers: Readonly<Record<string, string | undefined>>,
  { path = '/acp', message = initialize as object } = {},
): Promise<RawAnswer> {
  const body = JSON.stringify(message);
  const usual = {
    host: `127.0.0.1:${port}`,
    authorization: `Bearer ${token}`,
    connection: 'close',
    'content-type': 'application/json',
    'content-length': String(body.length),
  };
  return rawRequest(server.url, requestText(`POST ${path} HTTP/1.1`, { ...usual, ...headers }, body));
}

async function statuses(headers: Readonly<Record<string, string | undefined>>): Promise<readonly number[]> {
  return (await Promise.all([upgrade(headers), post(headers)])).map(({ status }) => status);
}

/** A client that has sent its first message. Resolves with the answer and the end of the connection. */
async function client(
  url: string,
  headers: Readonly<Record<string, string>> = { authorization: `Bearer ${token}` },
): Promise<{ readonly answer: unknown; readonly ended: Promise<Error | undefined> }> {
  const transport = connectWebSocket(url, { headers });
  onTestFinished(async () => transport[Symbol.asyncDispose]());
  let end: (reason: Error | undefined) => void;
  const ended = new Promise<Error | undefined>((resolve) => (end = resolve));
  const answer = await new Promise((resolve, reject) => {
    transport.start({
      frame: (text) => void resolve((JSON.parse(text) as { result: unknown }).result),
      warning: () => undefined,
      end: (reason) => {
        end(reason);
        reject(reason ?? new Error('closed'));
      },
    });
    void transport.send(JSON.stringify(initialize));
  });
  return { answer, ended };
}

test('a client with a token is served on behalf of its principal, whatever it claims about itself', async () => {
  const principal = { id: tokenId, tenant: 'ada', scope: 'control' };
  const declared = {
    ...initialize,
    params: { protocolVersion: 1, _meta: { principal: { tenant: 'bob' }, scope: 'admin' } },
  };
  const { status, body } = await post({}, { message: declared });
  expect([status, (JSON.parse(body) as { result: unknown }).result]).toEqual([
    200,
    { principal, agent: 'coder', by: 'http' },
  ]);
  expect((await client(server.webSocketUrl)).answer).toEqual({ principal, agent: 'coder', by: 'websocket' });
});

test('each agent has a path, and the first agent has the short path too', async () => {
  const agents = await Promise.all(
    ['/acp', '/agents/coder/acp', '/agents/other/acp'].map(
      async (path) => ((await client(server.webSocketUrl.replace('/acp', path))).answer as { agent: string }).agent,
    ),
  );
  expect([agents, server.connections]).toEqual([['coder', 'coder', 'other'], 3]);
});

test.each([
  'https://evil.example',
  'null',
  'https://page.example.evil',
  'http://page.example',
  'https://page.example/',
  '',
])('a page of the origin %j is refused before anything else', async (origin) => {
  expect([await statuses({ origin }), await statuses({ origin, authorization: undefined }), served]).toEqual([
    [403, 403],
    [403, 403],
    0,
  ]);
});

test.each([
  'evil.example',
  '127.evil.example',
  'localhost.evil.example',
  '[::1].evil',
  '0.0.0.0',
  '2130706433',
  '127.1',
  '0x7f.1',
  'localhost.',
  '127.0.0.1:80:80',
  '127.0.0.1@evil.example',
  ' ',
])('the host %j is refused because a foreign name may resolve to this address', async (host) => {
  expect([await statuses({ host }), served]).toEqual([[403, 403], 0]);
});

test('a gateway reports its URL with a host name that it accepts', async () => {
  const named = await open({ hosts: ['localhost', 'box.example'] });
  const { host, origin } = new URL(named.url);
  const answers = [origin, origin.replace('localhost', '127.0.0.1')].map((each) => fetch(`${each}/healthz`));
  expect([host, new URL(named.webSocketUrl).host, (await Promise.all(answers)).map(({ status }) => status)]).toEqual([
    expect.stringMatching(/^localhost:\d+$/),
    host,
    [200, 403],
  ]);
});

test('a request without a host is refused', async () => {
  expect(await statuses({ host: undefined })).toEqual([403, 400]);
});

test.each([
  ['no token', undefined],
  ['an empty token', 'Bearer '],
  ['a wrong token', 'Bearer wrong'],
  ['a token of another scheme', 'Basic YTpi'],
])('%s is refused on loopback too', async (_what, authorization) => {
  expect([await statuses({ authorization }), served]).toEqual([[401, 401], 0]);
});

test('a token in the query is ignored, and reported nowhere', async () => {
  const reported: string[] = [];
  server = await open({ onRefused: (address) => reported.push(address) });
  port = new URL(server.url).port;
  const path = `/acp?token=${token}&access_token=${token}`;
  const answers = [
    await upgrade({ authorization: undefined }, path),
    await post({ authorization: undefined }, { path }),
    await post({ authorization: 'Bearer wrong' }, { path }),
  ];
  expect(answers.map(({ status }) => status)).toEqual([401, 401, 401]);
  expect(reported).toEqual(['127.0.0.1']);
  expect(JSON.stringify(answers)).not.toContain(token);
});

test('an expired token is refused', async () => {
  const { token: expired } = await tokens.create({ ...grant, expiresAt: Date.now() - 1 });
  expect(await statuses({ authorization: `Bearer ${expired}` })).toEqual([401, 401]);
});

test('revoking a token refuses new connections and closes the open ones', async () => {
  const { ended } = await client(server.webSocketUrl);
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const response = await fetch(server.url, { method: 'POST', headers, body: JSON.stringify(initialize) });
  const id = response.headers.get('acp-connection-id') ?? '';
  const events = await fetch(server.url, {
    headers: { ...headers, accept: 'text/event-stream', 'acp-connection-id': id },
  });
  expect([events.status, server.connections]).toEqual([200, 2]);
  await tokens.revoke(tokenId);
  expect(await statuses({})).toEqual([401, 401]);
  await Promise.all([ended, events.text().catch(() => undefined)]);
  await expect.poll(() => server.connections).toBe(0);
});

test('the connections of a token are closed when it expires', async () => {
  ({ token } = await tokens.create({ ...grant, expiresAt: Date.now() + within(1_500) }));
  const { ended } = await client(server.webSocketUrl);
  await ended;
  await expect.poll(() => server.connections).toBe(0);
});

test('a connection id is refused for another principal, even of the same tenant', async () => {
  const { headers } = await post({});
  const id = headers['acp-connection-id'] ?? '';
  const { token: other } = await tokens.create(grant);
  const attempts = ['POST', 'GET', 'DELETE'].map((method) =>
    fetch(server.url, {
      method,
      headers: {
        authorization: `Bearer ${other}`,
        'content-type': 'application/json',
        accept: 'text/event-stream',
        'acp-connection-id': id,
        'acp-session-id': 's',
      },
      ...(method === 'POST' && { body: '{"jsonrpc":"2.0","method":"session/cancel","params":{"sessionId":"s"}}' }),
    }),
  );
  const answers = await Promise.all(attempts);
  const unknown = await fetch(server.url, {
    headers: { authorization: `Bearer ${other}`, accept: 'text/event-stream', 'acp-connection-id': 'none' },
  });
  const text = await unknown.text();
  expect(await Promise.all(answers.map(async (each) => [each.status, await each.text()]))).toEqual(
    answers.map(() => [404, text]),
  );
  expect(unknown.status).toBe(404);
});

test('a valid token and a valid ticket are accepted from an address that has sent wrong ones', async () => {
  const ticket = ticketIn(await ticketFor(page));
  for (let index = 0; index < 20; index += 1) {
    await upgrade({ authorization: `Bearer guess-${index}` });
    await logIn(`guess ${index}`);
  }
  expect({ token: await statuses({}), ticket: (await logIn(ticket)).status }).toEqual({
    token: [101, 200],
    ticket: 200,
  });
});

test('a client that connects in a loop is refused after a while, over either transport, without effect on other tokens', async () => {
  server = await open({ maxConnects: 2 });
  port = new URL(server.url).port;
  const answers = [await upgrade({}), await post({}), await upgrade({}), await post({})];
  const other = await tokens.create(grant);
  const { status } = await post({ authorization: `Bearer ${other.token}` });
  expect({ statuses: answers.map((answer) => answer.status), status, served }).toEqual({
    statuses: [101, 200, 429, 429],
    status: 200,
    served: 3,
  });
});

test('forwarded-host headers of a proxy are ignored', async () => {
  expect(
    await statuses({ host: 'evil.example', 'x-forwarded-host': '127.0.0.1', forwarded: 'host=127.0.0.1' }),
  ).toEqual([403, 403]);
});

test('a preflight request from a page of a foreign origin is refused', async () => {
  const preflight = (origin: string): Promise<RawAnswer> =>
    rawRequest(
      server.url,
      requestText('OPTIONS /acp HTTP/1.1', {
        host: `127.0.0.1:${port}`,
        connection: 'close',
        origin,
        'access-control-request-method': 'POST',
      }),
    );
  const allowed = ({ headers }: RawAnswer): readonly string[] =>
    Object.keys(headers).filter((name) => name.startsWith('access-control-allow'));
  const [foreign, known] = [await preflight('https://evil.example'), await preflight(page)];
  expect([foreign.status, allowed(foreign), known.status]).toEqual([403, [], 204]);
  expect(allowed(known)).not.toEqual([]);
});

test.each(['/acp', '/tickets', '/login'])('a form submission from a page to %s is refused', async (path) => {
  for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', undefined])
    expect((await post({ 'content-type': type }, { path })).status).toBe(415);
});

test.each([
  '/',
  '//acp',
  '/acp/',
  '/acp/..;/metrics',
  '/acp/../metrics',
  '/./acp',
  '/%61cp',
  '/acp%2f..%2fmetrics',
  '/agents/none/acp',
  '/agents/coder%2f..%2fother/acp',
  '/agents//acp',
  '/ACP',
])('nothing is served at %s', async (path) => {
  expect([(await upgrade({}, path)).status, (await post({}, { path })).status, served]).toEqual([404, 404, 0]);
});

test('a request with an ambiguous length is refused', async () => {
  const length = String(JSON.stringify(initialize).length);
  const doubled = requestText('POST /acp HTTP/1.1', {
    host: `127.0.0.1:${port}`,
    authorization: `Bearer ${token}`,
    'content-type': 'application/json',
    'content-length': length,
    'Content-Length': '5',
  });
  const answers = [await post({ 'transfer-encoding': 'chunked' }), await rawRequest(server.url, doubled)];
  expect([answers.map(({ status }) => status), served]).toEqual([[400, 400], 0]);
});

test('a client that sends half a request does not block other clients', async () => {
  const halves = Array.from({ length: 200 }, () => connect(Number(port), '127.0.0.1'));
  onTestFinished(() => halves.forEach((half) => half.destroy()));
  await Promise.all(halves.map((half) => once(half, 'connect')));
  for (const half of halves) half.write('GET /acp HTTP/1.1\r\nHost: 127.0.0.1');
  expect((await upgrade({})).status).toBe(101);
});

test.each([
  ['head', 'GET /acp HTTP/1.1\r\nHost: 127.0.0.1'],
  ['body', 'POST /acp HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: 9\r\n'],
])('a client that does not finish the %s of a request is disconnected', async (_part, half) => {
  const { url } = await open({ headTimeout: 100 });
  const whole = half.includes('POST') ? `${half}Authorization: Bearer ${token}\r\n\r\n{` : half;
  expect(await rawRequest(url, whole)).toMatchObject({ status: 408 });
});

/** The fate of TLS connections that do not complete their handshake or request. */
async function endsOf(url: string): Promise<Readonly<Record<string, string>>> {
  const { port: place } = new URL(url);
  const secure = async (protocol: string, first = ''): Promise<string> => {
    const wire = connectTls({ port: Number(place), ca: certificate.cert, ALPNProtocols: [protocol] });
    wire.on('error', () => undefined);
    wire.once('secureConnect', () => wire.write(first));
    wire.resume();
    await once(wire, 'close');
    return 'closed';
  };
  const withStream = async (): Promise<string> => {
    const session = connectHttp2(url, { ca: certificate.cert }).on('error', () => undefined);
    const stream = session.request({
      ':method': 'POST',
      ':path': '/acp',
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
    });
    stream.on('error', () => undefined).write('{');
    await once(stream, 'close');
    session.destroy();
    return `stream closed with ${stream.rstCode}`;
  };
  const [none, head, body] = await Promise.all([
    secure('h2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0'),
    secure('http/1.1', 'GET /acp HTTP/1.1\r\nHost: '),
    withStream(),
  ]);
  return { none, head, body };
}

test('a TLS connection without a request, with half a head or with half a body is closed', async () => {
  const { url } = await open({ tls: certificate, headTimeout: 400 });
  expect(await endsOf(url)).toEqual({ none: 'closed', head: 'closed', body: 'stream closed with 8' });
});

test('health needs no token, metrics need one of scope admin, and both need an accepted host', async () => {
  const { token: admin } = await tokens.create({ ...grant, scope: 'admin' });
  await client(server.webSocketUrl);
  const get = async (path: string, headers: Record<string, string | undefined> = {}): Promise<RawAnswer> =>
    rawRequest(
      server.url,
      requestText(`GET ${path} HTTP/1.1`, { host: `127.0.0.1:${port}`, connection: 'close', ...headers }),
    );
  const metrics = await get('/metrics', { authorization: `Bearer ${admin}` });
  expect({
    health: (await get('/healthz')).status,
    ready: (await get('/readyz')).status,
    refused: [
      (await get('/healthz', { host: 'evil.example' })).status,
      (await get('/metrics')).status,
      (await get('/metrics', { authorization: `Bearer ${token}` })).status,
    ],
    metrics: [metrics.status, metrics.headers['content-type']],
  }).toEqual({
    health: 200,
    ready: 200,
    refused: [403, 401, 403],
    metrics: [200, 'text/plain; version=0.0.4; charset=utf-8'],
  });
  expect(metrics.body).toContain('turnwire_connections{agent="coder",transport="websocket"} 1\n');
});

test('a gateway that is not ready reports it, and adds its own metrics', async () => {
  const { token: admin } = await tokens.create({ ...grant, scope: 'admin' });
  const other = await open({ isReady: () => false, metrics: () => 'turnwire_sessions 7\n' });
  const { origin } = new URL(other.url);
  const metrics = await fetch(`${origin}/metrics`, { headers: { authorization: `Bearer ${admin}` } });
  expect([
    (await fetch(`${origin}/readyz`)).status,
    (await metrics.text()).endsWith('\nturnwire_sessions 7\n'),
  ]).toEqual([503, true]);
});

/** Requests a ticket for a page, with the token. */
async function ticketFor(origin: unknown, authorization: string | undefined = `Bearer ${token}`): Promise<RawAnswer> {
  return post({ authorization }, { path: '/tickets', message: { origin } });
}

async function logIn(ticket: unknown, origin: string | undefined = page): Promise<RawAnswer> {
  return post({ authorization: undefined, origin }, { path: '/login', message: { ticket } });
}

const ticketIn = ({ body }: RawAnswer): string => (JSON.parse(body) as { ticket: string }).ticket;

const tokenIn = ({ body }: RawAnswer): string => `Bearer ${(JSON.parse(body) as { token: string }).token}`;

test('a page exchanges its ticket once for a token that only pages of its origin can use', async () => {
  const ticket = ticketIn(await ticketFor(page));
  const answer = await logIn(ticket);
  const authorization = tokenIn(answer);
  expect([answer.status, answer.headers['set-cookie']]).toEqual([200, undefined]);
  const asPage = { authorization, origin: page };
  expect(await statuses(asPage)).toEqual([101, 200]);
  expect((await logIn(ticket)).status).toBe(401);
  expect((await upgrade({ ...asPage, origin: undefined, 'sec-fetch-site': 'same-origin' })).status).toBe(101);
  expect({
    elsewhere: await statuses({ ...asPage, origin: 'https://evil.example' }),
    withoutOrigin: await statuses({ ...asPage, origin: undefined }),
    crossSite: await statuses({ ...asPage, origin: undefined, 'sec-fetch-site': 'cross-site' }),
    wrong: await statuses({ ...asPage, authorization: `${authorization}x` }),
    cookie: await statuses({ authorization: undefined, origin: page, cookie: authorization.replace('Bearer ', 'x=') }),
    ticket: (await post(asPage, { path: '/tickets', message: { origin: page } })).status,
  }).toEqual({
    elsewhere: [403, 403],
    withoutOrigin: [401, 401],
    crossSite: [401, 401],
    wrong: [401, 401],
    cookie: [401, 401],
    ticket: 401,
  });
});

test('revoking a token logs out its page and invalidates its ticket', async () => {
  const [used, unused] = [ticketIn(await ticketFor(page)), ticketIn(await ticketFor(page))];
  const asPage = { authorization: tokenIn(await logIn(used)), origin: page };
  const before = await statuses(asPage);
  await tokens.revoke(tokenId);
  expect([before, await statuses(asPage), (await logIn(unused)).status]).toEqual([[101, 200], [401, 401], 401]);
});

test('revoking a token of scope admin disconnects its page, which only had control', async () => {
  const { token: admin, record } = await tokens.create({ ...grant, scope: 'admin' });
  const ticket = ticketIn(await ticketFor(page, `Bearer ${admin}`));
  const { answer, ended } = await client(server.webSocketUrl, {
    authorization: tokenIn(await logIn(ticket)),
    origin: page,
  });
  await tokens.revoke(record.id);
  await ended;
  expect(answer).toMatchObject({ principal: { id: record.id, scope: 'control' } });
});

/** A logged-in page with a connection. */
async function openPage(owner: string = token): Promise<{
  readonly headers: { readonly authorization: string; readonly origin: string };
  readonly ended: Promise<unknown>;
}> {
  const ticket = ticketIn(await ticketFor(page, `Bearer ${owner}`));
  const headers = { authorization: tokenIn(await logIn(ticket)), origin: page };
  return { headers, ended: (await client(server.webSocketUrl, headers)).ended };
}

async function listedFor(headers: Readonly<Record<string, string>>): Promise<readonly Record<string, unknown>[]> {
  const answer = await fetch(`http://127.0.0.1:${port}/logins`, { headers });
  return (await answer.json()) as readonly Record<string, unknown>[];
}

test('logging out closes everything opened with the token of the page, including a copy of it, and no other page', async () => {
  const [one, other] = [await openPage(), await openPage()];
  const { ended: ofCopy } = await client(server.webSocketUrl, one.headers);
  await post(one.headers, { path: '/logout', message: {} });
  await Promise.all([one.ended, ofCopy]);
  await expect.poll(() => server.connections).toBe(1);
  expect([await statuses(one.headers), await statuses(other.headers)]).toEqual([
    [401, 401],
    [101, 200],
  ]);
});

test('a page lists the other logins and the links of its token, and ends them together with their connections', async () => {
  const [mine, lost] = [await openPage(), await openPage()];
  const stranger = await openPage((await tokens.create(grant)).token);
  const { body } = await post(mine.headers, { path: '/shares', message: { sessionId: 's1', hours: 1 } });
  const link = await client(server.webSocketUrl, { authorization: tokenIn({ body } as RawAnswer) });
  const listed = await listedFor(mine.headers);
  expect(listed).toEqual([
    { id: expect.any(String), since: expect.any(Number), until: expect.any(Number), label: grant.label, isThis: true },
    { id: expect.any(String), since: expect.any(Number), until: expect.any(Number), label: grant.label },
    { id: expect.any(String), since: expect.any(Number), until: expect.any(Number), session: 's1' },
  ]);
  const end = async (headers: Readonly<Record<string, string>>, id: unknown): Promise<number> =>
    (await post(headers, { path: '/logins/end', message: { id } })).status;
  const ids = listed.slice(1).map(({ id }) => id);
  const refused = await Promise.all([...ids, 'none', 5].map((id) => end(stranger.headers, id)));
  const done = [await end(mine.headers, ids[0]), await end(mine.headers, ids[1])];
  await Promise.all([lost.ended, link.ended]);
  expect([refused, done, await statuses(lost.headers), await statuses(mine.headers)]).toEqual([
    [404, 404, 404, 404],
    [204, 204],
    [401, 401],
    [101, 200],
  ]);
});

test('the owner of a server sees and ends the logins of all tokens of the tenant; an observer of one session cannot', async () => {
  const phone = await openPage();
  const owner = await openPage((await tokens.create({ ...grant, scope: 'admin' })).token);
  const other = await openPage((await tokens.create({ ...grant, tenant: 'another' })).token);
  const [first] = await listedFor(owner.headers);
  const watching = { authorization: `Bearer ${(await tokens.create({ ...grant, session: 's1' })).token}` };
  const refused = await fetch(`http://127.0.0.1:${port}/logins`, { headers: watching });
  await post(owner.headers, { path: '/logins/end', message: { id: first?.['id'] } });
  await phone.ended;
  expect([refused.status, (await listedFor(other.headers)).length]).toEqual([403, 1]);
});

test('only the owner sees the sessions that the server does not have', async () => {
  const elsewhere = { title: 'chat', agent: 'coder', cwd: '/p', updatedAt: 1, command: 'turnwire --resume 0b5c' };
  const web = { folder: tmpdir(), roots: ['/p'], files: async () => [], sessionsElsewhere: async () => [elsewhere] };
  const { url } = await open({ web });
  const seenBy = async (bearer: string): Promise<unknown> => {
    const answer = await fetch(new URL('/sessions', url), { headers: { authorization: `Bearer ${bearer}` } });
    return answer.ok ? answer.json() : answer.status;
  };
  const owner = (await tokens.create({ ...grant, scope: 'admin' })).token;
  expect([await seenBy(owner), await seenBy(token), await seenBy('wrong')]).toEqual([[elsewhere], [], 401]);
});

test('a ticket is valid for a page of its own origin only', async () => {
  const other = 'https://other.example';
  server = await open({ origins: [page, other] });
  port = new URL(server.url).port;
  const ticket = ticketIn(await ticketFor(page));
  expect([(await logIn(ticket, other)).status, (await logIn(ticket)).status]).toEqual([401, 401]);
});

test("a page with another login cannot use a page's connection", async () => {
  const logins: string[] = [];
  for (const owner of [token, (await tokens.create(grant)).token]) {
    const ticket = ticketIn(await ticketFor(page, `Bearer ${owner}`));
    logins.push(tokenIn(await logIn(ticket)));
  }
  const [mine, theirs] = logins;
  const { headers } = await post({ origin: page, authorization: mine });
  const cancel = { jsonrpc: '2.0', method: 'session/cancel', params: { sessionId: 's' } };
  const about = {
    origin: page,
    'acp-connection-id': headers['acp-connection-id'],
    'acp-session-id': 's',
  };
  const answers = [
    await post({ ...about, authorization: theirs }, { message: cancel }),
    await post({ ...about, authorization: mine }, { message: cancel }),
  ];
  expect(answers.map(({ status }) => status)).toEqual([404, 202]);
});

test.each<[what: string, ticket: unknown, origin: string | undefined, status: number]>([
  ['a wrong ticket', 'wrong', page, 401],
  ['a ticket that is no text', 5, page, 401],
  ['a page without an origin', 'wrong', undefined, 401],
  ['a page of a foreign origin', 'wrong', 'https://evil.example', 403],
])('%s does not log in', async (_what, ticket, origin, status) => {
  expect((await logIn(ticket, origin)).status).toBe(status);
});

test.each<[what: string, origin: unknown, authorization: string | undefined, status: number]>([
  ['without a token', page, '', 401],
  ['with a wrong token', page, 'Bearer wrong', 401],
  ['for an origin that is not accepted', 'https://evil.example', undefined, 400],
  ['for no origin', undefined, undefined, 400],
])('there is no ticket %s', async (_what, origin, authorization, status) => {
  expect((await ticketFor(origin, authorization)).status).toBe(status);
});

test('a body that is too long or not an object is refused', async () => {
  const answers = [
    await post({}, { path: '/login', message: { ticket: 'x'.repeat(5_000) } }),
    await post({}, { path: '/login', message: 5 as unknown as object }),
    await post({ 'content-length': '3' }, { path: '/login' }),
  ];
  expect(answers.map(({ status }) => status)).toEqual([413, 400, 400]);
});

test.each<[what: string, options: Partial<HttpServerOptions>, message: string]>([
  [
    'other machines without tls',
    { host: '0.0.0.0' },
    '0.0.0.0 is reached from other machines; listening there needs tls',
  ],
  ['other machines without names', { host: '::', tls: {} }, 'list the names that clients know :: by in hosts'],
  ['an agent with a slash', { agents: ['a/b'] }, 'a/b cannot be a part of a path: rename the agent'],
  ['an agent that goes up', { agents: ['..'] }, '.. cannot be a part of a path: rename the agent'],
])('a gateway does not start for %s', async (_what, options, message) => {
  await expect(open(options)).rejects.toMatchObject({ code: 'invalid-input', message });
});

test('closing the server closes its clients and frees the port', async () => {
  const { ended } = await client(server.webSocketUrl);
  await server.close();
  await ended;
  const again = await open({ port: Number(port) });
  expect([server.connections, again.url]).toEqual([0, server.url]);
});
