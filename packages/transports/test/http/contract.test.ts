import { once } from 'node:events';
import { createSecureServer } from 'node:http2';
import type { AddressInfo, Socket } from 'node:net';
import type { FrameAbout, Transport } from '@turnwire/protocol';
import { type Opened, Recorder, runFarEnd, transportContract } from '@turnwire/transports/contract';
import { connectHttp, type ConnectHttpOptions } from '@turnwire/transports/http';
import { fetchEndpoint } from '@turnwire/transports/http/fetch';
import { nodeFetch, serveHttp } from '@turnwire/transports/http/node';
import { describe, expect, onTestFinished, test } from 'vitest';
import { within } from '../../../../tools/pace.ts';
import { testCertificate } from '../../../../tools/test-certificate.ts';
import { afterFirst } from '../after-first.ts';
import { listeningServer } from '../websocket/http-server.ts';

const request: FrameAbout = { kind: 'request', method: 'initialize', id: 'hello', sessionId: undefined };
const answer: FrameAbout = { ...request, kind: 'answer' };

/** Impossible over HTTP: batches and a second `initialize` are refused, and every frame is a request, so that tens of thousands take minutes. */
const impossible =
  /almost nothing|one frame there|many frames in order|both directions at once|loop of awaited sends|queued before it closes/;
const cases = transportContract({ halfClose: false }).filter(({ name }) => !impossible.test(name));

/** The address of the endpoint, and the client's `fetch`. */
interface Place extends AsyncDisposable {
  readonly url: string;
  readonly fetch?: ConnectHttpOptions['fetch'];
}

type Accept = Parameters<typeof serveHttp>[2];
const rules = { authorize: () => true };

async function onHttp1(accept: Accept): Promise<Place> {
  const listening = await listeningServer();
  serveHttp(listening.server, rules, accept);
  return {
    url: `http://127.0.0.1:${listening.port}/acp`,
    [Symbol.asyncDispose]: () => listening[Symbol.asyncDispose](),
  };
}

const certificate = testCertificate();

async function onHttpOfNode(accept: Accept): Promise<Place> {
  return { ...(await onHttp1(accept)), fetch: nodeFetch() };
}

async function onHttp2(accept: Accept): Promise<Place> {
  const server = createSecureServer({ ...certificate, allowHTTP1: true }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const versions = new Set<string>();
  const sockets = new Set<Socket>();
  server.on('secureConnection', (socket: Socket) => sockets.add(socket));
  server.on('request', ({ httpVersion }) => void versions.add(httpVersion));
  serveHttp(server, rules, accept);
  return {
    url: `https://127.0.0.1:${(server.address() as AddressInfo).port}/acp`,
    fetch: nodeFetch({ ca: certificate.cert }),
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
      expect([...versions]).toEqual(['2.0']);
    },
  };
}

async function onHandler(accept: Accept): Promise<Place> {
  const endpoint = fetchEndpoint(rules, accept);
  return {
    url: 'http://localhost/acp',
    fetch: (url, init) => endpoint.fetch(new Request(url, init)),
    [Symbol.asyncDispose]: () => endpoint.close(),
  };
}

/** Opens an initialized connection whose other end runs `runFarEnd`. */
async function opened(at: (accept: Accept) => Promise<Place>): Promise<Opened> {
  let farEnd: Promise<number> | undefined;
  let far: Transport | undefined;
  const place = await at((transport) => {
    far = transport;
    const hello = (): void => void transport.send('{"jsonrpc":"2.0","id":"hello","result":{}}', answer);
    farEnd = runFarEnd(afterFirst(transport, hello));
  });
  onTestFinished(() => place[Symbol.asyncDispose]());
  const near = connectHttp(place.url, { fetch: place.fetch, flushTimeout: within(20_000) });
  void near.send('{"jsonrpc":"2.0","id":"hello","method":"initialize"}', request);
  while (farEnd === undefined) await new Promise((resolve) => setTimeout(resolve, 2));
  return { near: afterFirst(near, () => undefined), farEnd, dispose: async () => far?.[Symbol.asyncDispose]() };
}

describe.each([
  ['HTTP/1.1', onHttp1],
  ['HTTP/1.1 without fetch', onHttpOfNode],
  ['HTTP/2 with TLS', onHttp2],
  ['a handler of requests', onHandler],
])('a connection over %s', (_name, place) => {
  test.each(cases)('$name', async ({ run }) => {
    await expect(run(() => opened(place))).resolves.toBeUndefined();
  });

  test('carries frames there and back in order, both ways at once', async () => {
    const { near, dispose } = await opened(place);
    const recorder = new Recorder();
    near.start(recorder);
    void near.send('{"do":"burst","count":300,"size":500}');
    const frames = Array.from({ length: 300 }, (_, index) => JSON.stringify({ jsonrpc: '2.0', id: index }));
    for (const frame of frames) await near.send(frame);
    await recorder.untilFrames(600);
    expect(recorder.frames.filter((frame) => frame.includes('jsonrpc'))).toEqual(frames);
    expect(recorder.frames.filter((frame) => frame.includes('"text"'))).toHaveLength(300);
    await near.close();
    await dispose();
  });

  test('sends everything that is queued before it closes', async () => {
    const { near, farEnd, dispose } = await opened(place);
    near.start(new Recorder());
    for (let count = 0; count < 300; count += 1) void near.send(`{"count":${count}}`);
    await near.close();
    expect(await farEnd).toBe(300);
    await dispose();
  });
});
