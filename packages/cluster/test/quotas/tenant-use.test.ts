import { tmpdir } from 'node:os';
import { expect, onTestFinished, test } from 'vitest';
import { Gateway, type GatewayOptions } from '@turnwire/gateway';
import { memoryStore } from '@turnwire/runtime';
import { type TenantQuota, TenantUse } from '../../src/quotas/tenant-use.ts';
import { testAgent } from '../../../gateway/test/attached-agent.ts';
import { type TestClient, testClient, words } from '../../../gateway/test/gateway-client.ts';
import { speaker } from '../../../gateway/test/speaker.ts';

const cwd = tmpdir();
const begin = { cwd, mcpServers: [] };

/** A gateway whose tenant `blue` has a quota; other tenants have none. */
function limited(quota: TenantQuota, options: Partial<GatewayOptions> = {}): { gateway: Gateway; use: TenantUse } {
  const store = memoryStore();
  const use: TenantUse = new TenantUse({
    quotas: { of: (tenant) => (tenant === 'blue' ? quota : {}) },
    stored: store.use?.bind(store),
    agents: (tenant) => gateway.agentsOf(tenant),
  });
  const agents = { test: testAgent(speaker().definition).hosted };
  const gateway = new Gateway({ store, agents, cwd, quotas: use, ...options });
  onTestFinished(() => gateway.close());
  return { gateway, use };
}

const of = (gateway: Gateway, tenant: string): Promise<TestClient> =>
  testClient(gateway, { principal: { tenant, scope: 'control' } });

/** The results of requests: the error of a quota, or success. */
async function refusals(requests: readonly Promise<unknown>[]): Promise<readonly unknown[]> {
  const settled = await Promise.allSettled(requests);
  return settled.map((each) =>
    each.status === 'fulfilled'
      ? 'done'
      : (each.reason as { readonly data?: { readonly turnwire?: unknown } }).data?.turnwire,
  );
}

test('a tenant may have as many sessions as its quota allows, even with concurrent requests, and one more after a deletion', async () => {
  const { gateway } = limited({ sessions: 2 });
  const { peer } = await of(gateway, 'blue');
  const other = await of(gateway, 'red');
  const { sessionId } = await peer.request('session/new', begin);
  const refusal = { code: 'quota-exceeded', quota: 'sessions', limit: 2 };
  const together = await refusals([1, 2, 3].map(() => peer.request('session/new', begin)));
  await other.peer.request('session/new', begin);
  const afterwards = peer.request('session/new', begin);
  await expect(afterwards).rejects.toThrow('The quota of 2 sessions is used up: delete one');
  await peer.request('session/delete', { sessionId });
  await peer.request('session/new', begin);
  expect(together).toEqual(['done', refusal, refusal]);
});

test('a tenant with too many stored bytes may create no session and send no prompt until it deletes some', async () => {
  const { gateway } = limited({ storedBytes: 500 });
  const { peer } = await of(gateway, 'blue');
  const { sessionId } = await peer.request('session/new', begin);
  await peer.request('session/prompt', { sessionId, prompt: words('x'.repeat(1_000)) });
  // The stored bytes are read with the next session.
  const refusal = { code: 'quota-exceeded', quota: 'storedBytes', limit: 500 };
  const asked = await refusals([peer.request('session/new', begin)]);
  const prompted = await refusals([peer.request('session/prompt', { sessionId, prompt: words('more') })]);
  await peer.request('session/delete', { sessionId });
  const after = await refusals([peer.request('session/new', begin)]);
  expect({ asked, prompted, after }).toEqual({ asked: [refusal], prompted: [refusal], after: ['done'] });
});

test('the agents of a tenant are limited, without effect on other tenants', async () => {
  const { gateway } = limited({ agents: 1 }, { limits: { idle: 1 } });
  const client = await of(gateway, 'blue');
  const { sessionId } = await client.peer.request('session/new', begin);
  await client.peer.request('session/prompt', { sessionId, prompt: words('one') });
  const refused = client.peer.request('session/new', begin);
  await expect(refused).rejects.toThrow('The quota of 1 sessions that have an agent is used up');
  const stranger = await of(gateway, 'red');
  await stranger.peer.request('session/new', begin);
  client.destroy();
  await expect.poll(() => gateway.agents).toBe(1);
  const back = await of(gateway, 'blue');
  const other = await back.peer.request('session/new', begin);
  await back.peer.request('session/load', { sessionId, ...begin });
  const prompt = { sessionId, prompt: words('two') };
  await expect(back.peer.request('session/prompt', prompt)).rejects.toThrow('is used up');
  await expect(back.peer.request('_agent/own', { sessionId })).rejects.toThrow('is used up');
  await back.peer.request('session/close', { sessionId: other.sessionId });
  await back.peer.request('session/prompt', prompt);
  expect(back.seen).toEqual(['> one', 'one', 'two']);
});

test('a used up quota of agents does not keep a client with a session without an agent from opening and deleting others', async () => {
  const { gateway } = limited({ agents: 1 }, { limits: { idle: 1 } });
  const first = await of(gateway, 'blue');
  const ids: string[] = [];
  for (const text of ['one', 'two', 'three']) {
    const { sessionId } = await first.peer.request('session/new', begin);
    await first.peer.request('session/prompt', { sessionId, prompt: words(text) });
    await first.peer.request('session/close', { sessionId });
    ids.push(sessionId);
  }
  const [one = '', two = '', three = ''] = ids;
  await (await of(gateway, 'blue')).peer.request('session/new', begin);
  const { peer } = await of(gateway, 'blue');
  await peer.request('session/load', { sessionId: one, ...begin });
  const done = await refusals([
    peer.request('session/load', { sessionId: one, ...begin }),
    peer.request('session/resume', { sessionId: two, ...begin }),
    peer.request('session/delete', { sessionId: three }),
  ]);
  expect([gateway.agents, done]).toEqual([1, ['done', 'done', 'done']]);
});

test('prompts and transferred bytes are limited for each minute, and the error names the start of the next minute', async () => {
  let now = 0;
  const use = new TenantUse({
    quotas: { of: () => ({ prompts: 2, transferredBytes: 100 }) },
    stored: undefined,
    agents: () => 0,
    now: () => now,
  });
  const outcome = (work: () => void): unknown => {
    try {
      return work();
    } catch (error) {
      return (error as { readonly data?: { readonly turnwire?: unknown } }).data?.turnwire;
    }
  };
  const prompt = (): unknown => outcome(() => use.admitPrompt('blue'));
  const first = [prompt(), prompt()];
  now = 45_500;
  const third = prompt();
  now = 60_000;
  const nextMinute = prompt();
  expect({ first, third, nextMinute }).toEqual({
    first: [undefined, undefined],
    third: { code: 'quota-exceeded', quota: 'prompts', limit: 2, retryAfter: 15 },
    nextMinute: undefined,
  });
});

test('bytes to and from clients are counted, and over the limit no session is created, opened or prompted', async () => {
  const { gateway, use } = limited({ transferredBytes: 7_000 });
  const { peer } = await of(gateway, 'blue');
  const { sessionId } = await peer.request('session/new', begin);
  await peer.request('session/prompt', { sessionId, prompt: words('y'.repeat(4_000)) });
  const refused = await refusals([
    peer.request('session/prompt', { sessionId, prompt: words('more') }),
    peer.request('session/new', begin),
    peer.request('session/load', { sessionId, ...begin }),
  ]);
  const refusal = {
    code: 'quota-exceeded',
    quota: 'transferredBytes',
    limit: 7_000,
    retryAfter: expect.any(Number),
  };
  // Running work continues.
  await peer.request('session/close', { sessionId });
  const [figures] = use.figures;
  expect({ refused, figures }).toEqual({
    refused: [refusal, refusal, refusal],
    figures: {
      tenant: 'blue',
      quota: { transferredBytes: 7_000 },
      stored: undefined,
      agents: 0,
      prompts: 1,
      transferredBytes: expect.any(Number),
      refusals: { transferredBytes: 3 },
    },
  });
  expect(figures?.transferredBytes).toBeGreaterThan(8_000);
});

test('the use of other gateways counts towards a quota', async () => {
  const use = new TenantUse({
    quotas: {
      of: () => ({ prompts: 2, agents: 3, transferredBytes: 10 }),
      elsewhere: (tenant) => ({ agents: tenant === 'blue' ? 2 : 1, prompts: 1, transferredBytes: 9 }),
    },
    stored: undefined,
    agents: () => 1,
  });
  use.admitPrompt('blue');
  expect(() => use.admitPrompt('blue')).toThrow('The quota of 2 prompts a minute is used up: try again in 60 s');
  expect(() => use.admitAgent('blue')).toThrow('The quota of 3 sessions that have an agent is used up');
  use.admitAgent('red');
  use.admitTransfer('red');
});
