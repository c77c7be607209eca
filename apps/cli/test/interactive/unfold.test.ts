import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { beginChat, keys } from './emulator.ts';

let folder: string;
beforeAll(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'turnwire-unfold-')));
});
afterAll(() => rm(folder, { recursive: true, maxRetries: 5 }));

const tab = '\t';

function call(id: string, title: string, more: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return { sessionUpdate: 'tool_call', toolCallId: id, title, status: 'completed', ...more };
}

function printed(lines: number): readonly unknown[] {
  const text = Array.from({ length: lines }, (_, index) => `line ${index + 1} of it`).join('\n');
  return [{ type: 'content', content: { type: 'text', text } }];
}

const written = Array.from({ length: 50 }, (_, index) => `row ${index + 1}\n`).join('');
const calls = [
  call('a', 'Read notes.txt', { kind: 'read', content: printed(3) }),
  call('b', 'Run the tests', { kind: 'execute', content: printed(12) }),
  call('c', 'Write rows.txt', {
    kind: 'edit',
    content: [{ type: 'diff', path: '/rows.txt', oldText: null, newText: written }],
  }),
  call('d', 'Think', { kind: 'think' }),
];

const all =
  (...texts: readonly string[]) =>
  (lines: readonly string[]) =>
    texts.every((text) => lines.join('\n').includes(text));
const rowOf = (lines: readonly string[], text: string): number => lines.findIndex((line) => line.includes(text));

test('/unfold chooses the last call with more to show; Enter unfolds it in place, and Up passes over a call that is shown in full', async () => {
  const run = await beginChat(folder, { rows: 80 });
  run.type(keys.paste(`update ${JSON.stringify(calls)}`));
  run.type(keys.enter);
  await run.until(all('✓ Think', '› type a prompt'));
  run.type(`/unfold${keys.enter}`);
  const folded = await run.until(all('❯ ✓ Write rows.txt', 'more lines; Ctrl-O'));
  run.type(keys.enter);
  const unfolded = await run.until((lines) => !all('more lines; Ctrl-O')(lines));
  run.type(keys.enter);
  await run.until(all('❯ ✓ Write rows.txt', 'more lines; Ctrl-O'));
  run.type(keys.up);
  await run.until(all('❯ ✓ Run the tests', '… 2 earlier lines'));
  run.type(keys.enter);
  await run.until(all('❯ ✓ Run the tests', '│ line 2 of it'));
  run.type('e');
  await run.until(all('❯ ✓ Run the tests', '… 2 earlier lines'));
  run.type(keys.up);
  await run.until('❯ › update');
  run.type(keys.down);
  await run.until('❯ ✓ Run the tests');
  run.type(`/row 50${keys.enter}`);
  await run.until('"row 50" is not found above');
  run.type('n');
  await run.until(([first = '']) => first.endsWith('+ row 50'));
  run.type('q');
  await run.until('› type a prompt');
  expect([rowOf(unfolded, '❯'), run.modes.alternate]).toEqual([rowOf(folded, '❯'), false]);
});

test('Tab at an empty prompt chooses a call too', async () => {
  const run = await beginChat(folder, { rows: 80 });
  run.type(tab);
  await run.until('there is nothing to unfold yet');
  run.type(keys.paste(`update ${JSON.stringify(calls)}`));
  run.type(keys.enter);
  await run.until(all('✓ Think', '› type a prompt'));
  run.type(tab);
  expect(await run.until('Enter unfolds')).toContain('❯ ✓ Write rows.txt (+50 −0)');
});

test('in the whole transcript, Tab chooses a call, and Enter folds it', async () => {
  const run = await beginChat(folder, { rows: 80 });
  run.type(keys.paste(`update ${JSON.stringify(calls)}`));
  run.type(keys.enter);
  await run.until(all('✓ Think', '› type a prompt'));
  run.type(keys.ctrl('o'));
  await run.until(all('Tab chooses', 'row 50'));
  run.type(tab);
  await run.until(all('❯ ✓ Write rows.txt', 'Enter unfolds'));
  run.type(keys.enter);
  const folded = await run.until(all('❯ ✓ Write rows.txt', 'more lines; Ctrl-O'));
  expect(folded).toContain('  ✓ Think');
});
