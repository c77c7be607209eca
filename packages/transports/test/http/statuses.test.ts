import { request as httpRequest } from 'node:http';
import { text } from 'node:stream/consumers';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import { Recorder } from '@turnwire/transports/contract';
import { bearerToken, type EndpointRequest, type HttpEndpoint, serveHttp } from '@turnwire/transports/http/node';
import { connectHttp } from '@turnwire/transports/http';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { listeningServer, type ListeningServer } from '../websocket/http-server.ts';

let listening: ListeningServer;
let endpoint: HttpEndpoint;
let frames: string[] = [];
let connectionId = '';

const json = { 'content-type': 'application/json' };
const hello = '{"jsonrpc":"2.0","id":0,"method":"initialize","params":{}}';

/** The users `one` and `other` may connect. After its answer, the agent sends a request about session `s`. */
beforeEach(async () => {
  listening = await listeningServer();
  frames = [];
  const [one, other] = [bearerToken('one'), bearerToken('other')];
  const authorize = (request: EndpointRequest): boolean => one(request) === true || other(request) === true;
  endpoint = serveHttp(listening.server, { authorize, maxFrameBytes: 1000, flushTimeout: 1 }, (transport) => {
    transport.start({
      frame: (frame, about) => {
        frames.push(frame);
        if (about?.method !== 'initialize') return undefined;
        void transport.send('{"id":0,"result":{}}', { ...about, kind: 'answer' });
        const asked = { kind: 'request', method: 'session/request_permission', id: 7, sessionId: 's' } as const;
        return void transport.send('{"id":7}', asked);
      },
      warning: () => undefined,
      end: () => undefined,
    });
  });
  const { headers } = await ask('POST', json, hello);
  connectionId = String(headers['acp-connection-id']);
});

afterEach(async () => {
  await endpoint.close();
  await listening[Symbol.asyncDispose]();
});

interface Answer {
  readonly status: number | undefined;
  readonly headers: IncomingMessage['headers'];
  readonly text: string;
}

/** Sends a request of user `one`, or with other headers, and returns the answer; for a stream only its head. */
function ask(method: string, headers: object, body: string | Buffer = '', path = '/acp'): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const all = { authorization: 'Bearer one', ...headers };
    const sent = httpRequest({ port: listening.port, host: '127.0.0.1', method, path, headers: all, agent: false });
    sent.once('error', reject);
    sent.once('response', (response) => {
      const isStream = response.headers['content-type'] === 'text/event-stream';
      const head = { status: response.statusCode, headers: response.headers };
      if (isStream) resolve({ ...head, text: '' });
      else text(response).then((read) => resolve({ ...head, text: read }), reject);
    });
    sent.end(body);
  });
}

const id = (): object => ({ 'acp-connection-id': connectionId });
const events = { accept: 'text/event-stream' };
const prompt = '{"jsonrpc":"2.0","id":1,"method":"session/prompt","params":{"sessionId":"s"}}';

test.each<[what: string, method: string, headers: () => object, body: string | Buffer, status: number]>([
  ['a message', 'POST', () => ({ ...json, ...id() }), '{"jsonrpc":"2.0","id":1,"method":"session/list"}', 202],
  ['a message of a session', 'POST', () => ({ ...json, ...id(), 'acp-session-id': 's' }), prompt, 202],
  ['an answer of a session', 'POST', () => ({ ...json, ...id(), 'acp-session-id': 's' }), '{"id":7,"result":{}}', 202],
  [
    'a text, as a page of another site can send it',
    'POST',
    () => ({ 'content-type': 'text/plain', ...id() }),
    '{}',
    415,
  ],
  ['a batch', 'POST', () => ({ ...json, ...id() }), `[${hello}]`, 400],
  ['an empty batch', 'POST', () => ({ ...json, ...id() }), '[]', 400],
  ['invalid JSON', 'POST', () => ({ ...json, ...id() }), '{', 400],
  ['a number', 'POST', () => ({ ...json, ...id() }), '7', 400],
  ['invalid UTF-8', 'POST', () => ({ ...json, ...id() }), Buffer.from([0x22, 0xff, 0x22]), 400],
  ['a compressed message', 'POST', () => ({ ...json, ...id(), 'content-encoding': 'gzip' }), gzipSync(prompt), 400],
  ['a message that is too long', 'POST', () => ({ ...json, ...id() }), JSON.stringify('x'.repeat(1000)), 413],
  [
    'a message that is too long, in pieces',
    'POST',
    () => ({ ...json, ...id(), 'transfer-encoding': 'chunked' }),
    JSON.stringify('x'.repeat(1000)),
    413,
  ],
  ['a second initialize', 'POST', () => ({ ...json, ...id() }), hello, 400],
  ['a message without a connection', 'POST', () => json, prompt, 400],
  ['a message of an unknown connection', 'POST', () => ({ ...json, 'acp-connection-id': 'x' }), prompt, 404],
  ['a message without its session', 'POST', () => ({ ...json, ...id() }), prompt, 400],
  ['a message with another session', 'POST', () => ({ ...json, ...id(), 'acp-session-id': 't' }), prompt, 400],
  ['an answer without its session', 'POST', () => ({ ...json, ...id() }), '{"id":7,"result":{}}', 400],
  ['an answer of another session', 'POST', () => ({ ...json, ...id(), 'acp-session-id': 't' }), '{"id":7}', 400],
  ['the stream of the connection', 'GET', () => ({ ...events, ...id() }), '', 200],
  ['a stream of a session', 'GET', () => ({ ...events, ...id(), 'acp-session-id': 's' }), '', 200],
  ['a stream without Accept', 'GET', () => id(), '', 406],
  ['a stream without a connection', 'GET', () => events, '', 400],
  ['a stream of an unknown connection', 'GET', () => ({ ...events, 'acp-connection-id': 'x' }), '', 404],
  ['a message from another user', 'POST', () => ({ ...json, ...id(), authorization: 'Bearer other' }), '{}', 404],
  ['a stream for another user', 'GET', () => ({ ...events, ...id(), authorization: 'Bearer other' }), '', 404],
  ['an end by another user', 'DELETE', () => ({ ...id(), authorization: 'Bearer other' }), '', 404],
  ['an end', 'DELETE', () => id(), '', 202],
  ['an end without a connection', 'DELETE', () => ({}), '', 400],
  ['another method', 'PUT', () => id(), '', 405],
  ['a preflight of another site', 'OPTIONS', () => ({ origin: 'https://evil.example' }), '', 403],
  ['a page of another site', 'POST', () => ({ ...json, origin: 'https://evil.example' }), hello, 403],
  ['a foreign host name', 'POST', () => ({ ...json, host: 'evil.example' }), hello, 403],
  ['no token', 'POST', () => ({ ...json, authorization: '' }), hello, 401],
])('%s is answered with its status', async (...row) => {
  const [, method, headers, body, status] = row;
  const answer = await ask(method, headers(), body);
  expect({ status: answer.status, allows: answer.headers['access-control-allow-origin'] }).toEqual({
    status,
    allows: undefined,
  });
  const passedOn = status === 202 && method === 'POST' ? [hello, body] : [hello];
  expect(frames).toEqual(passedOn);
});

test('a page of an accepted origin may send the headers of the protocol, and read the answer', async () => {
  await endpoint.close();
  const origin = 'https://ide.example';
  endpoint = serveHttp(listening.server, { authorize: bearerToken('one'), origins: [origin] }, () => undefined);
  const asked = await ask('OPTIONS', { origin, authorization: '', 'access-control-request-method': 'POST' });
  const refused = await ask('POST', { ...json, origin, authorization: '' }, hello);
  const allowed = ({ status, headers }: Answer): unknown => ({
    status,
    origin: headers['access-control-allow-origin'],
    headers: headers['access-control-allow-headers'],
    vary: headers.vary,
  });
  expect([allowed(asked), allowed(refused)]).toEqual([
    {
      status: 204,
      origin,
      headers: 'authorization, content-type, acp-connection-id, acp-session-id, last-event-id',
      vary: 'origin',
    },
    { status: 401, origin, headers: undefined, vary: 'origin' },
  ]);
});

test('a stream can be open once, and again after it was closed', async () => {
  const open = (): Promise<Answer> => ask('GET', { ...events, ...id() });
  expect((await open()).status).toBe(200);
  expect((await open()).status).toBe(409);
  listening.server.closeAllConnections();
  await expect.poll(async () => (await open()).status).toBe(200);
});

test('a connection that was ended is unknown', async () => {
  await ask('DELETE', id());
  expect(endpoint.connections).toBe(0);
  expect((await ask('GET', { ...events, ...id() })).status).toBe(404);
});

test('a user who lost all streams of a connection ends it by connecting again', async () => {
  await ask('GET', { ...events, ...id() });
  listening.server.closeAllConnections();
  await expect
    .poll(async () => {
      await ask('POST', { ...json, authorization: 'Bearer other' }, hello);
      const others = endpoint.connections;
      await ask('POST', json, hello);
      return endpoint.connections - others;
    })
    .toBe(0);
  expect((await ask('GET', { ...events, ...id() })).status).toBe(404);
});

test('sessions that were closed or deleted need no stream', async () => {
  await using own = await listeningServer();
  serveHttp(own.server, { authorize: () => true, maxStreams: 3 }, (transport) => {
    transport.start({
      frame: (_, about) => about && transport.send(`{"id":${about.id},"result":{}}`, { ...about, kind: 'answer' }),
      warning: () => undefined,
      end: () => undefined,
    });
  });
  const recorder = new Recorder();
  const transport = connectHttp(`http://127.0.0.1:${own.port}/acp`);
  transport.start(recorder);
  void transport.send(hello, { kind: 'request', method: 'initialize', id: 0, sessionId: undefined });
  for (let id = 1; id <= 12; id += 1) {
    const [method, sessionId] = [`session/${id % 2 === 0 ? 'close' : 'delete'}`, `s${id}`];
    void transport.send(JSON.stringify({ id, method, params: { sessionId } }), {
      kind: 'request',
      method,
      id,
      sessionId,
    });
    await recorder.untilFrames(id + 1);
  }
  expect(recorder.frames).toEqual(Array.from({ length: 13 }, (_, id) => `{"id":${id},"result":{}}`));
  await transport.close();
});

test('another path is not found', async () => {
  expect((await ask('POST', json, hello, '/acp/../admin')).status).toBe(404);
});

test("the reason of a refused connection includes the server's message, without the token", async () => {
  const recorder = new Recorder();
  const transport = connectHttp(`http://127.0.0.1:${listening.port}/acp`, {
    headers: { authorization: 'Bearer wrong' },
  });
  transport.start(recorder);
  void transport.send(hello);
  await recorder.untilEnd();
  expect(recorder.received).toEqual([
    {
      end: 'not-authorized: the server answered 401 Unauthorized: Not authorized. Send a valid token in the Authorization header.',
    },
  ]);
});

test('a notification that the server refuses is reported, and the connection continues', async () => {
  await using own = await listeningServer();
  own.server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    void text(request).then((body) => {
      if (request.method === 'GET') response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders();
      else if (body.includes('cancel')) response.writeHead(400).end('There is no such session.');
      else response.writeHead(200, { 'acp-connection-id': 'c' }).end('{"id":0}');
    });
  });
  const recorder = new Recorder();
  const transport = connectHttp(`http://127.0.0.1:${own.port}/acp`);
  transport.start(recorder);
  void transport.send(hello, { kind: 'request', method: 'initialize', id: 0, sessionId: undefined });
  const cancel = { kind: 'notification', method: 'session/cancel', id: undefined, sessionId: 's' } as const;
  void transport.send('{"method":"session/cancel"}', cancel);
  await recorder.until(() => recorder.received.length === 2);
  const excerpt = 'the server answered 400 Bad Request: There is no such session.';
  expect(recorder.received).toEqual([{ frame: '{"id":0}' }, { warning: { kind: 'refused', bytes: 25, excerpt } }]);
  await transport[Symbol.asyncDispose]();
});

test('the answer to session/load follows the replay, whose length the server announces', async () => {
  const server = new LoadingServer();
  await using own = await listeningServer();
  own.server.on('request', (request, response) => void server.answer(request, response));
  const recorder = new Recorder();
  const transport = connectHttp(`http://127.0.0.1:${own.port}/acp`);
  transport.start(recorder);
  void transport.send(hello, { kind: 'request', method: 'initialize', id: 0, sessionId: undefined });
  void transport.send('{"id":1,"method":"session/load"}', {
    kind: 'request',
    method: 'session/load',
    id: 1,
    sessionId: 's',
  });
  await recorder.untilFrames(5);
  expect(recorder.frames).toEqual(['{"id":0}', '{"a":0}', '{"a":1}', '{"a":2}', '{"id":1}']);
  await transport[Symbol.asyncDispose]();
});

/** Answers `session/load` before the replay. */
class LoadingServer {
  readonly #streams = new Map<string, ServerResponse>();

  async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await text(request);
    if (request.method === 'GET') {
      this.#streams.set(String(request.headers['acp-session-id'] ?? ''), response);
      response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders();
    } else if (request.method === 'DELETE') response.writeHead(202).end();
    else if (body.includes('initialize')) response.writeHead(200, { 'acp-connection-id': 'c' }).end('{"id":0}');
    else {
      response.writeHead(202).end();
      this.#streams.get('')?.write(':after 3 "s"\ndata: {"id":1}\n\n');
      for (const number of [0, 1, 2]) {
        await new Promise((resolve) => setTimeout(resolve, 60));
        this.#streams.get('s')?.write(`data: {"a":${number}}\n\n`);
      }
    }
  }
}
