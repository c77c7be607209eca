import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { launchAgent } from '@turnwire/client/node';
import { createPermissions } from '@turnwire/permissions';
import { expect, onTestFinished, test } from 'vitest';
import { canMount, smallDisk } from '../../transports/test/small-disk.ts';
import { Gateway } from '../src/index.ts';
import { type HostedAgent, memoryStore, sqliteStore } from '@turnwire/runtime';
import { testAgent } from './attached-agent.ts';
import { testClient, type TestClient, words } from './gateway-client.ts';
import { speaker } from './speaker.ts';

const cwd = tmpdir();
const program = fileURLToPath(new URL('fixtures/greedy-agent.mjs', import.meta.url));
// This agent no longer answers, so the test does not wait for it.
const timeouts = { cancel: 200, closeSession: 200, exit: 200 };
const greedy: HostedAgent = {
  start: (options) =>
    launchAgent([process.execPath, '--max-old-space-size=32', program], { ...options, cwd, timeouts }),
};

/** A client whose agent exhausts a resource, and a client of another session that sends prompts in the meantime. */
async function beside(
  gateway: Gateway,
  what: string,
): Promise<{
  readonly client: TestClient;
  readonly sessionId: string;
  readonly turn: Promise<unknown>;
  readonly neighbour: readonly string[];
}> {
  const client = await testClient(gateway, { agent: 'greedy' });
  const { sessionId } = await client.peer.request('session/new', { cwd, mcpServers: [] });
  const turn = client.peer.request('session/prompt', { sessionId, prompt: words(what) });
  turn.catch(() => undefined);
  await expect.poll(() => client.seen).toContain('begins');
  const neighbour = await testClient(gateway, { agent: 'test' });
  const other = await neighbour.peer.request('session/new', { cwd, mcpServers: [] });
  await neighbour.peer.request('session/prompt', { sessionId: other.sessionId, prompt: words('good morning') });
  return { client, sessionId, turn, neighbour: neighbour.seen };
}

function open(store = memoryStore()): Gateway {
  const agents = { greedy, test: testAgent(speaker().definition).hosted };
  return new Gateway({
    store,
    agents,
    cwd,
    rules: (record, parts) => createPermissions({ project: record.cwd, mode: 'bypassPermissions', ...parts }),
  });
}

test('an agent that runs out of memory fails its own turn, and its neighbour continues', async () => {
  await using gateway = open();
  const { turn, neighbour } = await beside(gateway, 'memory');
  await expect(turn).rejects.toThrow('heap out of memory');
  expect(neighbour).toEqual(['good', 'morning']);
});

test('an agent in an endless calculation is ended with its session, and its neighbour continues', async () => {
  await using gateway = open();
  const { client, sessionId, turn, neighbour } = await beside(gateway, 'processor');
  await client.peer.request('session/close', { sessionId });
  await expect(turn).rejects.toThrow('The agent did not end the cancelled turn');
  expect(neighbour).toEqual(['good', 'morning']);
});

test('a process that an agent started in a group of its own ends with its session, and its neighbour continues', async () => {
  await using gateway = open();
  const { client, sessionId, turn, neighbour } = await beside(gateway, 'processes');
  await expect.poll(() => client.seen.length).toBe(2);
  const started = JSON.parse(client.seen[1] as string) as number[];
  const running = (): number[] => started.filter(isThere);
  const before = running();
  await client.peer.request('session/close', { sessionId });
  await expect(turn).rejects.toThrow('The agent did not end the cancelled turn');
  await expect.poll(running).toEqual([]);
  expect({ before, neighbour }).toEqual({ before: started, neighbour: ['good', 'morning'] });
});

test.skipIf(!canMount())(
  'an agent that fills the disk gets a write error, and its neighbour, which is stored there, continues',
  async () => {
    const disk = await smallDisk(8 * 1_024);
    const store = sqliteStore({ path: join(disk, 'sessions.sqlite') });
    onTestFinished(() => store.close());
    await using gateway = open(store);
    const client = await testClient(gateway, { agent: 'greedy' });
    const { sessionId } = await client.peer.request('session/new', { cwd: disk, mcpServers: [] });
    await client.peer.request('session/prompt', { sessionId, prompt: words('disk') });
    const neighbour = await testClient(gateway, { agent: 'test' });
    const other = await neighbour.peer.request('session/new', { cwd, mcpServers: [] });
    await neighbour.peer.request('session/prompt', { sessionId: other.sessionId, prompt: words('good morning') });
    expect(client.seen).toEqual(['begins', expect.stringContaining('cannot be written: the disk is full, except for')]);
    expect(neighbour.seen).toEqual(['good', 'morning']);
  },
);

function isThere(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
