import { expect, test } from 'vitest';
import { exchangeOf } from './exchange.ts';
import { type ProgramResult, type StepPair, verdict, withPrograms } from './page.ts';

const same: StepPair = { official: [], turnwire: [], onlyOfficial: [], onlyTurnwire: [] };

test('the verdict says on which side a step failed, and whether the messages differ', () => {
  expect(
    [
      same,
      { ...same, onlyTurnwire: ['error -32601'] },
      { ...same, turnwire: ['no file'] },
      { ...same, official: ['no file'] },
      { ...same, official: ['no file'], turnwire: ['no file'] },
      undefined,
    ].map(verdict),
  ).toEqual(['same', 'differs', 'FAILED', 'only with ours', 'fails with both', '–']);
});

test('the table replaces the earlier one and leaves the rest of the page', () => {
  const result: ProgramResult = {
    name: 'acpx',
    packages: ['acpx@0.19.1'],
    sdk: '1.9.0',
    day: '2026-11-28',
    types: { asNewer: ['a.ts: error TS2339'], others: [] },
    steps: { write: same },
  };
  const [begin, end] = [
    '<!-- programs: written by npm run real-programs -- --record -->',
    '<!-- end of the programs -->',
  ];
  const page = withPrograms(`before\n${begin}\nold\n${end}\nafter\n`, [result]);
  expect(page).toBe(
    [
      'before',
      begin,
      '',
      '| program | its SDK | write | run | deny | cancel | load | types | tried on |',
      '| --- | --- | --- | --- | --- | --- | --- | --- | --- |',
      '| acpx@0.19.1 | 1.9.0 | same | – | – | – | – | as with 1.9 | 2026-11-28 |',
      '',
      end,
      'after',
      '',
    ].join('\n'),
  );
});

test('an exchange contains the kinds of messages once, without ids and texts', () => {
  const update = (text: string) => ({
    method: 'session/update',
    params: { update: { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } } },
  });
  const frames = [
    { id: 1, method: 'session/prompt', params: {} },
    update('a'),
    update('b'),
    { id: 1, result: { stopReason: 'end_turn' } },
    { id: 2, error: { code: -32601, message: 'no' } },
  ];
  expect(exchangeOf([...frames.map((frame) => JSON.stringify(frame)), 'noise'])).toEqual([
    'answer stopReason is end_turn',
    'error -32601',
    'session/prompt',
    'session/update agent_message_chunk',
  ]);
});
