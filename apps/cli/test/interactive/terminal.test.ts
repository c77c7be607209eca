/* oxlint-disable no-control-regex -- what a terminal is told is control characters */
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { commandWords } from '../command.ts';
import { beginChat, inEmulator, keys, showyAgent } from './emulator.ts';

let folder: string;
beforeAll(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'turnwire-terminal-')));
});
afterAll(() => rm(folder, { recursive: true, maxRetries: 5 }));

/** The turn is over, and this is the end of its last line. */
const answeredWith = (text: string) => (lines: readonly string[]) =>
  lines.at(-1)?.includes('/help for help') === true && lines.at(-5)?.endsWith(text) === true;

const asItWas = { bracketedPaste: false, alternate: false, wraparound: true };
const cursorOn = /\u001b\[\?25h(?![^]*\u001b\[\?25l)/;

describe('restoring the terminal', () => {
  test('the terminal is restored when the chat ends', async () => {
    const run = await beginChat(folder);
    expect(run.modes).toEqual({ ...asItWas, bracketedPaste: true });
    run.type(keys.ctrl('d'));
    await run.exitCode;
    expect(run.modes).toEqual(asItWas);
    expect(run.sent).toMatch(cursorOn);
  });

  test.each([
    ['SIGTERM', 143],
    ['SIGHUP', 129],
  ] as const)(
    'the terminal is restored when %s ends the chat during a turn and on the alternate screen',
    async (signal, code) => {
      const run = await beginChat(folder);
      run.type(`hang${keys.enter}`);
      await run.until('at work');
      run.type(keys.ctrl('o'));
      await run.until('q goes back');
      process.kill(run.pid, signal);
      expect(await run.exitCode).toBe(code);
      expect(run.modes).toEqual(asItWas);
      expect(run.sent).toMatch(cursorOn);
    },
  );

  test('the terminal is restored at Ctrl-Z, and the chat continues with fg', async () => {
    const words = [process.execPath, ...commandWords, '--agent', showyAgent(), '--cwd', folder];
    const line = words.map((word) => `'${word.replaceAll("'", `'\\''`)}'`).join(' ');
    const run = inEmulator([], { program: ['bash', '--norc', '--noediting', '-i'], env: { PS1: 'shell$ ' } });
    await run.until('shell$');
    run.type(`${line}${keys.enter}`);
    await run.until('Ask first');
    run.type(`half a thought${keys.ctrl('z')}`);
    await run.until('Stopped');
    expect(run.modes).toEqual(asItWas);
    run.type(`stty -a | grep -o '.icanon'; fg${keys.enter}`);
    await run.until(' icanon');
    // What was written stands above as well, from before.
    await run.until((lines) =>
      lines
        .slice(lines.findLastIndex((text) => text.endsWith(' icanon')))
        .some((text) => text.includes('› half a thought')),
    );
    await expect.poll(() => run.modes).toEqual({ ...asItWas, bracketedPaste: true });
    run.type(`${keys.ctrl('c')}/exit${keys.enter}`);
    await run.until((lines) => lines.at(-1) === 'shell$');
  });
});

describe('drawing on the terminal', () => {
  test.each([
    [80, 24],
    [40, 12],
  ])('a screen of %i columns and %i rows holds every line', async (columns, rows) => {
    const run = await beginChat(folder, { columns, rows });
    const words = Array.from({ length: 60 }, (_, index) => `word${index}`).join(' ');
    run.type(keys.paste(`say ${words}`) + keys.enter);
    await run.until(answeredWith('word59'));
    const answer = run.everything.slice(
      run.everything.findLastIndex((line) => line.startsWith('word0')),
      -4,
    );
    expect(answer.join(' ')).toBe(words);
    expect(answer.filter((line) => line.length >= columns)).toEqual([]);
  });

  test('the screen is redrawn when its size changes during a turn', async () => {
    const run = await beginChat(folder);
    run.type(`say before${keys.enter}`);
    await run.until(answeredWith('before'));
    run.type(`hang${keys.enter}`);
    await run.until('at work');
    run.resize(50, 15);
    await run.until((lines) => lines.includes('─'.repeat(49)));
    run.resize(110, 30);
    await run.until((lines) => lines.includes('─'.repeat(109)));
    run.type(keys.escape);
    await run.until('(the turn was cancelled)');
    expect(run.everything.filter((line) => line.includes('at work'))).toEqual(['at work']);
    expect(run.everything.filter((line) => line === 'before')).toEqual(['before']);
    expect(run.everything.filter((line) => line.startsWith('───'))).toEqual(['─'.repeat(109)]);
  });

  test('a long paragraph is printed once when the screen becomes narrower while it streams', async () => {
    const run = await beginChat(folder);
    const words = Array.from({ length: 400 }, (_, index) => `word${index}`);
    const update = { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: words.join(' ') } };
    run.type(keys.paste(`thenHang ${JSON.stringify([update])}`) + keys.enter);
    await run.until('word399');
    run.resize(60, 24);
    await run.until((lines) => lines.includes('─'.repeat(59)));
    run.type(keys.escape);
    await run.until('(the turn was cancelled)');
    const lines = run.everything;
    const begin = lines.findIndex((line) => line.endsWith(' more lines')) + 1;
    // The terminal breaks its older lines anywhere.
    const shown =
      lines
        .slice(begin, -5)
        .join('')
        .replaceAll(' ', '')
        .match(/word\d+/g) ?? [];
    // This emulator moves the cursor down by the row that the status line grows, so that one row of the answer stays.
    const again = shown.length - new Set(shown).size;
    expect({ words: [...new Set(shown)], isOnce: again < 10 }).toEqual({ words, isOnce: true });
    expect(lines.filter((line) => line.startsWith('───'))).toEqual(['─'.repeat(59)]);
  });

  test('wide characters and emoji stay aligned', async () => {
    const run = await beginChat(folder, { columns: 40 });
    run.type(`say 日本語のテキストはとても長いので折り返されるはずです 👍 é${keys.enter}`);
    await run.until(answeredWith('é'));
    const lines = run.everything;
    expect(
      lines
        .slice(
          lines.findLastIndex((line) => line.startsWith('日本')),
          -4,
        )
        .join(''),
    ).toBe('日本語のテキストはとても長いので折り返されるはずです 👍 é');
    run.type('日本');
    await run.until('› 日本');
    expect(run.cursor[1]).toBe(6);
  });

  test('a paste of 5,000 lines is one block and is sent completely', async () => {
    const run = await beginChat(folder);
    const text = Array.from({ length: 5_000 }, (_, index) => `line ${index}`).join('\n');
    run.type('say ');
    run.type(keys.paste(text));
    await run.until('› say [pasted 5000 lines]');
    run.type(keys.enter);
    await run.until('line 4999');
    expect(run.everything.findLast((line) => line.includes('line 4999'))).toBe('line 4999');
  });

  test('output of an agent cannot control the terminal', async () => {
    const run = await beginChat(folder);
    run.type(`evil${keys.enter}`);
    await run.until(
      (lines) => lines.some((line) => line.startsWith('? ')) && !lines.some((line) => line.startsWith('a question: ')),
    );
    run.type('n');
    await run.until('selected no');
    run.type('/x');
    await run.until('/x');
    const harmless = run.sent.replaceAll(
      /\u001b\[(?:\?(?:25|7|1004|2004|2026)[hl]|2[23];2t|[0-9]*[ABCKJ]|\?u)|\u001b\]11;\?\u001b\\|\u001b\]2;(?:turnwire|● asks) · [\w.-]+\u0007|\r\n|\r/g,
      '',
    );
    expect(harmless.match(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\p{Default_Ignorable_Code_Point}\u2028]/gu)).toBe(
      null,
    );
    expect(run.sent).not.toContain('owned\u0007');
  });

  test('the chat has colours unless NO_COLOR is set', async () => {
    const coloured = await beginChat(folder, { colour: true });
    const plain = await beginChat(folder);
    expect(coloured.sent).toContain('\u001b[1mturnwire 0.1.0\u001b[22m');
    expect(plain.sent).not.toMatch(/\u001b\[\d*m/);
  });

  test('the pager shows all of a long answer and searches it', async () => {
    const run = await beginChat(folder);
    run.type(`flood 3000${keys.enter}`);
    await run.until(answeredWith('line 3000'));
    run.type(keys.ctrl('o'));
    await run.until('the end ·');
    expect(run.modes.alternate).toBe(true);
    run.type(`/line 1234${keys.enter}`);
    expect((await run.until((lines) => lines[0] === 'line 1234'))[2]).toBe('line 1235');
    run.type('g');
    await run.until('the beginning ·');
    run.type('q');
    // The cursor is hidden on the screen of the pager.
    await run.until(
      (lines) =>
        lines.join('\n').includes('line 3000') &&
        run.sent.lastIndexOf('\u001b[?25h') > run.sent.lastIndexOf('\u001b[?25l'),
    );
    expect(run.modes.alternate).toBe(false);
  });
});

test('the scrollback of the terminal contains the whole conversation once', async () => {
  const run = await beginChat(folder, { rows: 12 });
  run.type(`flood 500${keys.enter}`);
  await run.until(answeredWith('line 500'));
  run.type(keys.ctrl('d'));
  await run.exitCode;
  const expected = Array.from({ length: 500 }, (_, index) => `line ${index + 1}`);
  expect(run.everything.filter((line) => line.startsWith('line '))).toEqual(expected);
});
