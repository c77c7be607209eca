import { expect, test } from 'vitest';
import { ClientPace } from '../src/client/client-pace.ts';

const chosen = { start: 30_000, answer: 10_000, end: 20_000, leave: 8_000 };

/** How long a client may take for a task among other scenarios and alone, and to exit. */
function limitsOf({ usual, alone }: ClientPace): readonly number[] {
  return [usual.end, alone.end, usual.leave];
}

test.each([
  ['a quick client', 100, [8_000, 20_000, 8_000]],
  ['a client on a busy machine', 2_000, [30_000, 30_000, 8_000]],
  ['a very slow client', 60_000, [60_000, 120_000, 8_000]],
])('%s gets time by its first turn, and more when a scenario is repeated alone', (_, took, expected) => {
  const pace = new ClientPace(chosen);
  pace.measured(took);
  expect(limitsOf(pace)).toEqual(expected);
});

test('after two scenarios that hung alone, further ones are not given more time', () => {
  const pace = new ClientPace(chosen);
  pace.measured(100);
  const limits = ['one', 'two'].map((scenario) => {
    pace.note(scenario, 8_000, 8_000);
    const isMeasuredAgain = pace.isLate(scenario);
    pace.note(scenario, 20_000, 20_000);
    return [isMeasuredAgain, ...limitsOf(pace)];
  });
  expect(limits).toEqual([
    [true, 8_000, 20_000, 8_000],
    [true, 8_000, 8_000, 2_000],
  ]);
});
