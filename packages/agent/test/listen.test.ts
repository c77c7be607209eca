import { connectClient, type Peer, protocolVersion, type Transport } from '@turnwire/protocol';
import { connectHttp } from '@turnwire/transports/http';
import { connectWebSocket } from '@turnwire/transports/websocket/node';
import { expect, test } from 'vitest';
import { type AgentDefinition, memoryStore } from '../src/index.ts';
import { serveAgent } from '../src/node/index.ts';
import { ourDefinition, wholeTurns, withOurClient } from './remote-pairings.ts';

const echo: AgentDefinition<undefined> = {
  info: { name: 'echo', version: '1.0.0' },
  prompt: (turn) => turn.say(turn.text),
};

function transportTo(url: string, token: string): Transport {
  const headers = { authorization: `Bearer ${token}` };
  return url.startsWith('ws') ? connectWebSocket(url, { headers }) : connectHttp(url, { headers });
}

async function connected(url: string, token: string): Promise<Peer<'client'>> {
  const peer = connectClient(transportTo(url, token), {});
  await peer.request('initialize', { protocolVersion, clientCapabilities: {} });
  return peer;
}

test('an agent that listens serves turns, a permission, a cancel and a replay', async () => {
  await using agent = await serveAgent(ourDefinition(), { listen: {} });
  const port = /\d+(?=\/acp$)/.exec(agent.url)?.[0];
  const { url, httpUrl } = agent;
  expect({ url, httpUrl }).toEqual({ url: `ws://127.0.0.1:${port}/acp`, httpUrl: `http://127.0.0.1:${port}/acp` });
  for (const each of [url, httpUrl])
    expect(await withOurClient(() => transportTo(each, agent.token))).toEqual(wholeTurns);
});

test('every client has its own agent, and they share the store', async () => {
  await using agent = await serveAgent(
    { ...echo, store: memoryStore() },
    { listen: { path: '/here', token: 'secret' } },
  );
  const [one, other] = [await connected(agent.url, 'secret'), await connected(agent.httpUrl, 'secret')];
  expect(agent.connections).toBe(2);
  const { sessionId } = await one.request('session/new', { cwd: '/', mcpServers: [] });
  const prompt = [{ type: 'text' as const, text: 'hello' }];
  await expect(other.request('session/prompt', { sessionId, prompt })).rejects.toMatchObject({ code: -32002 });
  expect(await one.request('session/prompt', { sessionId, prompt })).toEqual({ stopReason: 'end_turn' });
  expect((await other.request('session/list', {})).sessions).toMatchObject([{ sessionId }]);
  await agent.close();
  expect(await one.closed).toEqual({ by: 'remote' });
  expect(agent.connections).toBe(0);
});

test('a client without the token is refused', async () => {
  await using agent = await serveAgent(echo, { listen: {} });
  for (const url of [agent.url, agent.httpUrl])
    await expect(connected(url, 'wrong')).rejects.toMatchObject({ code: 'connection-closed' });
  expect((await fetch(agent.httpUrl)).status).toBe(401);
  expect((await fetch(agent.httpUrl.replace('/acp', '/'))).status).toBe(404);
});

test('an idle connection is kept longer than clients keep theirs', async () => {
  await using agent = await serveAgent(echo, { listen: {} });
  expect((await fetch(agent.httpUrl)).headers.get('keep-alive')).toBe('timeout=75');
});

test.each<[what: string, listen: object, message: string]>([
  [
    'an address of the network without tls',
    { host: '0.0.0.0' },
    '0.0.0.0 is reached from other machines; listening there needs tls',
  ],
  [
    'an address of the network without names',
    { host: '::', tls: {} },
    'list the names that clients know :: by in hosts',
  ],
  ['an empty token', { token: '' }, 'the token is empty; leave it out for a random one'],
])('an agent cannot listen with %s', async (_what, listen, message) => {
  await expect(serveAgent(echo, { listen })).rejects.toMatchObject({ code: 'invalid-input', message });
});

test('a port in use is reported', async () => {
  await using agent = await serveAgent(echo, { listen: {} });
  const port = Number(new URL(agent.url).port);
  await expect(serveAgent(echo, { listen: { port } })).rejects.toMatchObject({
    code: 'invalid-input',
    message: `cannot listen at 127.0.0.1:${port}: listen EADDRINUSE: address already in use 127.0.0.1:${port}`,
  });
});
