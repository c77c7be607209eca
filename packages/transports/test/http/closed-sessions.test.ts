import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { connectAgent, connectClient, type Peer, protocolVersion } from '@turnwire/protocol';
import { connectHttp } from '@turnwire/transports/http';
import { serveHttp } from '@turnwire/transports/http/node';
import { expect, onTestFinished, test } from 'vitest';

/** An agent over HTTP that answers every `session/close` once it has received as many as it waits for. */
async function connected(waitsFor: number): Promise<Peer<'client'>> {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  let received = 0;
  let answer = (): void => undefined;
  const all = new Promise<void>((resolve) => (answer = resolve));
  const endpoint = serveHttp(server, { authorize: () => true }, (transport) => {
    connectAgent(transport, {
      initialize: () => ({ protocolVersion, agentCapabilities: { sessionCapabilities: { close: {}, resume: {} } } }),
      'session/new': () => ({ sessionId: 's' }),
      'session/resume': async ({ sessionId }, { peer }) => {
        const update = { sessionUpdate: 'session_info_update', title: 't' } as const;
        await peer.notify('session/update', { sessionId, update });
        return {};
      },
      'session/close': async () => {
        if (++received === waitsFor) answer();
        await all;
        return {};
      },
    });
  });
  const client = connectHttp(`http://127.0.0.1:${(server.address() as AddressInfo).port}/acp`);
  onTestFinished(async () => {
    await client.close();
    await endpoint.close();
    server.close();
  });
  const peer = connectClient(client, {});
  await peer.request('initialize', { protocolVersion, clientCapabilities: {} });
  await peer.request('session/new', { cwd: '/', mcpServers: [] });
  return peer;
}

test('requests to close a session that arrive before the first one is answered are all answered', async () => {
  const peer = await connected(3);
  const close = (): Promise<object> => peer.request('session/close', { sessionId: 's' });
  expect(await Promise.all([close(), close(), close()])).toEqual([{}, {}, {}]);
});

test('a session that was closed can be resumed and closed again on the same connection', async () => {
  const peer = await connected(1);
  const answers = [];
  for (let round = 0; round < 3; round++)
    answers.push(
      await peer.request('session/close', { sessionId: 's' }),
      await peer.request('session/resume', { sessionId: 's', cwd: '/' }),
    );
  expect(answers).toEqual([{}, {}, {}, {}, {}, {}]);
});
