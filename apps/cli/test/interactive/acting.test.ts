import { chmod, mkdir, mkdtemp, readdir, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { beginChat, inEmulator, keys, showyAgent } from './emulator.ts';

let folder: string;
beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'turnwire-acting-')));
});
afterEach(() => rm(folder, { recursive: true, maxRetries: 5 }));

const send = (run: { type(text: string): void }, text: string): void => run.type(keys.paste(text) + keys.enter);

describe('shell lines in a chat', () => {
  test('a line with ! runs in the folder, and its output is shown and sent with the next prompt', async () => {
    await writeFile(join(folder, 'notes.txt'), 'alpha\n');
    const run = await beginChat(folder);
    run.type(`!cat notes.txt; exit 3${keys.enter}`);
    const screen = await run.until('with the output of cat notes.txt; exit 3');
    const place = screen.indexOf('! cat notes.txt; exit 3 (exit code 3)');
    expect(screen.slice(place, place + 2)).toEqual(['! cat notes.txt; exit 3 (exit code 3)', '  │ alpha']);
    send(run, 'blocks');
    await run.until('\ntext text\n');
  });

  test('a folder that a line changes to is the folder of the next lines, also after an exit', async () => {
    await mkdir(join(folder, 'sub', 'deep'), { recursive: true });
    const run = await beginChat(folder);
    run.type(`!cd sub; exit 3${keys.enter}`);
    await run.until('! cd sub; exit 3 (exit code 3)');
    run.type(`!cd deep && echo now${keys.enter}`);
    await run.until('! cd deep && echo now in sub\n  │ now');
    run.type(`!pwd; cd ..; rmdir deep${keys.enter}`);
    await run.until(`! pwd; cd ..; rmdir deep in ${join('sub', 'deep')}`);
    run.type(`!pwd${keys.enter}`);
    expect(await run.until('! pwd in sub')).toContain(`  │ ${join(folder, 'sub')}`);
  });

  test('variables that a line exports are those of the next lines, also of one that asked with the terminal', async () => {
    const run = await beginChat(folder);
    run.type(`!export ONE='a b' ; cd /${keys.enter}`);
    await run.until("with the output of export ONE='a b' ; cd /");
    run.type(`!!printf 'your name: '; read NAME; export NAME${keys.enter}`);
    await run.until((lines) => lines.at(-1) === 'your name:');
    run.type(`ada${keys.enter}`);
    await run.until('export NAME ended');
    run.type(`!echo "<$ONE> <$NAME> <$PWD>"${keys.enter}`);
    expect(await run.until('│ <')).toContain('  │ <a b> <ada> </>');
  });

  test('the chat continues when a line with !! has ended, even if a program that it started still runs', async () => {
    const run = await beginChat(folder);
    run.type(`!!sleep 600 & echo $! > pid; export ONE=1${keys.enter}`);
    await run.until('export ONE=1 ended');
    process.kill(Number(await readFile(join(folder, 'pid'), 'utf8')));
    run.type(`!echo "<$ONE>"${keys.enter}`);
    expect(await run.until('│ <')).toContain('  │ <1>');
  });

  test('Ctrl-C stops a line with !!, and the chat continues', async () => {
    const run = await beginChat(folder);
    run.type(`!!echo begun; sleep 60${keys.enter}`);
    await run.until('\nbegun');
    run.type(keys.ctrl('c'));
    await run.until('echo begun; sleep 60 was stopped');
    run.type(`!echo still here${keys.enter}`);
    expect(await run.until('│ still')).toContain('  │ still here');
  });

  test('! alone gives the terminal to the shell of the user, which takes input, until it exits', async () => {
    const shell = join(folder, 'shell.sh');
    await writeFile(shell, '#!/bin/sh\nprintf "in the shell: "; read line; echo "read $line in $PWD"\n');
    await chmod(shell, 0o755);
    const run = await beginChat(folder, { env: { SHELL: shell } });
    run.type(`!${keys.enter}`);
    await run.until('in the shell:');
    run.type(`words${keys.enter}`);
    expect(await run.until('back from your shell')).toContain(`read words in ${folder}`);
  });

  test('Esc stops a shell line with all its processes', async () => {
    const run = await beginChat(folder);
    run.type(`!echo begun; sleep 60${keys.enter}`);
    await run.until('│ begun');
    run.type(keys.escape);
    expect(await run.until('! echo begun; sleep 60 (stopped)')).toContain('  │ begun');
  });
});

test('Ctrl-G opens the prompt in EDITOR and takes the saved text', async () => {
  const editor = join(folder, 'editor.sh');
  await writeFile(editor, '#!/bin/sh\nprintf "%s and more\\n" "$(cat "$1")" > "$1"\n');
  await chmod(editor, 0o755);
  const run = await beginChat(folder, { env: { EDITOR: editor, VISUAL: '' } });
  run.type(`say this${keys.ctrl('g')}`);
  await run.until('› say this and more');
  run.type(keys.enter);
  expect(await run.until('\nthis and more')).toContain('this and more');
});

test('Ctrl-V attaches the image that a usual clipboard program prints', async () => {
  const programs = join(folder, 'bin');
  await mkdir(programs);
  const image = '89504e470d0a1a0a0000000d4948445200000001000000010806000000';
  const bytes = image.replaceAll(/../g, (byte) => `\\${parseInt(byte, 16).toString(8).padStart(3, '0')}`);
  await writeFile(join(programs, 'wl-paste'), `#!/bin/sh\nprintf '${bytes}'\n`);
  await chmod(join(programs, 'wl-paste'), 0o755);
  const run = await beginChat(folder, { env: { PATH: `${programs}${delimiter}${process.env['PATH'] ?? ''}` } });
  run.type(keys.ctrl('v'));
  await run.until('with an image: clipboard-1.png');
  send(run, 'blocks');
  expect(await run.until('text image')).toContain('text image');
});

test('/copy puts the last answer or its code into the clipboard of the terminal', async () => {
  const run = await beginChat(folder);
  send(run, 'say Look:\n\n```js\nlet a;\n```\n\nThat is it.');
  await run.until('\nThat is it.');
  run.type(`/copy code${keys.enter}`);
  await run.until('Copied 7 characters');
  run.type(`/copy${keys.escape}${keys.enter}`);
  expect(run.sent).toContain(`\u001b]52;c;${Buffer.from('let a;\n').toString('base64')}\u0007`);
});

test('/export writes the session to a file and never overwrites one', async () => {
  const run = await beginChat(folder);
  send(run, 'say hello');
  await run.until('\nhello');
  run.type(`/export talk.md${keys.enter}`);
  await run.until('written: talk.md');
  run.type(`/export talk.md${keys.enter}`);
  await run.until('there is already a file talk.md: give another name');
  const text = await readFile(join(folder, 'talk.md'), 'utf8');
  expect({ files: await readdir(folder), hasAll: text.includes('say hello') && text.includes('hello') }).toEqual({
    files: ['talk.md'],
    hasAll: true,
  });
});

test('one Enter runs a completely typed command, even if it has an optional argument', async () => {
  const run = await beginChat(folder);
  send(run, 'say hello');
  await run.until('\nhello');
  run.type(`/export${keys.enter}`);
  await run.until('written: session-');
  expect(await readdir(folder)).toEqual([expect.stringMatching(/^session-\d{12}\.md$/)]);
});

test('a second Enter sends the queued prompt now after a question, and the running turn ends for it', async () => {
  const run = await beginChat(folder);
  send(run, 'hang');
  await run.until('at work');
  send(run, 'say instead');
  await run.until('queued: say instead');
  run.type(keys.enter);
  await run.until('Send the queued prompt now?');
  run.type('y');
  const screen = await run.until('\ninstead');
  expect(screen).toEqual(expect.arrayContaining(['(the turn was cancelled)', '› say instead', 'instead']));
});

test('a second Enter sends the queued prompt into the running turn if the agent supports it', async () => {
  const run = inEmulator(['--agent', showyAgent('steering'), '--cwd', folder]);
  await run.until('Ask first');
  send(run, 'hang');
  await run.until('at work');
  send(run, 'look at the tests');
  await run.until('queued: look at the tests');
  run.type(keys.enter);
  const screen = await run.until('read look at the tests');
  const said = screen.filter((line) => /at work|look at the tests|stopped|Send the prompt/.test(line));
  expect(said).toEqual(['at work', '› look at the tests', 'read look at the tests']);
  // The turn is over for both.
  send(run, 'say next');
  await run.until('\nnext');
});
