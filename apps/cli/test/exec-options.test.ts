import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { sessionFixture } from './session-fixture.ts';

describe('the set-up of the session', () => {
  test('a session is set up with folders, MCP servers and the settings of known agents', async () => {
    const { run, project } = await sessionFixture();
    await writeFile(join(project, 'mcp.json'), JSON.stringify({ mcpServers: { one: { command: process.execPath } } }));
    const words = [
      '--mcp-config',
      'mcp.json',
      '--add-dir',
      '/',
      '--append-system-prompt',
      'Be brief.',
      '--max-turns',
      '3',
    ];
    const { stdout } = await run([
      'exec',
      'setup',
      '--allowed-tools',
      'Read,Bash(git *)',
      '--model',
      'large',
      ...words,
    ]);
    expect(JSON.parse(stdout)).toEqual({
      cwd: project,
      additionalDirectories: ['/'],
      mcpServers: [{ name: 'one', command: process.execPath, args: [], env: [] }],
      _meta: {
        systemPrompt: { append: 'Be brief.' },
        claudeCode: { options: { maxTurns: 3, model: 'large' } },
      },
    });
  });

  test('exec sets the model and options before the turn', async () => {
    const { run } = await sessionFixture();
    expect((await run(['exec', '--model', 'large', 'settings'])).stdout).toBe('code large\n');
    expect((await run(['exec', '--config-option', 'model=large', 'settings'])).stdout).toBe('code large\n');
  });

  test('an unreadable MCP configuration is an error of the command line', async () => {
    const { run } = await sessionFixture();
    const { code, stderr } = await run(['exec', 'setup', '--mcp-config', 'nowhere.json']);
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining('there is no such file') });
  });
});

describe('the offers to the agent', () => {
  test('the agent is offered files and terminals, unless options forbid them', async () => {
    const { run } = await sessionFixture();
    const offered = async (...words: readonly string[]): Promise<unknown> => {
      const { fs, terminal } = JSON.parse((await run(['exec', 'capabilities', ...words])).stdout) as Record<
        string,
        unknown
      >;
      return { fs, terminal };
    };
    const fs = { readTextFile: true, writeTextFile: true };
    expect([await offered(), await offered('--no-fs'), await offered('--no-terminal')]).toEqual([
      { fs, terminal: true },
      { fs: { readTextFile: false, writeTextFile: false }, terminal: true },
      { fs, terminal: false },
    ]);
  });

  test('files are read without a question, but written only with permission', async () => {
    const { run, project } = await sessionFixture();
    const path = join(project, 'notes.txt');
    await writeFile(path, 'as it was');
    expect((await run(['exec', `read ${path}`])).stdout).toBe('as it was\n');
    expect((await run(['exec', `write ${path}`])).code).toBe(5);
    expect(await readFile(path, 'utf8')).toBe('as it was');
    expect(await run(['exec', '--approve-all', `write ${path}`])).toEqual({
      code: 0,
      stdout: 'written\n',
      stderr: '',
    });
    expect(await readFile(path, 'utf8')).toBe('written');
  });

  test('commands run only with permission', async () => {
    const { run } = await sessionFixture();
    expect((await run(['exec', 'execute echo hello'])).code).toBe(5);
    expect((await run(['exec', '--approve-all', 'execute echo hello'])).stdout).toBe('hello\n');
  });

  test('--answers answers the questions of the agent', async () => {
    const { run, project } = await sessionFixture();
    await writeFile(join(project, 'answers.json'), '{"colour": "blue"}');
    expect((await run(['exec', 'form', '--answers', 'answers.json'])).stdout).toBe(
      '{"action":"accept","content":{"colour":"blue"}}\n',
    );
    const { code, stderr } = await run(['exec', 'form', '--answers', 'nowhere.json']);
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: expect.stringContaining('nowhere.json: cannot be read: there is no such file.'),
    });
    expect((await run(['exec', 'form', '--answers', '{"colour": "red"}'])).stdout).toBe(
      '{"action":"accept","content":{"colour":"red"}}\n',
    );
    expect((await run(['exec', 'form', '--policy', 'nowhere.json'])).stderr).toBe(stderr);
  });
});

describe('a prompt', () => {
  test('a prompt contains the files that it mentions, and an image', async () => {
    const { run, project } = await sessionFixture();
    await writeFile(join(project, 'notes.txt'), 'notes');
    const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
    await writeFile(join(project, 'dot.png'), Buffer.from(png, 'base64'));
    expect((await run(['exec', 'blocks of @notes.txt'])).stdout).toBe('text resource\n');
    expect((await run(['exec', '-f', 'dot.png', 'blocks'])).stdout).toBe('text image\n');
    expect((await run(['exec', '-f', '-'], { stdin: 'blocks of @notes.txt' })).stdout).toBe('text\n');
  });
});

describe('the rules of permission', () => {
  const edit = `wants {"kind":"edit","locations":[{"path":"notes.txt"}]}`;
  const git = `wants {"kind":"execute","rawInput":{"command":"git status"}}`;

  test('--policy decides, as a file or as JSON', async () => {
    const { run, project } = await sessionFixture();
    await writeFile(join(project, 'policy.json'), '{"autoApprove": ["Bash(git *)"], "defaultAction": "deny"}');
    expect((await run(['exec', git, '--policy', 'policy.json'])).stdout).toBe('yes\n');
    expect((await run(['exec', edit, '--policy', 'policy.json'])).stdout).toBe('no\n');
    const denying = '{"autoDeny": ["execute"]}';
    expect((await run(['exec', git, '--approve-all', '--permission-policy', denying])).stdout).toBe('no\n');
    const { code, stderr } = await run(['exec', git, '--policy', '{"autoAprove": []}']);
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining('"autoAprove" is unknown') });
    await writeFile(join(project, 'broken.json'), '{"autoApprove": [}');
    for (const [option, broken, what] of [
      ['--policy', '{bad', 'the text after --policy'],
      ['--policy', 'broken.json', join(project, 'broken.json')],
      ['--answers', '{bad', 'the text after --answers'],
    ] as const) {
      const failed = await run(['exec', git, option, broken]);
      expect([failed.code, failed.stderr.startsWith(`turnwire: ${what} is not valid JSON (`)]).toEqual([2, true]);
    }
  });

  test('--allowed-tools allows only the tools of its list', async () => {
    const { run } = await sessionFixture();
    const only = ['--allowed-tools', 'Bash(git *)'];
    expect((await run(['exec', git, ...only])).stdout).toBe('yes\n');
    expect((await run(['exec', edit, '--approve-all', ...only])).stdout).toBe('no\n');
    expect((await run(['exec', git, '--approve-all', '--allowed-tools', ''])).stdout).toBe('no\n');
  });

  test('--permission-mode decides', async () => {
    const { run, project } = await sessionFixture();
    const inside = `wants {"kind":"edit","locations":[{"path":${JSON.stringify(join(project, 'notes.txt'))}}]}`;
    expect((await run(['exec', inside, '--permission-mode', 'acceptEdits'])).stdout).toBe('yes\n');
    expect((await run(['exec', inside, '--permission-mode', 'plan'])).stdout).toBe('no\n');
  });
});

describe('other options', () => {
  test('--prompt-retries repeats a turn that failed without an effect', async () => {
    const { run } = await sessionFixture();
    expect((await run(['exec', 'failOnce'])).code).toBe(1);
    const retried = await run(['exec', 'failOnce', '--prompt-retries', '1']);
    expect(retried).toEqual({
      code: 0,
      stdout: 'try 2\n',
      stderr: 'turnwire: the turn failed (the model is busy); trying again in 1 s, 1 left\n',
    });
  });

  test('--max-cost stops the turn with its own exit code', async () => {
    const { run } = await sessionFixture();
    expect(await run(['exec', 'cost 2', '--max-cost', '1.5'])).toEqual({
      code: 6,
      stdout: '',
      stderr:
        'turnwire: --max-cost may have no effect: this agent has not reported a cost yet\n' +
        'turnwire: stopped: the session has cost 2 USD, more than the limit of 1.5\n',
    });
    expect(await run(['exec', 'say hello', '--max-cost', '1.5'])).toEqual({
      code: 0,
      stdout: 'hello\n',
      stderr: 'turnwire: the agent reports no cost, so the limit of 1.5 has no effect\n',
    });
  });

  test('--suppress-reads leaves the text of read files out of the stream', async () => {
    const { run, project } = await sessionFixture();
    const path = join(project, 'notes.txt');
    await writeFile(path, 'secret of the file');
    const { stdout } = await run(['exec', `read ${path}`, '--format', 'json', '--suppress-reads']);
    expect(stdout).toContain('"content":"[read output suppressed]"');
  });

  test('--trace writes the messages without the values of variables', async () => {
    const { run, project } = await sessionFixture();
    await run(['exec', 'env MY_KEY', '--env', 'MY_KEY=very-secret', '--trace', 'trace.jsonl']);
    const trace = await readFile(join(project, 'trace.jsonl'), 'utf8');
    expect([trace.includes('session/prompt'), trace.includes('very-secret')]).toEqual([true, false]);
  });

  test('--auth-policy fail refuses an agent that offers logins', async () => {
    const { run } = await sessionFixture('login');
    expect((await run(['exec', 'say x'])).stdout).toBe('x\n');
    expect(await run(['exec', 'say x', '--auth-policy', 'fail'])).toEqual({
      code: 1,
      stdout: '',
      stderr: 'turnwire: the agent offers logins and --auth-policy is fail. Name one with --auth: key (A key)\n',
    });
  });

  test('sessions list contains sessions without a prompt, which the agent does not list', async () => {
    const { run, project } = await sessionFixture('list');
    await run(['sessions', 'new', '--name', 'later']);
    await run(['sessions', 'new', '--name', 'now']);
    await run(['-s', 'now', 'say x']);
    const lines = (await run(['sessions', 'list'])).stdout.trimEnd().split('\n');
    const { sessions } = JSON.parse((await run(['sessions', 'list', '--format', 'json'])).stdout) as {
      sessions: readonly { title: string }[];
    };
    expect([lines.map((line) => line.split('\t').slice(1, 3)), sessions.map(({ title }) => title)]).toEqual([
      [
        ['later', project],
        ['One', '/somewhere'],
      ],
      ['later', 'One\u001b[31m'],
    ]);
  });

  test('sessions list prints the list of an agent that keeps one, page by page', async () => {
    const { run, project } = await sessionFixture('list');
    expect(await run(['sessions'])).toEqual({
      code: 0,
      stdout: 'of all\tOne\t/somewhere\t-\n',
      stderr: 'turnwire: there are more: --cursor page-2\n',
    });
    const { stdout } = await run(['sessions', 'list', '--cursor', 'page-2', '--filter-cwd', '.', '--format', 'quiet']);
    expect(stdout).toBe(`of ${project} page-2\n`);
  });
});
