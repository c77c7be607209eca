import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { turnwire, commandWords, execScripted, scripted, startSeconds } from './command.ts';

let folder: string;
beforeAll(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'turnwire-exec-')));
});
afterAll(() => rm(folder, { recursive: true }));

describe('what is printed', () => {
  test('text: the words of the agent are printed, with tool calls as lines between them', async () => {
    expect(await execScripted('tools')).toEqual({
      code: 0,
      stdout:
        'I look first.\n→ Search for TODO\n✓ Search for TODO\n→ Edit notes-1.txt\n✗ Edit notes-1.txt: disk full\nFound two.\n',
      stderr: '',
    });
  });

  test('text: only the changed lines of a plan are printed', async () => {
    expect((await execScripted('plan')).stdout).toBe('[>] first\n[ ] second\n[x] first\n[>] second\n');
  });

  test('text: warnings of the agent are printed, information is not', async () => {
    const told = (notice: object): string => `update ${JSON.stringify({ sessionUpdate: 'notice', ...notice })}`;
    const warning = { severity: 'warning', title: 'No server\u001b[2J.', description: 'It ended\nat once.' };
    expect((await execScripted(told(warning))).stdout).toBe('! No server. It ended at once.\n');
    expect((await execScripted(told({ severity: 'info', title: 'Instructions read' }))).stdout).toBe('');
  });

  test('quiet: only the final message is printed', async () => {
    expect(await execScripted('tools', '--format', 'quiet')).toEqual({ code: 0, stdout: 'Found two.\n', stderr: '' });
  });

  test('json: only the frames of both directions are printed, in order', async () => {
    const { code, stdout, stderr } = await execScripted('noise', '--format', 'json');
    const messages = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as { method?: string });
    expect({ code, stderr, methods: messages.map(({ method }) => method ?? 'answer') }).toEqual({
      code: 0,
      stderr: '',
      methods: ['initialize', 'answer', 'session/new', 'answer', 'session/prompt', 'session/update', 'answer'],
    });
  });

  test('control sequences never reach stdout, even in two parts', async () => {
    const { stdout } = await execScripted('parts a\u001b[3|1mred\u001b]0;tit|le\u0007\u202e\u009b2J\rend');
    expect(stdout).toBe('aredend\n');
    const title = JSON.stringify({
      sessionUpdate: 'tool_call',
      toolCallId: 'x',
      title: 'Read\u001b[2J\nnotes',
      status: 'completed',
    });
    expect((await execScripted(`update ${title}`)).stdout).toBe('✓ Read notes\n');
    const json = await execScripted('raw "\\u009b31m"', '--format', 'json');
    expect(json.stdout).not.toMatch(/\u009b/);
  });

  test('an unfinished tool call is settled at the end of the turn', async () => {
    const call = JSON.stringify({
      sessionUpdate: 'tool_call',
      toolCallId: 'x',
      title: 'Run the tests',
      status: 'in_progress',
    });
    expect((await execScripted(`update ${call}`)).stdout).toBe('→ Run the tests\n✗ Run the tests (not finished)\n');
  });

  test('a tool call is printed once its title is final', async () => {
    const offline = {
      ...{ ...process.env, TURNWIRE_CODER_MODEL: 'offline' },
      ...{ XDG_STATE_HOME: join(folder, 'state'), XDG_CONFIG_HOME: join(folder, 'config') },
    };
    const words = ['exec', '--cwd', folder, 'search for TODO then create made.txt with "x"'];
    const { stdout } = await turnwire(words, { env: offline });
    expect(stdout.split('\n').filter((line) => /^[→✓✗]/.test(line))).toEqual([
      '→ Search for TODO',
      '✓ Search for TODO',
      '→ Create made.txt',
      '✗ Create made.txt: Permission was refused; nothing was changed.',
    ]);
  });
});

test.runIf(existsSync('/dev/full')).each([
  [['exec', '--agent', scripted(), 'say hello'], 'stopped: '],
  [['agents'], ''],
])('output that cannot be written is an error, and stderr says why: %j', async (given, stopped) => {
  const words = [process.execPath, ...commandWords, ...given];
  const { code, stderr } = await new Promise<{ code: unknown; stderr: string }>((resolve) =>
    execFile('sh', ['-c', 'exec "$@" > /dev/full < /dev/null', 'sh', ...words], (error, _, printed) =>
      resolve({ code: error?.code, stderr: printed }),
    ),
  );
  expect({ code, stderr }).toEqual({
    code: 1,
    stderr: `turnwire: ${stopped}the output cannot be written (ENOSPC: no space left on device, write)\n`,
  });
});

test('quiet format prints a warning of the agent on stderr', async () => {
  const notice = (severity: string): string =>
    `update ${JSON.stringify({ sessionUpdate: 'notice', severity, title: 'The disk is nearly full', description: 'Free some' })}`;
  const outcomes = [
    await execScripted(notice('warning'), '--format', 'quiet'),
    await execScripted(notice('info'), '--format', 'quiet'),
  ];
  expect(outcomes.map(({ stderr }) => stderr)).toEqual(['turnwire: The disk is nearly full: Free some\n', '']);
});

describe('the source of the prompt', () => {
  const say = ['exec', '--agent', scripted()];

  test('several words form one prompt', async () => {
    expect((await turnwire([...say, 'say', 'two', 'words'])).stdout).toBe('two words\n');
  });

  test('without words and file, stdin is the prompt', async () => {
    expect((await turnwire(say, { stdin: 'say piped' })).stdout).toBe('piped\n');
    expect((await turnwire([...say, '-f', '-'], { stdin: 'say dashed' })).stdout).toBe('dashed\n');
    expect((await turnwire([...say, '-'], { stdin: 'say alone' })).stdout).toBe('alone\n');
  });

  test('the words follow the text of a file', async () => {
    const path = join(folder, 'prompt.md');
    await writeFile(path, 'say from a file\n');
    expect((await turnwire([...say, '--file', path])).stdout).toBe('from a file\n');
    expect((await turnwire([...say, '--file', path, 'and more'])).stdout).toBe('from a file\n\nand more\n');
  });

  test('an empty prompt and a missing file are refused', async () => {
    const empty = await turnwire(say);
    expect(empty).toEqual({
      code: 2,
      stdout: '',
      stderr: 'turnwire: the prompt is empty. Give it as an argument, with --file, or on stdin\nSee turnwire --help.\n',
    });
    const missing = join(folder, 'nowhere.md');
    const refusal = async (path: string): Promise<unknown> => turnwire([...say, '-f', path]);
    expect([await refusal(missing), await refusal(folder)]).toEqual([
      {
        code: 2,
        stdout: '',
        stderr: `turnwire: there is no file ${missing} to read the prompt from\nSee turnwire --help.\n`,
      },
      {
        code: 2,
        stdout: '',
        stderr: `turnwire: ${folder} is a folder, so there is no prompt in it\nSee turnwire --help.\n`,
      },
    ]);
  });
});

describe('permission without a terminal', () => {
  test('edits are refused, and stderr says which flag allows them', async () => {
    expect(await execScripted('ask')).toEqual({
      code: 5,
      stdout: 'selected no\n',
      stderr:
        'turnwire: refused: Change a file: /project/notes-1.txt (there is no user to ask; --approve-all allows it)\n',
    });
  });

  test.each([
    ['read', 'selected yes\n', 0],
    ['search', 'selected yes\n', 0],
    ['execute', 'selected no\n', 5],
    ['other', 'selected no\n', 5],
  ])('a permission request of kind %s is answered', async (kind, stdout, code) => {
    const outcome = await execScripted(`askKind ${kind}`);
    expect({ stdout: outcome.stdout, code: outcome.code }).toEqual({ stdout, code });
  });

  test('--approve-all picks an option that allows, --deny-all one that refuses, wherever it is in the list', async () => {
    expect(await execScripted('ask', '--approve-all')).toEqual({ code: 0, stdout: 'selected yes\n', stderr: '' });
    expect(await execScripted('askKind read', '--deny-all')).toEqual({ code: 5, stdout: 'selected no\n', stderr: '' });
  });
});

test('the title of a permission request names its call even if a rule answers', async () => {
  expect(await execScripted('askAndRun', '--approve-all')).toEqual({
    code: 0,
    stdout: 'selected yes\n✓ A read\n',
    stderr: '',
  });
});

describe('the agent', () => {
  test('the agent starts and works in --cwd, before or after the command', async () => {
    expect((await execScripted('cwd', '--cwd', folder)).stdout).toBe(`${folder}\n`);
    expect((await turnwire(['--cwd', folder, '--agent', scripted(), 'exec', 'place'])).stdout).toBe(`${folder}\n`);
    expect((await turnwire(['exec', 'cwd', '--agent', scripted()], { cwd: folder })).stdout).toBe(`${folder}\n`);
  });

  test('the agent gets the variables of --env and no secret', async () => {
    const env = { MY_TOKEN: 'secret' };
    const read = async (...words: readonly string[]): Promise<string> =>
      (await turnwire(['exec', '--agent', scripted(), ...words, 'env MY_TOKEN'], { env })).stdout;
    expect([await read(), await read('--env', 'MY_TOKEN'), await read('--env', 'MY_TOKEN=other=one')]).toEqual([
      'MY_TOKEN=unset\n',
      'MY_TOKEN=secret\n',
      'MY_TOKEN=other=one\n',
    ]);
  });

  test('an agent that does not exist is named in the error', async () => {
    const { code, stdout, stderr } = await turnwire(['exec', '--agent', 'no-such-agent --acp', 'hello']);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toContain('there is no program "no-such-agent"');
  });

  test('the error of an agent that exits at once quotes it without control sequences', async () => {
    const { code, stderr } = await turnwire(['exec', '--agent', scripted('die-at-once', 'A\u001b[31m'), 'hello']);
    expect(code).toBe(1);
    expect(stderr).toContain('exited with code 3. It printed on stderr:\ncannot find the key A\n');
  });

  test('an agent that dies in a turn leaves its output and an error', async () => {
    const { code, stdout, stderr } = await execScripted('die');
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toContain('exited with code 7. It printed on stderr:\nfatal: out of memory\n');
  });

  test('an error of the agent is printed with its details', async () => {
    expect(await execScripted('fail')).toEqual({
      code: 1,
      stdout: '',
      stderr: 'turnwire: the agent answered with an error: the model is away (no key)\n',
    });
  });
});

describe('stopping exec', () => {
  test('--timeout cancels the turn', async () => {
    expect(await execScripted('hang', '--timeout', startSeconds)).toEqual({
      code: 3,
      stdout: 'at work\n',
      stderr: `turnwire: stopped: it took longer than ${startSeconds} s\n`,
    });
  });

  test('--timeout also stops an agent that never answers', async () => {
    const { code, stderr } = await turnwire(['exec', '--timeout', '0.5', '--agent', scripted('mute'), 'hello']);
    expect({ code, stderr }).toEqual({ code: 3, stderr: 'turnwire: stopped: it took longer than 0.5 s\n' });
  });

  test('Ctrl-C cancels the turn', async () => {
    const outcome = await turnwire(['exec', '--agent', scripted(), 'hang'], {
      meanwhile: (child) => child.stdout?.once('data', () => child.kill('SIGINT')),
    });
    expect(outcome).toEqual({ code: 130, stdout: 'at work\n', stderr: '' });
  });

  test('a second Ctrl-C ends an agent that ignores the first', async () => {
    const outcome = await turnwire(['exec', '--agent', scripted(), 'deaf'], {
      meanwhile: (child) =>
        child.stdout?.once('data', () => {
          child.kill('SIGINT');
          const again = setInterval(() => child.kill('SIGINT'), 600);
          child.once('exit', () => clearInterval(again));
        }),
    });
    expect(outcome).toEqual({ code: 130, stdout: 'at work', stderr: '' });
  });

  test('two Ctrl-C at the same moment count as one', async () => {
    const outcome = await turnwire(['exec', '--agent', scripted(), '--format', 'json', 'hang'], {
      meanwhile: (child) =>
        child.stdout?.on('data', (chunk: Buffer) => {
          if (!chunk.includes('at work')) return;
          child.kill('SIGINT');
          // This process must not do anything else in this time.
          Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20);
          child.kill('SIGINT');
        }),
    });
    expect(outcome.stdout.trimEnd().split('\n').at(-1)).toBe(
      '{"jsonrpc":"2.0","id":2,"result":{"stopReason":"cancelled"}}',
    );
    expect(outcome.code).toBe(130);
  });

  test('SIGTERM cancels the turn, with its own exit code', async () => {
    const outcome = await turnwire(['exec', '--agent', scripted(), 'hang'], {
      meanwhile: (child) => child.stdout?.once('data', () => child.kill('SIGTERM')),
    });
    expect(outcome).toEqual({ code: 143, stdout: 'at work\n', stderr: '' });
  });
});

describe('the built-in agent', () => {
  const notes = (): string => join(folder, 'notes.txt');
  beforeEach(() => writeFile(notes(), 'alpha\nTODO: write\n'));

  test('the built-in agent searches the real folder', async () => {
    const { code, stdout, stderr } = await turnwire(['exec', '--cwd', folder, 'search for TODO']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain('notes.txt:2: TODO: write');
  });

  test('the built-in agent edits a file with permission', async () => {
    const { code, stdout } = await turnwire([
      'exec',
      '--approve-all',
      '--cwd',
      folder,
      'replace "alpha" with "beta" in notes.txt',
    ]);
    expect({ code, text: await readFile(notes(), 'utf8') }).toEqual({ code: 0, text: 'beta\nTODO: write\n' });
    expect(stdout).toContain('✓ Edit notes.txt (+1 −1)\n');
  });

  test('the built-in agent leaves a file untouched without permission', async () => {
    const { code } = await turnwire([
      'exec',
      '--deny-all',
      '--cwd',
      folder,
      'replace "alpha" with "beta" in notes.txt',
    ]);
    expect({ code, text: await readFile(notes(), 'utf8') }).toEqual({ code: 5, text: 'alpha\nTODO: write\n' });
  });
});

describe('the end of the command', () => {
  test('a reader that leaves early ends the command quietly', async () => {
    const outcome = await turnwire(['exec', '--agent', scripted(), 'flood 100000'], {
      meanwhile: (child) => child.stdout?.once('data', () => child.stdout?.destroy()),
    });
    expect({ code: outcome.code, stderr: outcome.stderr }).toEqual({ code: 1, stderr: '' });
  });
});

test('a tool that ran without permission is reported once, unless everything is allowed', async () => {
  const call = { toolCallId: 'call-1', title: 'Tidy up', kind: 'execute', rawInput: { command: 'rm -r build' } };
  const ran = { sessionUpdate: 'tool_call', ...call, status: 'completed' };
  const told = await execScripted(`update ${JSON.stringify(ran)}`);
  const allowed = await execScripted(`update ${JSON.stringify(ran)}`, '--approve-all');
  expect([told.code, told.stderr, allowed.code, allowed.stderr]).toEqual([
    0,
    'turnwire: The agent ran the command rm -r build without asking for permission. It would have been asked: no rule covers the command rm -r build, and approval is default. Configure in the agent itself, or with its mode, what it may do without asking.\n',
    0,
    '',
  ]);
});
