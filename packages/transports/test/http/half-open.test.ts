import { once } from 'node:events';
import { createServer as createHttpServer } from 'node:http';
import { createSecureServer } from 'node:http2';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import type { FrameAbout } from '@turnwire/protocol';
import { Recorder } from '@turnwire/transports/contract';
import { connectHttp } from '@turnwire/transports/http';
import { nodeFetch, serveHttp } from '@turnwire/transports/http/node';
import { expect, onTestFinished, test } from 'vitest';
import { within } from '../../../../tools/pace.ts';
import { testCertificate } from '../../../../tools/test-certificate.ts';

interface HalfOpenProxy {
  readonly port: number;
  readonly freeze: () => void;
  /** Chunks from the server that the line has forwarded. */
  readonly passed: () => number;
}

/** Forwards everything until it is frozen, then silently drops everything. */
async function proxyTo(target: number): Promise<HalfOpenProxy> {
  const sockets = new Set<Socket>();
  let isFrozen = false;
  let passed = 0;
  const server = createServer((near) => {
    const far = connect(target, '127.0.0.1');
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(one);
      one.on('error', () => undefined);
      one.on('data', (bytes) => {
        if (isFrozen) return;
        if (one === far) passed += 1;
        other.write(bytes);
      });
      one.on('close', () => void (isFrozen || other.destroy()));
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  return { port: (server.address() as AddressInfo).port, freeze: () => void (isFrozen = true), passed: () => passed };
}

const certificate = testCertificate();
const silence = 1_000 * Math.ceil(within(500) / 1_000);
const initialize: FrameAbout = { kind: 'request', method: 'initialize', id: 0, sessionId: undefined };

/** A client and the server's end of its connection, over a line that can be frozen. */
async function halfOpen(
  version: '1.1' | '2',
  clientSilence: number,
): Promise<{ readonly client: Recorder; readonly server: Recorder; readonly proxy: HalfOpenProxy }> {
  const server = version === '2' ? createSecureServer(certificate) : createHttpServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const far = new Recorder();
  const endpoint = serveHttp(server, { authorize: () => true, silence }, (transport) => {
    transport.start(far);
    void transport.send('{"id":0}', { ...initialize, kind: 'answer' });
  });
  const proxy = await proxyTo((server.address() as AddressInfo).port);
  onTestFinished(async () => {
    await endpoint.close();
    server.close();
  });
  const url = `${version === '2' ? 'https' : 'http'}://127.0.0.1:${proxy.port}/acp`;
  const transport = connectHttp(url, { silence: clientSilence, fetch: nodeFetch({ ca: certificate.cert }) });
  onTestFinished(() => transport.close());
  const near = new Recorder();
  transport.start(near);
  void transport.send('{"id":0,"method":"initialize"}', initialize);
  await near.untilFrames(1);
  return { client: near, server: far, proxy };
}

test.each(['1.1', '2'] as const)('a client over HTTP/%s detects a server that disappears silently', async (version) => {
  const { client, proxy } = await halfOpen(version, silence);
  const before = proxy.passed();
  // After the server has sent a keep-alive.
  await expect.poll(proxy.passed).toBeGreaterThan(before + 5);
  expect(client.ended).toBe(false);
  proxy.freeze();
  await expect
    .poll(() => client.received.at(-1))
    .toEqual({ end: `connection-closed: nothing has arrived for ${silence / 1_000} s: the connection is dead` });
});

test('a server over HTTP/2 detects a client that disappears silently', async () => {
  const { server, proxy } = await halfOpen('2', 60_000);
  const before = proxy.passed();
  await expect.poll(proxy.passed).toBeGreaterThan(before + 5);
  expect(server.ended).toBe(false);
  proxy.freeze();
  await expect
    .poll(() => server.received.at(-1))
    .toEqual({
      end: `connection-closed: the client has had no stream open for ${silence / 1_000} s: the connection is dead`,
    });
});
