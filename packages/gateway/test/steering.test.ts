import { tmpdir } from 'node:os';
import type { AgentDefinition } from '@turnwire/agent';
import { steeringMethod } from '@turnwire/protocol';
import { expect, test } from 'vitest';
import { Gateway } from '../src/index.ts';
import { memoryStore } from '@turnwire/runtime';
import { testAgent } from './attached-agent.ts';
import { testClient, type TestClient, words } from './gateway-client.ts';
import { speaker } from './speaker.ts';

const cwd = tmpdir();

/** Echoes its prompt, waits until it may continue, and answers everything that arrived in the meantime in the same turn. */
function listener(): { readonly definition: AgentDefinition; readonly readOn: () => void } {
  let readOn = (): void => undefined;
  const mayRead = new Promise<void>((resolve) => (readOn = resolve));
  return {
    definition: {
      info: { name: 'listener', version: '1.0.0' },
      steering: true,
      prompt: async (turn) => {
        await turn.say(turn.text);
        await mayRead;
        const taken = turn.takeWaiting();
        await new Promise((resolve) => setImmediate(resolve));
        for (const { text } of taken) await turn.say(`and ${text}`);
      },
    },
    readOn,
  };
}

interface Prompted {
  readonly stopReason: string;
  readonly _meta: { readonly turnwire: { readonly turnId: string } };
}

const prompt = (
  { peer }: TestClient,
  sessionId: string,
  { text, key, limits }: { readonly text: string; readonly key?: string; readonly limits?: object },
): Promise<Prompted> =>
  peer.request('session/prompt', {
    sessionId,
    prompt: words(text),
    _meta: { turnwire: { ...(key !== undefined && { key }), ...(limits && { limits }) } },
  }) as Promise<Prompted>;

const steer = ({ peer }: TestClient, sessionId: string, turnId: string): Promise<unknown> =>
  peer.request('_turnwire/steer', { sessionId, turnId });

test('any client can send a queued prompt into the running turn; all clients see it where the agent read it, and it ends with the turn', async () => {
  const { definition, readOn } = listener();
  await using gateway = new Gateway({ store: memoryStore(), agents: { test: testAgent(definition).hosted }, cwd });
  const [first, second] = [await testClient(gateway), await testClient(gateway)];
  const { sessionId, _meta } = await first.peer.request('session/new', { cwd, mcpServers: [] });
  await second.peer.request('session/resume', { sessionId, cwd });
  const answers = [prompt(first, sessionId, { text: 'one' })];
  await expect.poll(() => first.seen).toEqual(['one']);
  answers.push(
    ...['two', 'three'].map((text) => prompt(first, sessionId, { text, ...(text === 'three' && { key: 'k' }) })),
  );
  const waiting = async (): Promise<readonly string[]> => {
    const status = await second.peer.request('_turnwire/status', { sessionId });
    return (status as { readonly waiting: readonly { readonly text: string }[] }).waiting.map(({ text }) => text);
  };
  await expect.poll(waiting).toEqual(['two', 'three']);
  const steering = steer(second, sessionId, '1-3');
  // It is the first in the queue until the agent has read it.
  await expect.poll(waiting).toEqual(['three', 'two']);
  expect([
    await steer(second, sessionId, '1-3'),
    await second.peer.request('_turnwire/withdraw', { sessionId, turnId: '1-3' }),
    await second.peer.request('_turnwire/withdraw', { sessionId, turnId: '1-2' }),
  ]).toEqual([{ steered: false }, { withdrawn: false }, { withdrawn: true }]);
  readOn();
  const ends = (await Promise.all(answers)).map((end) => [end.stopReason, end._meta.turnwire.turnId]);
  // A prompt sent again with the same key belongs to the turn that took it in.
  const again = await prompt(first, sessionId, { text: 'three', key: 'k' });
  const late = await testClient(gateway);
  await late.peer.request('session/load', { sessionId, cwd, mcpServers: [] });
  expect({
    offers: (_meta as { turnwire: { state: { offers: object } } }).turnwire.state.offers,
    steered: await steering,
    ends,
    again: [again.stopReason, again._meta.turnwire.turnId],
    first: first.seen,
    second: second.seen,
    late: late.seen,
  }).toEqual({
    offers: expect.objectContaining({ steering: true }) as unknown,
    steered: { steered: true },
    ends: [
      ['end_turn', '1-1'],
      ['cancelled', '1-2'],
      ['end_turn', '1-3'],
    ],
    again: ['end_turn', '1-1'],
    first: ['one', 'and three'],
    second: ['> one', 'one', '> three', 'and three'],
    late: ['> one', 'one', '> three', 'and three'],
  });
});

test('a prompt that the turn did not read, or that has limits of its own, becomes the next turn', async () => {
  const { definition, release } = speaker();
  const { hosted } = testAgent({ ...definition, steering: true });
  await using gateway = new Gateway({ store: memoryStore(), agents: { test: hosted }, cwd });
  const client = await testClient(gateway);
  const { sessionId } = await client.peer.request('session/new', { cwd, mcpServers: [] });
  const running = prompt(client, sessionId, { text: 'wait' });
  const waiting = [
    prompt(client, sessionId, { text: 'two' }),
    prompt(client, sessionId, { text: 'three', limits: { cost: 1 } }),
  ];
  const limited = await steer(client, sessionId, '1-3');
  const untaken = steer(client, sessionId, '1-2');
  const none = await steer(client, sessionId, 'x');
  release();
  await Promise.all([running, ...waiting]);
  expect({ limited, none, untaken: await untaken, seen: client.seen.slice(0, 3) }).toEqual({
    limited: { steered: false },
    none: { steered: false },
    untaken: { steered: false },
    seen: ['wait', 'two', 'three'],
  });
});

test('clients that know the steering extension of other agents use it, but only with agents that support it', async () => {
  const { definition, readOn } = listener();
  const mute = speaker();
  await using gateway = new Gateway({
    store: memoryStore(),
    agents: { test: testAgent(definition).hosted, mute: testAgent(mute.definition).hosted },
    cwd,
  });
  const [client, other] = [await testClient(gateway), await testClient(gateway, { agent: 'mute' })];
  const { sessionId } = await client.peer.request('session/new', { cwd, mcpServers: [] });
  const steered = (asked: TestClient, id: string): Promise<unknown> =>
    asked.peer.raw.request(steeringMethod, { sessionId: id, prompt: words('two') });
  const idle = await steered(client, sessionId);
  const running = prompt(client, sessionId, { text: 'one' });
  await expect.poll(() => client.seen).toEqual(['one']);
  const injected = steered(client, sessionId);
  const { sessionId: muteId } = await other.peer.request('session/new', { cwd, mcpServers: [] });
  const waiting = prompt(other, muteId, { text: 'wait' });
  const refused = await steered(other, muteId);
  mute.release();
  readOn();
  await Promise.all([running, waiting]);
  expect({
    advertised: [client, other].map(({ peer }) => peer.remote?._meta),
    outcomes: [idle, await injected, refused],
    seen: client.seen,
    other: other.seen,
  }).toEqual({
    advertised: [{ steering: { supported: true } }, undefined],
    outcomes: [{ outcome: 'promptRequired' }, { outcome: 'injected' }, { outcome: 'promptRequired' }],
    seen: ['one', 'and two'],
    other: ['wait'],
  });
});
