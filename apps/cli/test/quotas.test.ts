import { mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { attachAgent } from '@turnwire/client';
import { TenantUse } from '@turnwire/cluster';
import { Gateway } from '@turnwire/gateway';
import { memoryStore } from '@turnwire/runtime';
import { memoryPair } from '@turnwire/transports/memory';
import { connectWebSocket } from '@turnwire/transports/websocket/node';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { gatewayMetrics } from '../src/commands/serve/gateway-metrics.ts';
import { QuotaFile } from '../src/commands/serve/quota-file.ts';
import { agentHere } from '../../../bench/gateway/served-gateway.ts';
import { turnwire } from './command.ts';
import { startServer, wholeTurnsAgent } from './running-server.ts';

let folder: string;
beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'turnwire-quotas-')));
  return () => rm(folder, { recursive: true });
});

/** A file with quotas. */
async function file(content: object | string): Promise<string> {
  const path = join(folder, 'quotas.json');
  await writeFile(path, typeof content === 'string' ? content : JSON.stringify(content));
  return path;
}

function quotas(path: string | undefined, isStoreCounted = true): QuotaFile {
  const found = new QuotaFile({ path, always: { agents: 100 }, isStoreCounted });
  onTestFinished(() => found[Symbol.dispose]());
  return found;
}

test('a tenant has its own quotas, then the common ones, then those of the server, and a changed file applies at once', async () => {
  const path = await file({ default: { prompts: 60, agents: 5 }, tenants: { blue: { agents: 50, sessions: 7 } } });
  const found = quotas(path);
  const before = [found.of('blue'), found.of('red'), quotas(undefined).of('red')];
  await file({ default: { prompts: 1 } });
  await expect.poll(() => found.of('blue')).toEqual({ agents: 100, prompts: 1 });
  expect(before).toEqual([{ agents: 50, prompts: 60, sessions: 7 }, { agents: 5, prompts: 60 }, { agents: 100 }]);
});

test.each([
  ['nonsense', ' must contain a JSON object'],
  ['[]', ' must contain a JSON object'],
  [{ all: {} }, ': all is unknown; allowed are default and tenants'],
  [{ tenants: [] }, ': tenants must be an object'],
  [{ default: 3 }, ': default must be an object'],
  [{ tenants: { blue: { agents: 'many' } } }, ': tenants.blue.agents must be a number of at least 0'],
  [
    { default: { turns: 3 } },
    ': default.turns is unknown; allowed are sessions, storedBytes, agents, prompts, transferredBytes, budgets',
  ],
  [{ default: { budgets: { week: {} } } }, ': default.budgets.week is unknown; allowed are session and day'],
  [
    { default: { budgets: { day: { money: 1 } } } },
    ': default.budgets.day.money is unknown; allowed are cost, tokens, minutes, turns',
  ],
  [{ default: { budgets: { day: { cost: '1' } } } }, ': default.budgets.day.cost must be a number of at least 0'],
])('a file without valid quotas is refused: %j', async (content, message) => {
  const path = await file(content);
  expect(() => quotas(path)).toThrow(`${path}${message}`);
});

test('storage quotas require a store that counts', async () => {
  const path = await file({ default: { storedBytes: 1 } });
  const { code, stderr } = await turnwire(['serve', '--quotas', path], { env: { XDG_STATE_HOME: folder } });
  expect({ code, stderr }).toEqual({
    code: 2,
    stderr: `turnwire: ${path}: default.storedBytes needs a database: give --store\nSee turnwire --help.\n`,
  });
});

test('a server refuses a request beyond a quota with an error that names the quota', async () => {
  const path = await file({ default: { prompts: 1 } });
  const server = await startServer(folder, ['--agent', wholeTurnsAgent(), '--quotas', path]);
  onTestFinished(() => void server.child.kill('SIGKILL'));
  const headers = { authorization: `Bearer ${server.token}` };
  await using agent = await attachAgent(connectWebSocket(server.acp, { headers }));
  const session = await agent.newSession({ cwd: folder });
  await session.prompt('one');
  await expect(session.prompt('two').result).rejects.toThrow(
    'The quota of 1 prompts a minute is used up: try again in',
  );
  const metrics = await (await fetch(`${server.url}/metrics`, { headers })).text();
  expect(metrics.split('\n')).toEqual(
    expect.arrayContaining([
      'turnwire_tenant_use{tenant="local",quota="prompts"} 1',
      'turnwire_tenant_quota{tenant="local",quota="prompts"} 1',
      'turnwire_tenant_quota{tenant="local",quota="agents"} 100',
      'turnwire_tenant_refusals_total{tenant="local",quota="prompts"} 1',
    ]),
  );
});

test('metrics cover the tenant of the token, and all tenants for the user of the server', async () => {
  const agentsOf = (tenant: string): number => gateway.agentsOf(tenant);
  const use = new TenantUse({ quotas: { of: () => ({}) }, stored: undefined, agents: agentsOf });
  const agents = { test: { start: agentHere } };
  await using gateway = new Gateway({ store: memoryStore(), agents, cwd: folder, quotas: use });
  for (const tenant of ['blue', 'red']) {
    const [near, far] = memoryPair();
    gateway.attach(far, { principal: { tenant, scope: 'admin' }, agent: 'test' });
    const agent = await attachAgent(near);
    await agent.newSession({ cwd: folder });
  }
  const seenBy = (tenant: string): readonly string[] =>
    ['blue', 'red'].filter((each) =>
      gatewayMetrics(gateway, { node: undefined, tenants: use.figures, tenant }).includes(`tenant="${each}"`),
    );
  expect([seenBy('blue'), seenBy('red'), seenBy('local')]).toEqual([['blue'], ['red'], ['blue', 'red']]);
});
