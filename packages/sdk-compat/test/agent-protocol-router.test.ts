import * as v1 from '@turnwire/sdk-compat';
import * as v2 from '@turnwire/sdk-compat/experimental/v2';
import { expect, test } from 'vitest';
import { connectedStreams, scriptedEnd } from './both-packages.ts';

const info = { name: 'agent', version: '1.0.0' };

function router() {
  const older = v1.agent().onRequest('initialize', ({ params }) => ({
    protocolVersion: 1,
    agentInfo: { name: params.clientInfo?.name ?? 'nobody', version: '1' },
  }));
  const newer = v2.agent().onRequest('initialize', () => ({ protocolVersion: 2, info }));
  return v2.agentProtocolRouter().withV1(older).withV2(newer);
}

test('a router gives each client the agent of its version', async () => {
  const first = connectedStreams(v1);
  const second = connectedStreams(v1);
  router().connect(first.agent);
  router().connect(second.agent);
  const answers = [
    await v1.client().connectWith(first.client, (peer) => peer.request('initialize', { protocolVersion: 1 })),
    await v2.client().connectWith(second.client, (peer) => peer.request('initialize', { protocolVersion: 2, info })),
  ];
  expect(answers).toEqual([
    { protocolVersion: 1, agentInfo: { name: 'nobody', version: '1' } },
    { protocolVersion: 2, info },
  ]);
});

test('a router without version 2 describes a client of version 2 in the form of version 1', async () => {
  const { agent, client } = connectedStreams(v1);
  const older = v1.agent().onRequest('initialize', ({ params: { protocolVersion, clientInfo } }) => ({
    protocolVersion: 1,
    _meta: { protocolVersion, clientInfo },
  }));
  v2.agentProtocolRouter().withV1(older).connect(agent);
  const answer = await v1
    .client()
    .connectWith(client, (peer) => peer.request('initialize', { protocolVersion: 2, info } as never));
  expect(answer._meta).toEqual({ protocolVersion: 2, clientInfo: info });
});

test('a router answers requests before initialize with an error, and stays open', async () => {
  const end = scriptedEnd(v1);
  const { closed } = router().connect(end.stream);
  await end.send({ jsonrpc: '2.0', id: 1, method: 'session/new', params: {} });
  await end.send({ jsonrpc: '2.0', id: 2, method: 'initialize', params: { protocolVersion: 1 } });
  await end.writes(2);
  await end.end();
  await closed;
  expect(
    end.written.map((message) => (message as { readonly id: number; readonly error?: { code: number } }).error?.code),
  ).toEqual([-32600, undefined]);
});
