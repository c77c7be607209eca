import { mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { agentwire, scripted } from './command.ts';
import { ctrlC, ctrlD, enter, inTerminal } from './terminal.ts';

let folder: string;
beforeAll(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'agentwire-chat-')));
});
afterAll(() => rm(folder, { recursive: true }));

const prompt = '› ';
const scriptedChat = (): readonly string[] => ['--plain', '--agent', scripted(), '--cwd', folder];

describe('in a terminal, in lines', () => {
  test('a chat greets, answers and is left with /exit', async () => {
    const run = inTerminal(scriptedChat());
    expect(await run.until(prompt)).toContain(`agentwire 0.1.0 with scripted in ${folder}`);
    run.type(`say hello${enter}`);
    await run.until('\r\nhello\r\n');
    await run.until(prompt);
    run.type(`say again${enter}`);
    await run.until('\r\nagain\r\n');
    await run.until(prompt);
    run.type(`/exit${enter}`);
    expect(await run.exitCode).toBe(0);
  });

  test('Ctrl-D leaves', async () => {
    const run = inTerminal(['chat', ...scriptedChat()]);
    await run.until(prompt);
    run.type(ctrlD);
    expect(await run.exitCode).toBe(0);
  });

  test('Ctrl-C stops the turn that runs, and the chat goes on', async () => {
    const run = inTerminal(scriptedChat());
    await run.until(prompt);
    run.type(`hang${enter}`);
    await run.until('at work');
    run.type(ctrlC);
    await run.until('(stopped)');
    await run.until(prompt);
    run.type(`say still here${enter}`);
    await run.until('\r\nstill here\r\n');
    await run.until(prompt);
    run.type(ctrlD);
    expect(await run.exitCode).toBe(0);
  });

  test('Ctrl-C at the prompt leaves the second time', async () => {
    const run = inTerminal(scriptedChat());
    await run.until(prompt);
    run.type(ctrlC);
    await run.until('Ctrl-C again leaves');
    await run.until(prompt);
    run.type(ctrlC);
    expect(await run.exitCode).toBe(130);
  });

  test('a question shows the diff and the options by name, and takes y', async () => {
    const run = inTerminal(scriptedChat());
    await run.until(prompt);
    run.type(`ask${enter}`);
    const question = (await run.until('Answer (1-3, y or n): ')).replaceAll('\r\n', '\n');
    expect(question).toContain(
      [
        '? Edit notes-1.txt',
        '  --- /project/notes-1.txt',
        '  +++ /project/notes-1.txt',
        '  @@ -1,2 +1,2 @@',
        '   alpha',
        '  -beta',
        '  +gamma',
        '  1  Always (the agent remembers it)',
        '  2  Reject',
        '  3  Allow',
      ].join('\n'),
    );
    run.type(`perhaps${enter}`);
    await run.until('Type the number of an option');
    run.type(`y${enter}`);
    await run.until('selected yes');
    await run.until(prompt);
    run.type(`askKind execute${enter}`);
    expect(await run.until('Answer')).toContain('  $ ls -l\r\n');
    run.type(`2${enter}`);
    await run.until('selected no');
    await run.until(prompt);
    run.type(ctrlD);
    expect(await run.exitCode).toBe(0);
  });

  test('what was typed before a question does not answer it', async () => {
    const run = inTerminal(scriptedChat());
    await run.until(prompt);
    run.type(`askLater${enter}`);
    await run.until('at work');
    run.type(`y${enter}`);
    await run.until('Answer (1-3, y or n): ');
    run.type(`n${enter}`);
    await run.until('selected no');
    await run.until(prompt);
    run.type(ctrlD);
    expect(await run.exitCode).toBe(0);
  });

  test('Ctrl-C at a question stops the turn', async () => {
    const run = inTerminal(scriptedChat());
    await run.until(prompt);
    run.type(`ask 2${enter}`);
    await run.until('Answer (1-3, y or n): ');
    run.type(ctrlC);
    await run.until('cancelled, cancelled');
    await run.until('(stopped)');
    await run.until(prompt);
    run.type(ctrlD);
    expect(await run.exitCode).toBe(0);
  });

  test('lines pasted together are turns one after another', async () => {
    const run = inTerminal(scriptedChat());
    await run.until(prompt);
    run.type(`parts o|ne${enter}parts tw|o${enter}parts th|`);
    await run.until('one\r\n');
    await run.until('› parts tw|o\r\ntwo\r\n');
    await run.until('parts th|');
    run.type(`ree${enter}`);
    await run.until('three\r\n');
    await run.until(prompt);
    run.type(ctrlD);
    expect(await run.exitCode).toBe(0);
  });

  test('an agent that dies ends the chat with its last words', async () => {
    const run = inTerminal(scriptedChat());
    await run.until(prompt);
    run.type(`die${enter}`);
    await run.until('fatal: out of memory');
    expect(await run.exitCode).toBe(1);
  });

  test('an error of the agent ends the turn, not the chat', async () => {
    const run = inTerminal(scriptedChat());
    await run.until(prompt);
    run.type(`fail${enter}`);
    await run.until('the model is away (no key)');
    await run.until(prompt);
    run.type(ctrlD);
    expect(await run.exitCode).toBe(0);
  });

  test('--timeout stops a turn, and the chat goes on', async () => {
    const run = inTerminal([...scriptedChat(), '--timeout', '0.5']);
    await run.until(prompt);
    run.type(`hang${enter}`);
    await run.until('(stopped: it took longer than 0.5 s)');
    await run.until(prompt);
    run.type(ctrlD);
    expect(await run.exitCode).toBe(0);
  });

  test('the built-in agent shows the diff of what it edited', async () => {
    await writeFile(join(folder, 'notes.txt'), 'alpha\n');
    const run = inTerminal(['--plain', '--cwd', folder, '--approve-all']);
    await run.until(prompt);
    run.type(`replace "alpha" with "beta" in notes.txt${enter}`);
    const turn = await run.until('Edited');
    expect(turn).toContain('✓ Edit notes.txt (+1 −1)\r\n');
    expect(turn).toContain('  -alpha\r\n  +beta\r\n');
    await run.until(prompt);
    run.type(ctrlD);
    expect({ code: await run.exitCode, text: await readFile(join(folder, 'notes.txt'), 'utf8') }).toEqual({
      code: 0,
      text: 'beta\n',
    });
  });

  test('a refused edit leaves the file as it was', async () => {
    await writeFile(join(folder, 'kept.txt'), 'alpha\n');
    const run = inTerminal(['--plain', '--cwd', folder]);
    await run.until(prompt);
    run.type(`replace "alpha" with "beta" in kept.txt${enter}`);
    await run.until('Answer (');
    run.type(`n${enter}`);
    await run.until('Refused');
    await run.until(prompt);
    run.type(ctrlD);
    expect({ code: await run.exitCode, text: await readFile(join(folder, 'kept.txt'), 'utf8') }).toEqual({
      code: 0,
      text: 'alpha\n',
    });
  });

  test('colours are used, unless NO_COLOR is set', async () => {
    const run = inTerminal(scriptedChat(), { colour: true });
    const coloured = await run.until(prompt);
    run.type(ctrlD);
    await run.exitCode;
    expect(coloured).toContain('\u001b[1magentwire 0.1.0\u001b[22m');
    const other = inTerminal(scriptedChat());
    const uncoloured = await other.until(prompt);
    other.type(ctrlD);
    await other.exitCode;
    expect(uncoloured).not.toContain('\u001b[1m');
  });

  test('exec asks on the terminal, too, and exits with 5 when refused', async () => {
    const run = inTerminal(['exec', ...scriptedChat(), 'ask']);
    await run.until('Answer (1-3, y or n): ');
    run.type(`n${enter}`);
    await run.until('selected no');
    expect(await run.exitCode).toBe(5);
  });
});

describe('without a terminal', () => {
  test('prompts are read line by line, and the end of input is the end', async () => {
    expect(await agentwire(scriptedChat(), { stdin: 'say one\n\nsay two' })).toEqual({
      code: 0,
      stdout: 'one\ntwo\n',
      stderr: '',
    });
  });

  test('edits are refused, and the chat ends well', async () => {
    expect(await agentwire(['chat', ...scriptedChat()], { stdin: 'ask\n' })).toEqual({
      code: 0,
      stdout: 'selected no\n',
      stderr: 'agentwire: refused: Edit notes-1.txt (nobody can be asked here; --approve-all allows it)\n',
    });
  });

  test('an agent that dies is an error', async () => {
    const { code, stderr } = await agentwire(scriptedChat(), { stdin: 'die\nsay more\n' });
    expect(code).toBe(1);
    expect(stderr).toContain('exited with code 7');
  });

  test('an agent that cannot be started is an error', async () => {
    expect((await agentwire(['--agent', 'no-such-agent'])).code).toBe(1);
  });

  test('Ctrl-C while it waits for a line leaves', async () => {
    const outcome = await agentwire(scriptedChat(), {
      stdin: 'say one\n',
      keepsStdin: true,
      meanwhile: (child) => child.stdout?.once('data', () => setTimeout(() => child.kill('SIGINT'), 300)),
    });
    expect(outcome).toEqual({ code: 130, stdout: 'one\n', stderr: '' });
  });
});
