import { describe, expect, test } from 'vitest';
import type { Bytes } from './from-the-official-sdk.ts';
import {
  definedAgent,
  officialAgent,
  officialClient,
  officialExtensions,
  ourClient,
  ourExtensions,
  peerAgent,
} from './from-the-official-sdk.ts';
import { connectClient } from '@turnwire/protocol';
import { webStreamTransport } from '@turnwire/transports/web-streams';

/** Both ends of two byte streams. */
function bytesPair(): readonly [Bytes, Bytes] {
  const there = new TransformStream<Uint8Array, Uint8Array>();
  const back = new TransformStream<Uint8Array, Uint8Array>();
  return [
    { input: there.readable, output: back.writable },
    { input: back.readable, output: there.writable },
  ];
}

const agents = { officialAgent, peerAgent, definedAgent };
const clients = { officialClient, ourClient };

describe('the agents and clients of the migration page', () => {
  const pairs = Object.keys(agents).flatMap((agent) => Object.keys(clients).map((client) => [agent, client] as const));

  test.each(pairs)('%s answers a prompt of %s', async (agent, client) => {
    const [agentEnd, clientEnd] = bytesPair();
    agents[agent as keyof typeof agents](agentEnd);
    expect(await clients[client as keyof typeof clients](clientEnd)).toBe('Hello');
  });

  test.each([
    ['official', officialExtensions],
    ['our', ourExtensions],
  ])(
    'the %s agent answers its extension method, requires a login, and refuses other methods',
    async (_whose, serve) => {
      const [agentEnd, clientEnd] = bytesPair();
      serve(agentEnd);
      const agent = connectClient(webStreamTransport({ readable: clientEnd.input, writable: clientEnd.output }), {});
      await agent.request('initialize', { protocolVersion: 1 });
      const codeOf = (error: { readonly code: unknown }): unknown => error.code;
      expect([
        await agent.request('_example/count', { count: 1 }),
        await agent.request('session/new', { cwd: '/', mcpServers: [] }).catch(codeOf),
        await agent.request('_example/other').catch(codeOf),
      ]).toEqual([{ count: 2 }, -32_000, -32_601]);
      await agent.close();
    },
  );
});
