import { tmpdir } from 'node:os';
import type { ExtensionMethod } from '@turnwire/protocol';
import { memoryPair } from '@turnwire/transports/memory';
import { expect, onTestFinished, test } from 'vitest';
import { type AttachOptions, type ClusterNode, Gateway, type RoutedClient } from '../src/index.ts';
import { memoryStore } from '@turnwire/runtime';
import { testAgent } from './attached-agent.ts';
import { testClient, words } from './gateway-client.ts';
import { speaker } from './speaker.ts';

const cwd = tmpdir();
const begin = { cwd, mcpServers: [] };

/** A gateway with a cluster node that records its calls. */
function clustered(node: Partial<ClusterNode> = {}): {
  readonly gateway: Gateway;
  readonly routed: RoutedClient[];
  readonly released: string[];
} {
  const routed: RoutedClient[] = [];
  const released: string[] = [];
  const gateway = new Gateway({
    store: memoryStore(),
    agents: { test: testAgent(speaker().definition).hosted },
    cwd,
    node: {
      route: (client, options) => {
        routed.push(options);
        return client;
      },
      release: async ({ record }) => void released.push(record.id),
      beginDraining: async () => undefined,
      ...node,
    },
  });
  onTestFinished(() => gateway.close());
  return { gateway, routed, released };
}

test.each<[AttachOptions['by'], readonly boolean[]]>([
  ['websocket', [false]],
  ['http', [true]],
  ['node', []],
  [undefined, []],
])('the node routes a client that is connected by %s: %j', (by, needsFrameAbout) => {
  const { gateway, routed } = clustered();
  const principal = { tenant: 'blue', scope: 'control' } as const;
  gateway.attach(memoryPair()[0], { principal, agent: 'test', by });
  expect(routed).toEqual(
    needsFrameAbout.map((tells) => ({
      principal,
      agent: 'test',
      isOpenHere: expect.any(Function),
      needsFrameAbout: tells,
    })),
  );
});

test('a session that has ended is released to the cluster', async () => {
  const { gateway, released } = clustered();
  const { peer } = await testClient(gateway);
  const { sessionId } = await peer.request('session/new', begin);
  await peer.request('session/prompt', { sessionId, prompt: words('one') });
  const before = [...released];
  await peer.request('session/close', { sessionId });
  expect([before, released]).toEqual([[], [sessionId]]);
});

test('a gateway that drains starts no session at its node, and hands over the queued prompts', async () => {
  const steps: unknown[] = [];
  const { gateway } = clustered({
    beginDraining: async () => void steps.push('draining'),
    handOver: () => async (prompts) => void steps.push(prompts.map(({ content }) => content)),
  });
  const { peer } = await testClient(gateway);
  const { sessionId } = await peer.request('session/new', begin);
  const running = peer.request('session/prompt', { sessionId, prompt: words('wait') }).catch(() => undefined);
  await peer.request('_turnwire/enqueue' as ExtensionMethod, { sessionId, prompt: words('two') });
  const drained = gateway.drain(60_000);
  await expect.poll(() => steps).toEqual(['draining']);
  await peer.notify('session/cancel', { sessionId });
  await Promise.all([drained, running]);
  expect(steps).toEqual(['draining', [words('two')]]);
});

test('a session moves if the node can move it', async () => {
  const moved: unknown[] = [];
  const move: ClusterNode['move'] = async ({ id }, to) => ({
    transfer: async () => void moved.push([id, to]),
    sendPrompts: async () => undefined,
  });
  const principal = { tenant: 'blue', scope: 'admin', isOwner: true } as const;
  const [can, cannot] = [clustered({ move }).gateway, clustered().gateway];
  const outcomes = [can, cannot].map(async (gateway) => {
    const { peer } = await testClient(gateway, { principal });
    const { sessionId } = await peer.request('session/new', begin);
    const order = { sessionId, to: '7', seconds: 1 };
    const asked = peer.request('_turnwire/move' as ExtensionMethod, order);
    return asked.then(
      () => ({ sessionId, code: undefined }),
      (error: unknown) => ({ sessionId, code: (error as { readonly code: unknown }).code }),
    );
  });
  const [one, other] = await Promise.all(outcomes);
  expect({ moved, refusal: other?.code }).toEqual({ moved: [[one?.sessionId, '7']], refusal: -32601 });
});
