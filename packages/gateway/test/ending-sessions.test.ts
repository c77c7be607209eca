import { tmpdir } from 'node:os';
import { expect, onTestFinished, test } from 'vitest';
import { Gateway } from '../src/index.ts';
import { memoryStore } from '@turnwire/runtime';
import { testAgent } from './attached-agent.ts';
import { testClient, type TestClient, words } from './gateway-client.ts';

const cwd = tmpdir();

/** A signal that a test waits for. */
class Signal {
  give = (): void => undefined;
  readonly given = new Promise<void>((resolve) => (this.give = resolve));
}

/** A session whose agent takes part in ending it only when the test allows; a text with `lost` cannot be stored. */
async function endingSession(): Promise<{
  readonly client: TestClient;
  readonly gateway: Gateway;
  readonly sessionId: string;
  readonly ends: Signal;
  readonly mayEnd: Signal;
}> {
  const [ends, mayEnd] = [new Signal(), new Signal()];
  const store = memoryStore();
  const append = store.append.bind(store);
  store.append = (claim, events) =>
    events.some(({ payload }) => payload.includes('lost'))
      ? Promise.reject(new Error('the disk is full'))
      : append(claim, events);
  const { hosted } = testAgent({
    info: { name: 'test', version: '1' },
    prompt: (turn) => turn.say(turn.text),
    closeSession: () => {
      ends.give();
      return mayEnd.given;
    },
  });
  const gateway = new Gateway({ store, agents: { test: hosted }, cwd });
  onTestFinished(() => gateway[Symbol.asyncDispose]());
  const client = await testClient(gateway);
  const { sessionId } = await client.peer.request('session/new', { cwd, mcpServers: [] });
  await client.peer.request('session/prompt', { sessionId, prompt: words('kept') });
  return { client, gateway, sessionId, ends, mayEnd };
}

test.each([
  ['is closed', (client: TestClient, sessionId: string) => client.peer.request('session/close', { sessionId })],
  [
    'could not be stored',
    async (client: TestClient, sessionId: string) => {
      const prompt = client.peer.request('session/prompt', { sessionId, prompt: words('lost') });
      await expect(prompt).rejects.toThrow('The disk is full. Output that cannot be stored is not shown');
    },
  ],
])('a client that loads a session while it ends because it %s gets it reopened', async (_, end) => {
  const { client, gateway, sessionId, ends, mayEnd } = await endingSession();
  const ended = end(client, sessionId);
  await ends.given;
  const next = await testClient(gateway);
  const loaded = next.peer.request('session/load', { sessionId, cwd, mcpServers: [] });
  // A client that is let in at once attaches to the session that ends.
  await Promise.race([loaded, next.peer.request('session/list', {})]);
  mayEnd.give();
  await Promise.all([ended, loaded]);
  const answer = await next.peer.request('session/prompt', { sessionId, prompt: words('room') });
  expect(answer).toMatchObject({ stopReason: 'end_turn' });
  expect(next.seen.at(-1)).toBe('room');
});
