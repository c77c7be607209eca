import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { diffRows } from '../../src/terminal/diff-rows.ts';
import { highlighter } from '../../src/terminal/highlighter.ts';
import { coloured, plain } from '../../src/terminal/paint.ts';
import { MarkdownStream } from '../../src/output/markdown/markdown-stream.ts';
import { beginChat, keys } from './emulator.ts';

let folder: string;
beforeAll(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'turnwire-highlighting-')));
  await new Promise<void>((resolve) => highlighter.load(resolve));
});
afterAll(() => rm(folder, { recursive: true, maxRetries: 5 }));

/** A text with its styles by name. */
const named = (text: string): string =>
  Object.entries({ 31: 'red', 32: 'green', 34: 'blue', 35: 'magenta', 36: 'cyan', 2: 'dim', 7: 'inverse', 1: 'bold' })
    .reduce((all, [code, name]) => all.replaceAll(`\u001b[${code}m`, `<${name}>`), text)
    .replaceAll('\u001b[39m', '</>')
    .replaceAll('\u001b[22m', '</>')
    .replaceAll('\u001b[27m', '</>');

describe('highlighted code', () => {
  test('code has the colours of its language, even in a comment that started lines before', () => {
    const stream = new MarkdownStream();
    const lines: string[] = [];
    for (const text of ['```ts\nconst a = 1; /* one\n', 'still const\n', '*/ let b;\n', '```\n']) {
      stream.push(text);
      lines.push(...stream.take({ width: 40, paint: coloured }));
    }
    expect(lines.map(named)).toEqual([
      '<dim>  ts</>',
      '  <magenta>const</> a = <cyan>1</>; <dim>/* one</>',
      '  <dim>still const</>',
      '  <dim>*/</> <magenta>let</> b;',
    ]);
  });

  test('a chat prints code in colours from the first line', async () => {
    const run = await beginChat(folder, { colour: true });
    run.type(keys.paste('say ```js\nlet a = "x";\n```') + keys.enter);
    await run.until((lines) => lines.filter((line) => line === '  let a = "x";').length === 2);
    expect(named(run.sent)).toContain('  <magenta>let</> a = <cyan>"x"</>;');
  });
});

describe('highlighted diffs', () => {
  const diff = {
    path: '/project/src/a.ts',
    oldText: 'let a = 1;\nlet b = 2;\nreturn a;\n',
    newText: 'let a = 1;\nlet size = 2;\nreturn size;\n',
  };
  const page = { width: 60, paint: plain, folder: '/project' };

  test('a diff highlights the changed words and has a path relative to the folder', () => {
    expect(diffRows(diff, { ...page, paint: coloured }).map(named)).toEqual([
      '<bold>src/a.ts</> <dim>(+2 −2)</>',
      '<dim>1</>   <magenta>let</> a = <cyan>1</>;',
      '<dim>2</> <red>-</> <magenta>let</><red> </><inverse><red>b</></><red> = </><cyan>2</><red>;</>',
      '<dim>3</> <red>-</> <magenta>return</><red> </><inverse><red>a</></><red>;</>',
      '<dim>2</> <green>+</> <magenta>let</><green> </><inverse><green>size</></><green> = </><cyan>2</><green>;</>',
      '<dim>3</> <green>+</> <magenta>return</><green> </><inverse><green>size</></><green>;</>',
    ]);
  });

  test('a diff is shown side by side on a wide terminal', () => {
    expect(diffRows({ ...diff, newText: `${diff.newText}end;\n` }, { ...page, width: 139 })).toEqual([
      'src/a.ts (+3 −2)',
      `1   let a = 1;${' '.repeat(54)} │ 1   let a = 1;`,
      `2 - let b = 2;${' '.repeat(54)} │ 2 + let size = 2;`,
      `3 - return a;${' '.repeat(55)} │ 3 + return size;`,
      `${' '.repeat(68)} │ 4 + end;`,
    ]);
  });

  test('the diff of a call that names the file in its title has no heading', async () => {
    const run = await beginChat(folder, { rows: 40 });
    const path = join(folder, 'notes.txt');
    const call = { toolCallId: 'a', title: 'Edit notes.txt', kind: 'edit' };
    const content = [{ type: 'diff', path, oldText: 'alpha\n', newText: 'beta\n' }];
    run.type(keys.paste(`ask ${JSON.stringify({ ...call, content })}`) + keys.enter);
    await run.until((lines) => lines.includes('  1 - alpha') && !lines.join('\n').includes('a question: '));
    run.type('y');
    const isEnded = (line: string): boolean => line.includes('Edit notes.txt (');
    const screen = await run.until((lines) => lines.join('\n').includes('selected yes') && lines.some(isEnded));
    const place = screen.findIndex(isEnded);
    expect(screen.slice(place, place + 3)).toEqual([
      '✗ Edit notes.txt (+1 −1, not finished)',
      '  1 - alpha',
      '  1 + beta',
    ]);
  });
});
