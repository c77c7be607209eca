import { mkdtemp, readdir, readFile, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { CommandActions } from '../../src/interactive/chat-actions.ts';
import { commandNames } from '../../src/interactive/commands.ts';
import { deletions, moves } from '../../src/interactive/edit.ts';
import { beginChat, keys } from './emulator.ts';

let folder: string;
beforeAll(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'turnwire-keys-')));
});
afterAll(() => rm(folder, { recursive: true, maxRetries: 5 }));

const [left, right, home, end] = ['\u001b[D', '\u001b[C', '\u001b[H', '\u001b[F'];
const [wordLeft, forwardDelete, newLine] = ['\u001bb', '\u001b[3~', '\n'];

/** What is sent behind "ab cd", with the key in it, and what stands there then, with an X where the cursor was. */
const edits: readonly (readonly [chord: string, sent: string, written: string])[] = [
  ['left', left, 'ab cXd'],
  ['ctrl-b', keys.ctrl('b'), 'ab cXd'],
  ['right', home + right, 'aXb cd'],
  ['ctrl-f', home + keys.ctrl('f'), 'aXb cd'],
  ['ctrl-left', '\u001b[1;5D', 'ab Xcd'],
  ['meta-left', '\u001b[1;3D', 'ab Xcd'],
  ['meta-b', wordLeft, 'ab Xcd'],
  ['ctrl-right', `${home}\u001b[1;5C`, 'abX cd'],
  ['meta-right', `${home}\u001b[1;3C`, 'abX cd'],
  ['meta-f', `${home}\u001bf`, 'abX cd'],
  ['home', home, 'Xab cd'],
  ['ctrl-a', keys.ctrl('a'), 'Xab cd'],
  ['end', home + end, 'ab cdX'],
  ['ctrl-e', home + keys.ctrl('e'), 'ab cdX'],
  ['backspace', '\u007f', 'ab cX'],
  ['delete', left + forwardDelete, 'ab cX'],
  ['ctrl-d', left + keys.ctrl('d'), 'ab cX'],
  ['ctrl-w', keys.ctrl('w'), 'ab X'],
  ['meta-backspace', '\u001b\u007f', 'ab X'],
  ['ctrl-backspace', '\u001b[127;5u', 'ab X'],
  ['meta-d', `${wordLeft}\u001bd`, 'ab X'],
  ['ctrl-u', wordLeft + keys.ctrl('u'), 'Xcd'],
  ['ctrl-k', wordLeft + keys.ctrl('k'), 'ab X'],
  ['ctrl-y', keys.ctrl('w') + keys.ctrl('y'), 'ab cdX'],
  ['ctrl-_', `${keys.ctrl('w')}\u001f`, 'ab cdX'],
  ['enter', newLine, 'ab cd\n  X'],
  ['meta-return', '\u001b\r', 'ab cd\n  X'],
  ['meta-enter', '\u001b\n', 'ab cd\n  X'],
  ['shift-return', '\u001b[13;2u', 'ab cd\n  X'],
  ['shift-return', '\u001b[27;2;13~', 'ab cd\n  X'],
  ['return', '\\\r', 'ab cd\n  X'],
  ['up', `${newLine}e${keys.up}`, 'aXb cd\n  e'],
  ['ctrl-p', `${newLine}e${keys.ctrl('p')}`, 'aXb cd\n  e'],
  ['down', `${newLine}e${keys.up}${keys.down}`, 'ab cd\n  eX'],
  ['ctrl-n', `${newLine}e${keys.up}${keys.ctrl('n')}`, 'ab cd\n  eX'],
];

test('every key of the editor does what it does in a shell', async () => {
  const run = await beginChat(folder);
  const screens: string[] = [];
  for (const [, sent, written] of edits) {
    run.type(`ab cd${sent}`);
    // Several lines at once would be a paste.
    if (sent.endsWith('\\\r')) await run.until('› ab cd\n');
    run.type('X');
    screens.push((await run.until(`› ${written}\n`)).join('\n'));
    run.type(keys.ctrl('c'));
    await run.until('› type a prompt');
  }
  const before = run.sent.length;
  run.type(keys.ctrl('l'));
  await run.until(() => run.sent.slice(before).includes('─'.repeat(79)));
  const tried = new Set(edits.map(([chord]) => chord));
  expect({
    tried: screens.length,
    untried: [...Object.keys(moves), ...Object.keys(deletions)].filter((chord) => !tried.has(chord)),
  }).toEqual({ tried: edits.length, untried: [] });
});

test('every key of a list moves its selection', async () => {
  const run = await beginChat(folder);
  run.type(`/mode${keys.enter}`);
  await run.until('❯ Ask first ✓');
  const steps = [keys.down, keys.up, keys.ctrl('n'), keys.ctrl('p'), '\t', keys.shiftTab, end, home];
  for (const [index, key] of [...steps, keys.pageDown, keys.pageUp, keys.ctrl('r')].entries()) {
    run.type(key);
    await run.until(index % 2 === 0 ? '❯ Just code' : '❯ Ask first ✓');
  }
  run.type('first');
  const found = await run.until('Mode 1');
  run.type(keys.escape);
  await run.until('› type a prompt');
  expect(found.slice(-4, -2)).toEqual(['/ first', '❯ Ask first ✓']);
});

test('every key of the transcript scrolls, searches or closes it', async () => {
  const run = await beginChat(folder);
  run.type(`flood 100${keys.enter}`);
  await run.until((lines) => lines.includes('line 100') && lines.at(-1)?.includes('/help') === true);
  const top = (line: string) => (lines: readonly string[]) => run.modes.alternate && lines[0] === line;
  const press = async (key: string, line: string): Promise<void> => {
    run.type(key);
    await run.until(top(line));
  };
  await press(keys.ctrl('o'), 'line 89');
  await press(keys.up, '');
  await press(keys.down, 'line 89');
  await press(home, '› flood 100');
  await press(keys.enter, '');
  await press(keys.down, 'line 1');
  await press(' ', 'line 12');
  await press(keys.pageDown, 'line 23');
  await press(keys.pageUp, 'line 12');
  await press(end, 'line 89');
  await press('g', '› flood 100');
  await press('G', 'line 89');
  run.type('n');
  await run.until('press / to search');
  await press(`/line 3${keys.enter}`, 'line 39');
  await press('N', 'line 38');
  await press('n', 'line 39');
  for (const key of ['q', keys.escape, keys.ctrl('o'), keys.ctrl('c'), keys.ctrl('d')]) {
    run.type(key);
    await run.until((lines) => !run.modes.alternate && lines.at(-2) === '› type a prompt; @ names a file, / a command');
    run.type(keys.ctrl('o'));
    await run.until(() => run.modes.alternate);
  }
  expect(run.modes.alternate).toBe(true);
});

test('/cancel finds nothing to cancel, /new starts a new session, /thoughts shows thoughts in full, and /transcript shows everything', async () => {
  const run = await beginChat(folder);
  run.type(`say hello${keys.enter}`);
  await run.until('\nhello');
  run.type(`/cancel${keys.enter}`);
  await run.until('nothing runs that the agent can cancel separately');
  run.type(`/thoughts${keys.enter}`);
  await run.until('thoughts are now shown in full');
  run.type(`/transcript${keys.enter}`);
  await run.until(() => run.modes.alternate);
  run.type('q');
  await run.until(() => !run.modes.alternate);
  run.type(`/new${keys.enter}`);
  await run.until('── a new session ──');
  await run.until('Ask first');
  run.type(keys.paste(`think First this.\nThen that.`) + keys.enter);
  const screen = await run.until('thought so\n\n');
  run.type(`/transcript${keys.enter}`);
  await run.until(() => run.modes.alternate);
  expect([screen.includes('  Then that.'), run.screen.includes('› say hello')]).toEqual([true, false]);
});

test('every command of a chat is typed in one of the terminal tests', async () => {
  const files = (await readdir(import.meta.dirname)).filter((name) => name.endsWith('.test.ts'));
  const texts = await Promise.all(files.map((name) => readFile(join(import.meta.dirname, name), 'utf8')));
  const chat = { controller: { conversation: { transcript: { commands: [] } } } } as unknown as CommandActions;
  const names = commandNames(chat).map(({ name }) => name);
  const untyped = names.filter(
    (name) => !texts.some((text) => new RegExp(`\\W/${name}\\b[^'\`]*\\$\\{keys\\.`).test(text)),
  );
  expect({ isAll: names.length > 15, untyped }).toEqual({ isAll: true, untyped: [] });
});
