import { expect, test } from 'vitest';
import { asJson, asTable } from './report.ts';
import type { Result } from './run-suite.ts';

const result: Result = {
  figure: { name: 'round-trip', unit: 'per s', higherIsBetter: true, aim: { ratio: 0.8 } },
  values: { floor: [200, 100, 300], official: [20, 40, 30], turnwire: [150, 100, 170] },
};

test('the JSON report holds the medians and nothing else', () => {
  expect(asJson([result])).toEqual({
    cases: { 'round-trip': { unit: 'per s', higherIsBetter: true, turnwire: 150, official: 30, floor: 200 } },
  });
});

test('the table says how far everybody is from the floor and whether the aim is met', () => {
  const row = asTable([result])
    .split('\n')
    .at(-1)
    ?.split('|')
    .map((cell) => cell.trim());
  expect(row).toEqual(['', 'round-trip', 'per s', '200', '30.0', '150', '0.75', '0.15', '≥ 0.8×', 'no', '±50 %', '']);
});

test('a case of the floor alone has no figures of other peers', () => {
  const alone: Result = { figure: result.figure, values: { floor: [200, 100, 300] } };
  const { aim: _aim, ...figure } = alone.figure;
  const row = asTable([{ ...alone, figure }])
    .split('\n')
    .at(-1);
  expect(row?.split('|').map((cell) => cell.trim())).toEqual([
    '',
    'round-trip',
    'per s',
    '200',
    '',
    '',
    '',
    '',
    '',
    '',
    '±50 %',
    '',
  ]);
});
