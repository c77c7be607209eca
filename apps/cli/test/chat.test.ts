import { mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { within } from '../../../tools/pace.ts';
import { turnwire, scripted } from './command.ts';
import { inEmulator } from './interactive/emulator.ts';
import { sessionFixture } from './session-fixture.ts';
import { enter, inTerminal } from './terminal.ts';

let folder: string;
beforeAll(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'turnwire-chat-')));
});
afterAll(() => rm(folder, { recursive: true }));

const scriptedChat = (): readonly string[] => ['--agent', scripted(), '--cwd', folder];

describe('a chat in a terminal', () => {
  test('the built-in agent shows the diff of an edit and asks for permission first', async () => {
    await writeFile(join(folder, 'notes.txt'), 'alpha\n');
    const run = inEmulator(['--cwd', folder]);
    await run.until('/help for help');
    run.type(`replace "alpha" with "beta" in notes.txt${enter}`);
    const asked = await run.until(
      (lines) => lines.includes('  1 - alpha') && !lines.join('\n').includes('a question: '),
    );
    run.type('y');
    await run.until('Edited notes.txt.');
    expect({ asked, text: await readFile(join(folder, 'notes.txt'), 'utf8') }).toEqual({
      asked: expect.arrayContaining([
        '? Change a file',
        '  1 - alpha',
        '  1 + beta',
        '  the agent says: Edit notes.txt',
      ]) as unknown,
      text: 'beta\n',
    });
  });

  test('a refused edit leaves the file unchanged', async () => {
    await writeFile(join(folder, 'kept.txt'), 'alpha\n');
    const run = inEmulator(['--plain', '--cwd', folder]);
    await run.until((lines) => lines.at(-1) === '>');
    run.type(`replace "alpha" with "beta" in kept.txt${enter}`);
    await run.until('Answer (');
    run.type(`n${enter}`);
    await run.until('Refused');
    expect(await readFile(join(folder, 'kept.txt'), 'utf8')).toBe('alpha\n');
  });

  test('exec also asks on the terminal, and exits with 5 when the user refuses', async () => {
    const run = inTerminal(['exec', ...scriptedChat(), 'ask']);
    await run.until('Answer (1-4, ');
    run.type(`n${enter}`);
    await run.until('selected no');
    expect(await run.exitCode).toBe(5);
  });
});

describe('a chat without a terminal', () => {
  test('prompts are read line by line, and the chat ends with its input', async () => {
    expect(await turnwire(scriptedChat(), { stdin: 'say one\n\nsay two' })).toEqual({
      code: 0,
      stdout: 'one\ntwo\n',
      stderr: '',
    });
  });

  test('edits are refused, and the chat exits with success', async () => {
    expect(await turnwire(['chat', ...scriptedChat()], { stdin: 'ask\n' })).toEqual({
      code: 0,
      stdout: 'selected no\n',
      stderr:
        'turnwire: refused: Change a file: /project/notes-1.txt (there is no user to ask; --approve-all allows it)\n',
    });
  });

  test('the chat offers files to the agent, selects a model, and writes a trace', async () => {
    const { run, project } = await sessionFixture();
    const path = join(project, 'notes.txt');
    await writeFile(path, 'as it was');
    const stdin = `settings\nread ${path}\nwrite ${path}\n`;
    const outcome = await run(['chat', '--model', 'large', '--trace', 'trace.jsonl'], { stdin });
    expect({
      code: outcome.code,
      stdout: outcome.stdout.split('\n').slice(0, 2),
      text: await readFile(path, 'utf8'),
      traced: (await readFile(join(project, 'trace.jsonl'), 'utf8')).includes('session/prompt'),
    }).toEqual({ code: 0, stdout: ['code large', 'as it was'], text: 'as it was', traced: true });
    expect((await run(['chat', '--approve-all'], { stdin: `write ${path}\n` })).stdout).toBe('written\n');
  });

  test('the chat has the configured MCP servers', async () => {
    const { run, project } = await sessionFixture();
    const mcpServers = { one: { command: process.execPath } };
    await writeFile(join(project, 'mcp.json'), JSON.stringify({ mcpServers }));
    const { stdout } = await run(['chat', '--mcp-config', 'mcp.json'], { stdin: 'setup\n' });
    expect(JSON.parse(stdout)).toMatchObject({
      cwd: project,
      mcpServers: [{ name: 'one', command: process.execPath }],
    });
  });

  test('an agent that dies is an error', async () => {
    const { code, stderr } = await turnwire(scriptedChat(), { stdin: 'die\nsay more\n' });
    expect(code).toBe(1);
    expect(stderr).toContain('exited with code 7');
  });

  test('an agent that cannot start is an error', async () => {
    expect((await turnwire(['--agent', 'no-such-agent'])).code).toBe(1);
  });

  test('Ctrl-C leaves a chat that waits for a line', async () => {
    const outcome = await turnwire(scriptedChat(), {
      stdin: 'say one\n',
      keepsStdin: true,
      meanwhile: (child) => child.stdout?.once('data', () => setTimeout(() => child.kill('SIGINT'), within(300))),
    });
    expect(outcome).toEqual({ code: 130, stdout: 'one\n', stderr: '' });
  });
});
