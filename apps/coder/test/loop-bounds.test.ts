import type { StopReason } from '@turnwire/protocol';
import { expect, test } from 'vitest';
import type { CoderOptions } from '../src/index.ts';
import { TurnDefects } from '../src/loop/turn-defects.ts';
import { LoopFixture } from './loop-fixture.ts';
import { calls, finishes, says, ScriptedModel } from './scripted-model.ts';
import type { Part } from './scripted-model.ts';

const again: readonly Part[] = [calls('list', {}), finishes('tool-calls')];
const repeat = (answer: readonly Part[], times: number): (readonly Part[])[] =>
  Array.from({ length: times }, () => answer);
const price = { input: 1_000_000, output: 2_000_000 };

test.each<[string, Omit<CoderOptions, 'model'>, StopReason, string]>([
  [
    'steps',
    { maxSteps: 2 },
    'max_turn_requests',
    '2 steps. Send “go on” to continue for another turn, or raise the option “Steps per turn”.',
  ],
  [
    'tokens',
    { maxTokens: 2 },
    'max_tokens',
    '2 tokens. Send “go on” to continue for another turn, or raise the option “Tokens per turn”.',
  ],
  [
    'cost',
    { maxCost: 6 },
    'max_turn_requests',
    '$6.00. Send “go on” to continue for another turn, or raise the option “Cost per turn”.',
  ],
])('a turn ends at its limit of %s, and the user is told how to continue', async (_, options, stopReason, rest) => {
  const model = new ScriptedModel(...repeat(again, 3));
  await using fixture = await LoopFixture.open({ model, options, chosen: { price } });
  expect([await fixture.prompt('go'), fixture.said, model.asked.length]).toEqual([
    { stopReason },
    `Stopped: this turn has reached its limit of ${rest}\n\n`,
    2,
  ]);
  expect([(await fixture.prompt('go on')).stopReason, fixture.violations]).toEqual(['end_turn', []]);
});

test('a turn that exceeds its time limit ends after the running step', async () => {
  const model = new ScriptedModel(...repeat(again, 3));
  await using fixture = await LoopFixture.open({ model, options: { maxMinutes: 1e-9 } });
  expect([await fixture.prompt('go'), model.asked.length]).toEqual([{ stopReason: 'max_turn_requests' }, 0]);
});

test('limits are session options, which apply from the next turn on', async () => {
  const model = new ScriptedModel(...repeat(again, 30));
  await using fixture = await LoopFixture.open({ model, options: { maxSteps: 7 } });
  const limits = fixture.options.filter(({ category }) => category === '_limits');
  expect(limits.map(({ id, name, currentValue }) => [id, name, currentValue])).toEqual([
    ['max_steps', 'Steps per turn', '7'],
    ['max_tokens', 'Tokens per turn', 'none'],
    ['max_cost', 'Cost per turn', 'none'],
    ['max_minutes', 'Time per turn', 'none'],
  ]);
  expect(limits[0]).toMatchObject({
    options: [
      { value: '7', name: '7 steps' },
      ...[10, 25, 50, 100, 200, 500].map((steps) => ({ value: String(steps), name: `${steps} steps` })),
      { value: 'none', name: 'No limit' },
    ],
  });
  await fixture.set('max_tokens', '10000');
  await fixture.set('max_steps', 'none');
  expect([await fixture.prompt('go'), model.asked.length]).toEqual([{ stopReason: 'max_turn_requests' }, 5]);
});

test('a cost limit is reported as without effect if the price is unknown', async () => {
  await using fixture = await LoopFixture.open({ model: new ScriptedModel(), options: { maxCost: 1 } });
  await fixture.prompt('go');
  expect(fixture.said).toBe(
    'The price of test/scripted is not known, so the cost limit cannot be applied.\n\nThat is all.',
  );
});

test('a model that repeats a call is warned, and then the turn ends', async () => {
  const model = new ScriptedModel(...repeat(again, 9));
  await using fixture = await LoopFixture.open({ model, files: { a: '' } });
  expect([await fixture.prompt('go'), fixture.said, model.asked.length]).toEqual([
    { stopReason: 'max_turn_requests' },
    'Stopped: the model made the same tool calls with the same results five times in a row. Give it other instructions, or choose another model.\n\n',
    5,
  ]);
  const results = fixture.conversation.flatMap((message) => (message.role === 'tool' ? message.content : []));
  expect(results.map((part) => JSON.stringify(part).includes('exactly this several times'))).toEqual([
    false,
    false,
    true,
    true,
  ]);
});

test('a repeated cycle of calls counts as a repetition; calls with different results or different calls in between do not', async () => {
  const read = (path: string): readonly Part[] => [calls('read', { path }), finishes('tool-calls')];
  const write = (content: string): readonly Part[] => [calls('write', { path: 'a', content }), finishes('tool-calls')];
  const round = new ScriptedModel(...[1, 2, 3, 4, 5, 6].flatMap(() => [read('a'), read('b')]));
  const work = new ScriptedModel(
    ...[1, 2, 3, 4, 5, 6].flatMap((step) => [read('b'), write(`step ${step}`), read('a')]),
  );
  const ends: unknown[] = [];
  for (const model of [round, work]) {
    await using fixture = await LoopFixture.open({ model, files: { a: 'A', b: 'B' } });
    ends.push([(await fixture.prompt('read a and go')).stopReason, model.asked.length]);
  }
  expect(ends).toEqual([
    ['max_turn_requests', 10],
    ['end_turn', 19],
  ]);
});

test.each([
  [
    'tools that are not there',
    (step: number) => [calls(`dance-${step}`, {}), finishes('tool-calls')],
    'max_turn_requests',
  ],
  ['input that is no JSON', (step: number) => [calls('read', `{${step}`), finishes('tool-calls')], 'max_turn_requests'],
  ['calls that are cut off', (step: number) => [calls('read', { path: `${step}` }), finishes('length')], 'max_tokens'],
])('a model that makes only %s is stopped', async (_, answer, stopReason) => {
  const model = new ScriptedModel(...Array.from({ length: 9 }, (__, step) => answer(step)));
  await using fixture = await LoopFixture.open({ model });
  expect([await fixture.prompt('go'), fixture.said, model.asked.length, fixture.violations]).toEqual([
    { stopReason },
    'Stopped: five answers in a row had only tool calls that cannot be run. Ask for less at once, or choose another model.\n\n',
    5,
    [],
  ]);
});

test('an empty answer is retried; three in a row are an error', async () => {
  const empty = [finishes()];
  const thought: readonly Part[] = [
    { type: 'reasoning-start', id: 'r' },
    { type: 'reasoning-delta', id: 'r', delta: 'Hm.' },
    finishes(),
  ];
  const model = new ScriptedModel(empty, [...says('Here.'), finishes()], empty, thought, [...says(' \n'), finishes()]);
  await using fixture = await LoopFixture.open({ model });
  expect(await fixture.prompt('go')).toEqual({ stopReason: 'end_turn' });
  const error: unknown = await fixture.prompt('go').catch((thrown: unknown) => thrown);
  const message = 'The model test/scripted gave three empty answers in a row. Ask again, or choose another model.';
  expect([error, model.asked.length, fixture.said.endsWith(`${message}\n\n`), fixture.violations]).toEqual([
    expect.objectContaining({ code: -32603, message, data: { model: 'test/scripted', reason: 'empty-answer' } }),
    5,
    true,
    [],
  ]);
});

test('only consecutive defects count', () => {
  const warnings = new TurnDefects();
  const before = [warnings.again('empty'), warnings.again('empty')];
  warnings.clear();
  expect([before, warnings.again('empty'), warnings.again('empty'), warnings.again('empty')]).toEqual([
    [true, true],
    true,
    true,
    false,
  ]);
});
