import { mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SessionUpdate } from '@turnwire/protocol';
import { describe, expect, onTestFinished, test } from 'vitest';
import { TextView, type TextViewOptions } from '../src/output/text-view.ts';
import { ToolCalls } from '../src/output/tool-calls.ts';
import { plain } from '../src/terminal/paint.ts';
import { scripted, turnwire } from './command.ts';
import { inEmulator, keys } from './interactive/emulator.ts';

/** What a view prints of tool calls, update by update. */
function shown(updates: readonly object[], options: Partial<TextViewOptions> = {}): readonly string[] {
  let printed = '';
  const view = new TextView({ write: (text) => (printed += text), paint: plain, detailed: false, ...options });
  const calls = new ToolCalls();
  return updates.map((fields) => {
    printed = '';
    const update = { sessionUpdate: 'tool_call_update', toolCallId: 'one', ...fields } as SessionUpdate;
    view.update(update, calls.take(update));
    return printed;
  });
}

const running = { title: 'make', kind: 'execute', status: 'in_progress' };
const says = (text: string): object => ({ content: [{ type: 'content', content: { type: 'text', text } }] });
const numbered = (count: number): string => Array.from({ length: count }, (_, index) => `${index + 1}\n`).join('');

describe('tool output as text', () => {
  test('tool output is printed line by line while it grows, and its last line at the end', () => {
    expect(
      shown([running, says('one\ntw'), says('one\ntwo\n'), { ...says('one\ntwo\nthree'), status: 'completed' }]),
    ).toEqual(['→ make\n', '  │ one\n', '  │ two\n', '✓ make\n  │ three\n']);
  });

  test('tool output repeats its call after the output of another call', () => {
    const other = { toolCallId: 'two', title: 'ls', kind: 'execute', status: 'in_progress' };
    expect(shown([running, other, says('one\n')]).at(-1)).toBe('→ make\n  │ one\n');
  });

  test('long tool output is omitted in the middle', () => {
    const [, during = '', end] = shown([running, says(numbered(150)), { ...says(numbered(300)), status: 'completed' }]);
    expect([during.split('\n').length - 1, end]).toEqual([
      100,
      `✓ make\n  … 190 more lines\n${Array.from({ length: 10 }, (_, index) => `  │ ${index + 291}\n`).join('')}`,
    ]);
  });

  test('tool output next to a terminal reference is printed whether or not the terminal exists', () => {
    const text = { type: 'content', content: { type: 'text', text: 'BESIDE-IT' } };
    const content = [{ type: 'terminal', terminalId: 'gone' }, text];
    expect(shown([running, { content, status: 'completed' }]).at(-1)).toBe('✓ make\n  │ BESIDE-IT\n');
  });

  test('tool output of reads is not printed, nor any with suppressed output', () => {
    const read = [
      { ...running, kind: 'read' },
      { ...says('secret\n'), status: 'completed' },
    ];
    expect(shown(read)).toEqual(['→ make\n', '✓ make\n']);
    expect(shown([running, { ...says('a\n'), status: 'completed' }], { hidden: ['output'] })).toEqual([
      '→ make\n',
      '✓ make\n',
    ]);
  });
});

async function project(): Promise<string> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'turnwire-text-')));
  onTestFinished(() => rm(folder, { recursive: true }));
  await writeFile(join(folder, 'notes.txt'), 'alpha\n');
  return folder;
}

describe('exec', () => {
  test('exec prints the output of commands in our terminals and the diffs of edits, unless they are suppressed', async () => {
    const cwd = await project();
    const run = (...words: readonly string[]): Promise<readonly string[]> =>
      turnwire(['exec', '--approve-all', ...words], { cwd }).then(({ stdout }) =>
        stdout.split('\n').filter((line) => /^(?:[→✓✗] | {2})/.test(line)),
      );
    expect(await run('run seq 1 2 then replace "alpha" with "beta" in notes.txt')).toEqual([
      '→ seq 1 2',
      '  │ 1',
      '  │ 2',
      '✓ seq 1 2',
      '→ Read notes.txt',
      '✓ Read notes.txt',
      '→ Edit notes.txt',
      '✓ Edit notes.txt (+1 −1)',
      `  --- ${join(cwd, 'notes.txt')}`,
      `  +++ ${join(cwd, 'notes.txt')}`,
      '  @@ -1,1 +1,1 @@',
      '  -alpha',
      '  +beta',
    ]);
    const suppressed = await run('--suppress', 'output,diffs', 'run seq 1 2 then replace "beta" with "c" in notes.txt');
    expect(suppressed.filter((line) => line.startsWith('  '))).toEqual([]);
    expect((await turnwire(['exec', '--suppress', 'words', 'x'], { cwd })).stderr).toMatch(
      /Allowed choices are output, diffs\./,
    );
  });

  test('exec renders the agent’s Markdown at a terminal and prints it unchanged into a pipe', async () => {
    const cwd = await project();
    const prompt = 'say "Some **bold** words that are wider than the terminal is.\n\n- one\n- two"';
    const run = inEmulator(['exec', '--cwd', cwd, prompt], { columns: 40 });
    expect(await run.exitCode).toBe(0);
    expect(run.screen).toEqual(['Some bold words that are wider than the', 'terminal is.', '', '• one', '• two']);
    expect((await turnwire(['exec', prompt], { cwd })).stdout).toBe(
      'Some **bold** words that are wider than the terminal is.\n\n- one\n- two\n',
    );
  });

  test('exec shows an incomplete message at a terminal', async () => {
    const run = inEmulator(['exec', '--agent', scripted(), 'hang']);
    await run.until('at work');
    run.type(keys.ctrl('c'));
    expect([await run.exitCode, run.screen]).toEqual([130, ['at work']]);
  });
});
