import { existsSync } from 'node:fs';
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Emulator, type EmulatorOptions, inEmulator, keys, showyAgent } from './emulator.ts';

let folder: string;
beforeAll(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'turnwire-plain-')));
});
afterAll(() => rm(folder, { recursive: true, maxRetries: 5 }));

const asks = (sign: string) => (lines: readonly string[]) => lines.at(-1)?.endsWith(sign) === true;
const prompt = asks('>');

async function begin(words: readonly string[] = ['--plain'], options: EmulatorOptions = {}): Promise<Emulator> {
  const run = inEmulator([...words, '--agent', showyAgent(), '--cwd', folder], { columns: 120, rows: 40, ...options });
  await run.until(prompt);
  return run;
}

/** The turn is over: what was typed, what was printed, and the prompt. */
async function turn(run: Emulator, line: string): Promise<readonly string[]> {
  run.type(`${line}${keys.enter}`);
  const screen = await run.until((lines) => lines.includes(`> ${line}`) && prompt(lines));
  return screen.slice(screen.lastIndexOf(`> ${line}`) + 1);
}

test('a plain chat prints each line once and never moves the cursor', async () => {
  const run = await begin();
  expect(run.screen).toEqual([`turnwire 0.1.0 in ${folder}`, expect.stringMatching(/^Starting .* …$/), '>']);
  expect(await turn(run, 'say **bold** words')).toEqual(['bold words', '>']);
  run.type(keys.ctrl('d'));
  expect(await run.exitCode).toBe(0);
  // oxlint-disable-next-line no-control-regex -- what must not be there
  expect(run.sent).not.toMatch(/\u001b/);
});

test('TERM=dumb selects the plain chat', async () => {
  const run = await begin([], { env: { TERM: 'dumb' } });
  expect(await turn(run, 'say hello')).toEqual(['hello', '>']);
});

test('lines of a running answer appear once they are full, wrapped at words; a table fits on the screen', async () => {
  const run = await begin(['--plain'], { columns: 44 });
  const says = (text: string): object => ({ sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } });
  const table =
    '\n\n| name | what it is for |\n| --- | --- |\n| alpha | the first letter of an alphabet, of 26 |\n\nThe table';
  run.type(
    `thenHang ${JSON.stringify([says('Sentences of many words are wrapped where a word'), says(' ends, and shown'), says(table)])}${keys.enter}`,
  );
  const screen = await run.until((lines) => lines.includes('alphabet, of 26'));
  expect(screen.slice(screen.indexOf('Sentences of many words are wrapped where a'))).toEqual([
    'Sentences of many words are wrapped where a',
    'word ends, and shown',
    'name: alpha',
    'what it is for: the first letter of an',
    'alphabet, of 26',
  ]);
});

test('the help of a plain chat names only the keys that work there', async () => {
  const run = await begin();
  run.type(`/help${keys.enter}`);
  const screen = await run.until((lines) => lines.some((line) => line.includes('/quit')) && asks('>')(lines));
  const first = screen.findIndex((line) => line.startsWith('Type a prompt'));
  expect(screen.slice(first + 1, first + 7).map((line) => line.trim().split(/ {2,}/)[0])).toEqual([
    'Enter',
    '! COMMAND',
    '!! COMMAND',
    'Ctrl-C',
    'Ctrl-D',
    '/help',
  ]);
});

test('a line with ! runs, and its output is sent with the next prompt; Ctrl-C stops it', async () => {
  const run = await begin();
  expect(await turn(run, '!echo alpha; exit 3')).toEqual(['! echo alpha; exit 3 (exit code 3)', '  │ alpha', '>']);
  expect(await turn(run, 'blocks')).toEqual(['text text', '>']);
  run.type(`!touch begun; sleep 60${keys.enter}`);
  await expect.poll(() => existsSync(join(folder, 'begun'))).toBe(true);
  run.type(keys.ctrl('c'));
  await run.until('! touch begun; sleep 60 (stopped)');
});

test('/running offers no editor for a queued prompt, because a plain chat has none', async () => {
  const run = await begin();
  run.type(`hang${keys.enter}`);
  run.type(`say later${keys.enter}`);
  run.type(`/running${keys.enter}`);
  const listed = await run.until(asks('or nothing):'));
  const [number] = /\d+(?= {2}say later: queued prompt)/.exec(listed.join('\n')) ?? [];
  run.type(`${number}${keys.enter}`);
  const asked = await run.until(
    (lines) => lines.some((line) => line.endsWith('Drop it')) && asks('or nothing):')(lines),
  );
  const first = asked.findLastIndex((line) => line === 'say later');
  expect(asked.slice(first, -1).map((line) => line.replace(/^ +\d +/, ''))).toEqual(['say later', 'Drop it']);
});

test('a permission question is a numbered list that is answered with a line', async () => {
  const run = await begin();
  const call = JSON.stringify({ toolCallId: 'a', title: 'List', kind: 'execute', rawInput: { command: 'ls -l' } });
  run.type(`ask ${call}${keys.enter}`);
  const screen = await run.until(asks('Answer (1-6, y, n or r):'));
  expect(screen.slice(screen.indexOf('? Run a command'))).toEqual([
    '? Run a command',
    '  the agent says: List',
    '  $ ls -l',
    '  asked: no rule covers this command, and approval is default',
    '  1  Allow once',
    '  2  Allow always in this session: Bash(ls -l)',
    '  3  Allow always in this project: Bash(ls -l)',
    '  4  Allow always: the agent remembers it',
    '  5  Reject once',
    '  6  Reject once and say why…',
    'Answer (1-6, y, n or r):',
  ]);
  run.type(`perhaps${keys.enter}`);
  await run.until('Type 1-6, y, n or r.');
  run.type(`n${keys.enter}`);
  // The call is over with its turn, and is printed before or after what the agent said meanwhile.
  await run.until((lines) => lines.includes('selected no') && prompt(lines));
});

test('a form is asked line by line and reviewed', async () => {
  const run = await begin();
  run.type(`form${keys.enter}`);
  await run.until('Your name');
  for (const [asked, answer] of [
    ['Answer:', 'x'],
    ['Answer:', 'xy'],
    ['Answer:', ''],
    ['Answer (empty for 0.5):', ''],
    ['Answer:', 'green'],
    ['Answer (empty for true):', 'no'],
    ['Answer:', 'api, web'],
    ['Answer (1-3, y or n):', 'y'],
  ] as const) {
    await run.until(asks(asked));
    run.type(`${answer}${keys.enter}`);
  }
  const screen = await run.until(prompt);
  expect(screen.at(-2)).toBe(
    '{"action":"accept","content":{"ratio":0.5,"tests":false,"name":"xy","colour":"g","parts":["api","web"]}}',
  );
});

test('a mode is selected from a list', async () => {
  const run = await begin();
  run.type(`/mode${keys.enter}`);
  await run.until(asks('Answer (1-2, or nothing):'));
  run.type(`2${keys.enter}`);
  await run.until((lines) => lines.includes('Mode: Just code') && prompt(lines));
  expect(await turn(run, 'say on')).toEqual(['on', '>']);
});

test('a long call is announced; Ctrl-C stops the turn, and leaves at the second press at the prompt', async () => {
  const run = await begin();
  const call = {
    sessionUpdate: 'tool_call',
    toolCallId: 'a',
    title: 'npm test',
    kind: 'execute',
    status: 'in_progress',
  };
  run.type(`thenHang ${JSON.stringify([call])}${keys.enter}`);
  await run.until('running: npm test');
  run.type(keys.ctrl('c'));
  await run.until((lines) => lines.includes('(the turn was cancelled)') && prompt(lines));
  run.type(keys.ctrl('c'));
  await run.until('Ctrl-C again leaves');
  run.type(keys.ctrl('c'));
  expect(await run.exitCode).toBe(130);
});

test('an agent that dies is reported, and the next prompt restarts it', async () => {
  const run = await begin();
  run.type(`die${keys.enter}`);
  await run.until((lines) => lines.includes('The agent ended. /restart or a prompt restarts it.') && prompt(lines));
  expect(run.screen.join(' ')).toContain('fatal: out of memory');
  expect((await turn(run, 'say back')).slice(-2)).toEqual(['back', '>']);
});
