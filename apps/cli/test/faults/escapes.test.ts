import { describe, expect, test } from 'vitest';
import { inTurns } from '../../../../packages/runtime/test/faults/in-turns.ts';
import { faultyFixture } from './faulty.ts';

/* oxlint-disable no-control-regex -- control characters are what this file is about */
/** Everything but tab and newline that a terminal obeys, and what it shows nothing of. */
const obeyed = /[\x00-\x08\x0b-\x1f\x7f-\x9f\p{Default_Ignorable_Code_Point}\u2028\u2029]/gu;

/** What was printed that a terminal would obey, with what stands before it. */
function slips(text: string): readonly string[] {
  return [...text.matchAll(obeyed)]
    .slice(0, 3)
    .map(({ index }) => JSON.stringify(text.slice(Math.max(0, index - 40), index + 5)));
}

const ways: readonly (readonly [name: string, ...words: string[]])[] = [
  ['text', '--deny-all'],
  ['text, allowed', '--approve-all'],
  ['text, verbose', '--verbose', '--approve-all'],
  ['quiet', '--format', 'quiet', '--approve-all'],
  ['json', '--format', 'json', '--approve-all'],
  ['json, strict', '--format', 'json', '--json-strict', '--deny-all'],
];

describe('control sequences in every text of an agent', () => {
  test.each(ways)('control sequences of an agent never reach the terminal: %s', async (...words) => {
    const fixture = await faultyFixture('evil');
    const { code, stdout, stderr } = await fixture.run(['exec', ...words.slice(1), 'evil']);
    expect({ slips: [...slips(stdout), ...slips(stderr)], isPrinted: stdout.length > 0 }).toEqual({
      slips: [],
      isPrinted: true,
    });
    expect(code).toBeLessThan(6);
    expect(await fixture.left()).toEqual([]);
  });

  test('control sequences in errors and in the last output of an agent never reach the terminal', async () => {
    const methods = ['initialize', 'session/new', 'session/prompt'];
    const cases = methods.flatMap((method) =>
      ['error', 'death'].flatMap((fault) => ['text', 'json'].map((format) => ({ method, fault, format }))),
    );
    const seen = await inTurns(cases, async ({ method, fault, format }) => {
      const fixture = await faultyFixture('evil', `evil-${fault}=${method}`);
      const { code, stdout, stderr } = await fixture.run(['exec', '--format', format, 'say hello']);
      const isTold = stderr.includes(fault === 'error' ? 'failed' : 'last words');
      return { method, fault, format, code, slips: [...slips(stdout), ...slips(stderr)], isTold };
    });
    expect(seen).toEqual(cases.map((each) => ({ ...each, code: 1, slips: [], isTold: true })));
  });

  test('control sequences in a stored session never reach the terminal', async () => {
    const fixture = await faultyFixture('evil');
    const commands = [
      ['sessions', 'new'],
      ['prompt', '--approve-all', 'evil'],
      ['prompt', '--approve-all', '--format', 'json', 'evil'],
      ['status'],
      ['sessions', 'list'],
      ['sessions', 'list', '--local'],
      ['sessions', 'show'],
      ['sessions', 'history'],
      ['sessions', 'history', '--format', 'json'],
      ['sessions', 'export'],
      ['set-mode', 'x'],
      ['set', 'x', 'y'],
      ['sessions', 'close'],
      ['exec', '--approve-all', '--trace', 'trace.jsonl', 'evil'],
      ['trace', 'show', 'trace.jsonl'],
      ['doctor'],
      ['doctor', '--format', 'json'],
    ];
    const seen = [];
    for (const words of commands) {
      const { stdout, stderr } = await fixture.run(words);
      seen.push({ words, slips: [...slips(stdout), ...slips(stderr)], isPrinted: stdout !== '' || stderr !== '' });
    }
    expect(seen).toEqual(commands.map((words) => ({ words, slips: [], isPrinted: true })));
    expect(await fixture.left()).toEqual([]);
  });
});
