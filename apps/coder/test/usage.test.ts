import type { LanguageModelV3Usage } from '@ai-sdk/provider';
import { expect, test } from 'vitest';
import { SessionUsage, spentOn } from '../src/session/session-usage.ts';
import { LoopFixture } from './loop-fixture.ts';
import { calls, finishes, says, ScriptedModel } from './scripted-model.ts';
import type { Part } from './scripted-model.ts';

const price = { input: 3, output: 15, cacheRead: 0.3, cacheWrite: 3.75 };

function finishesWith(input: number, output: number, cached = 0): Part {
  const finish = finishes();
  if (finish.type !== 'finish') throw new Error('not a finish');
  return { ...finish, usage: usageOf(input, output, cached) };
}

function usageOf(total: number, output: number, cacheRead: number): LanguageModelV3Usage {
  return {
    inputTokens: { total, noCache: undefined, cacheRead, cacheWrite: undefined },
    outputTokens: { total: output, text: undefined, reasoning: undefined },
  };
}

test('after each answer the client gets the context usage and the cost of the session', async () => {
  const model = new ScriptedModel(
    [calls('read', { path: 'a' }), finishesWith(1_000, 100)],
    [...says('A.'), finishesWith(1_200, 50, 1_000)],
    [...says('B.'), finishesWith(2_000, 0)],
  );
  const chosen = { contextWindow: 10_000, price };
  await using fixture = await LoopFixture.open({ model, chosen, files: { a: 'A' } });
  await fixture.prompt('go');
  expect(fixture.updates.filter(({ sessionUpdate }) => sessionUpdate === 'usage_update')).toEqual([
    { sessionUpdate: 'usage_update', used: 1_100, size: 10_000, cost: { amount: 0.0045, currency: 'USD' } },
    { sessionUpdate: 'usage_update', used: 1_250, size: 10_000, cost: { amount: 0.00615, currency: 'USD' } },
  ]);
});

test('the answer to a prompt has the tokens of its turn, apart from those of caches', async () => {
  const model = new ScriptedModel(
    [calls('read', { path: 'a' }), finishesWith(1_000, 100)],
    [...says('A.'), finishesWith(1_200, 50, 1_000)],
    [...says('B.'), finishesWith(2_000, 0)],
  );
  await using fixture = await LoopFixture.open({ model, files: { a: 'A' } });
  await fixture.prompt('go');
  const first = fixture.usage;
  await fixture.prompt('again');
  expect([first, fixture.usage]).toEqual([
    { totalTokens: 2_350, inputTokens: 1_200, outputTokens: 150, cachedReadTokens: 1_000, cachedWriteTokens: 0 },
    { totalTokens: 2_000, inputTokens: 2_000, outputTokens: 0, cachedReadTokens: 0, cachedWriteTokens: 0 },
  ]);
});

test('the usage of a session survives a restart, and /usage shows it', async () => {
  const model = new ScriptedModel(
    [...says('A.'), finishesWith(1_000, 100, 400)],
    [...says('B.'), finishesWith(2_000, 0)],
  );
  const chosen = { contextWindow: 10_000, price };
  await using fixture = await LoopFixture.open({ model, chosen, keeps: true });
  await fixture.prompt('go');
  await fixture.reload();
  await fixture.prompt('go on');
  const before = fixture.said.length;
  await fixture.prompt('/usage');
  expect(fixture.said.slice(before)).toBe(`2 answers of models, $0.0094 in total:

- test/scripted: 3,000 tokens read (400 from the cache), 100 written, $0.0094

The conversation takes about 2,000 tokens of 10,000 (20 %). \`/compact\` shortens it.`);
});

test('/usage reports a session without an answer', async () => {
  await using fixture = await LoopFixture.open({ model: new ScriptedModel() });
  await fixture.prompt('/usage');
  expect(fixture.said).toBe('No model was called in this session yet.\nThe conversation is empty.');
});

test.each([
  [
    'caches are paid at their own price',
    usageOf(1_000_000, 1_000_000, 500_000),
    { input: 1_000_000, cacheRead: 500_000, cacheWrite: 0, output: 1_000_000, cost: 16.65 },
  ],
  [
    'what is no number is nothing',
    usageOf(Number.NaN, -5, Infinity),
    { input: 0, cacheRead: 0, cacheWrite: 0, output: 0, cost: 0 },
  ],
  [
    'a total that is missing is put together',
    {
      inputTokens: { total: undefined, noCache: 10, cacheRead: 20, cacheWrite: 30 },
      outputTokens: { total: undefined, text: 1, reasoning: 2 },
    },
    { input: 60, cacheRead: 20, cacheWrite: 30, output: 3, cost: (10 * 3 + 20 * 0.3 + 30 * 3.75 + 3 * 15) / 1e6 },
  ],
])('%s', (_, usage, spent) => {
  expect(spentOn(usage, price)).toEqual(spent);
});

test('stored entries of other types or with invalid values are ignored', () => {
  const usage = new SessionUsage([
    null,
    { role: 'user', content: [] },
    { type: 'usage', model: 'a/b', input: 1 },
    { type: 'usage', model: 'a/b', input: 1, cacheRead: 0, cacheWrite: 0, output: 2 },
  ]);
  expect([usage.answers, usage.cost, [...usage.byModel]]).toEqual([
    1,
    undefined,
    [['a/b', { input: 1, cacheRead: 0, cacheWrite: 0, output: 2, cost: undefined }]],
  ]);
});
