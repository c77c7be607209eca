import { tmpdir } from 'node:os';
import { expect, test } from 'vitest';
import { testAgent } from '../../gateway/test/attached-agent.ts';
import { memoryStore, type Subscriber, Sessions } from '../src/index.ts';

test('with passing history a slow subscriber slows the agent down, and the store keeps no events', async () => {
  const store = memoryStore();
  const agent = testAgent({
    info: { name: 'flood', version: '1.0.0' },
    prompt: async (turn) => {
      for (let number = 0; number < 20_000; number++) await turn.say(`${number}`);
    },
  });
  const cwd = tmpdir();
  await using sessions = new Sessions({ store, agents: { test: agent.hosted }, cwd, history: 'passing' });
  let read = (): void => undefined;
  const reading = new Promise<void>((resolve) => (read = resolve));
  let received = 0;
  const subscriber: Subscriber = {
    author: { connection: 'here', client: 'test' },
    role: 'control',
    isOwner: true,
    readsEvents: true,
    receive: (events) => {
      received += events.filter(({ event }) => event.type === 'update').length;
      return received >= 100 ? reading : undefined;
    },
  };
  const session = await sessions.create({
    ...{ tenant: 'local', agent: 'test', cwd },
    additionalDirectories: [],
    mcpServers: [],
  });
  const { subscription } = await session.subscribe(subscriber, { after: session.head });
  subscription.goLive();
  const { signal } = new AbortController();
  const end = session.prompt({ content: [{ type: 'text', text: 'flood' }], subscriber, signal });
  await expect.poll(() => received).toBeGreaterThanOrEqual(100);
  const log = { tenant: 'local', id: session.id, after: { epoch: 0, sequence: 0 } };
  const held = await store.read(log, { limit: 1 });
  read();
  await end;
  await subscription.reached(session.head.sequence);
  const kept = await store.read(log, { limit: 1 });
  expect({ isHeld: held.head.sequence < 5_000, received, isTrimmed: 'gap' in kept }).toEqual({
    isHeld: true,
    received: 20_000,
    isTrimmed: true,
  });
});
