import { chmod, readdir, stat, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { agentFixture, serve } from './agent-fixture.ts';

/** The rows of a table, by their first word. */
function rows(stdout: string): Readonly<Record<string, string>> {
  const lines = stdout.split('\n').filter((line) => line !== '');
  return Object.fromEntries(lines.map((line) => [line.split('\t')[0] ?? '', line.replaceAll('\t', ' | ')]));
}

describe('agents list', () => {
  test('agents list prints the built-in agent, the known agents, and the configured agents with the file that names each', async () => {
    const { run, write, userConfig, projectConfig } = await agentFixture();
    await write(
      userConfig,
      JSON.stringify({ agents: { mine: 'my-agent --acp --api-key=sk-0123456789abcdef0123', gemini: 'my-gemini' } }),
    );
    await write(
      projectConfig,
      JSON.stringify({ agents: { mine: 'theirs', ours: { command: process.execPath, args: ['x.js'] } } }),
    );
    const { code, stdout } = await run('agents');
    const { coder, claude, mine, gemini, ours } = rows(stdout);
    expect({ code, coder, claude, mine, gemini, ours }).toEqual({
      code: 0,
      coder: expect.stringMatching(/^coder \| built-in \| built in \| .* coder$/),
      claude: 'claude | known | not installed; npx can download it | claude-agent-acp',
      mine: 'mine | user, not project | not installed | my-agent --acp --api-key=[redacted]',
      gemini: 'gemini | user, not known | not installed | my-gemini',
      ours: `ours | project | not accepted | ${process.execPath} x.js`,
    });
  });

  test('agents list says which agents are installed and what the others need', async () => {
    const { run, write, project } = await agentFixture();
    for (const name of ['codex-acp', 'pi-acp']) {
      const path = join(project, '..', 'bin', name);
      await write(path, '#!/bin/sh\n');
      await chmod(path, 0o755);
    }
    const { codex, pi, qwen } = rows((await run('agents', 'list')).stdout);
    expect({ codex, pi, qwen }).toEqual({
      codex: 'codex | known | installed | codex-acp',
      pi: 'pi | known | needs pi | pi-acp',
      qwen: 'qwen | known | not installed; npx can download it | qwen --acp',
    });
  });
});

describe('agents show', () => {
  test('agents show prints the details of an agent', async () => {
    const { run } = await agentFixture();
    expect(await run('agents', 'show', 'pi')).toEqual({
      code: 0,
      stderr: '',
      stdout: [
        'agent: pi (Pi)',
        'source: known',
        'command: pi-acp',
        'program: not installed',
        'version: the installed one; tested with 0.0.34',
        'install: npm install -g pi-acp@0.0.34; or through npx: turnwire agents get pi',
        'documentation: https://github.com/svkozak/pi-acp',
        'difference: it never asks for permission',
        '',
      ].join('\n'),
    });
  });

  test('agents show prints no values of environment variables', async () => {
    const { run, write, userConfig } = await agentFixture();
    const agent = { command: 'npx', args: ['--yes', 'some-agent@1.2.3'], env: { TOKEN: 'open-sesame' } };
    await write(userConfig, JSON.stringify({ agents: { some: agent } }));
    const text = await run('agents', 'show', 'some');
    const json = await run('agents', 'show', 'some', '--format', 'json');
    expect([text, { ...json, stdout: JSON.parse(json.stdout) as unknown }]).toEqual([
      {
        code: 0,
        stderr: '',
        stdout: `agent: some\nsource: user, ${userConfig}\ncommand: npx --yes some-agent@1.2.3\nvariables: TOKEN\nprogram: not installed\nversion: 1.2.3 (pinned)\n`,
      },
      {
        code: 0,
        stderr: '',
        stdout: {
          name: 'some',
          source: 'user',
          file: userConfig,
          command: ['npx', '--yes', 'some-agent@1.2.3'],
          variables: ['TOKEN'],
          installed: false,
          version: '1.2.3',
          differences: [],
          hidden: [],
        },
      },
    ]);
  });

  test('agents show fails for an unknown agent', async () => {
    const { run } = await agentFixture();
    expect(await run('agents', 'show', 'nobody')).toEqual({
      code: 2,
      stdout: '',
      stderr: "turnwire: there is no agent 'nobody'. See turnwire agents list\nSee turnwire --help.\n",
    });
  });
});

describe('agents add', () => {
  test('agents add writes into the user’s file and keeps the rest of the file', async () => {
    const { run, write, read, userConfig } = await agentFixture();
    const before =
      '{\n  // my favourite\n  "defaultAgent": "coder",\n  "strange": [1,2],\n  "agents": {\n    // still good\n    "old": "old-agent"\n  }\n}\n';
    await write(userConfig, before);
    const added = await run(
      'agents',
      'add',
      'mine',
      '--env',
      'TOKEN=open-sesame',
      '--',
      process.execPath,
      'x.js',
      '--acp',
    );
    expect({ added: { ...added, stderr: '' }, file: await read(userConfig) }).toEqual({
      added: { code: 0, stderr: '', stdout: `mine is ${process.execPath} x.js --acp\nwritten to ${userConfig}\n` },
      file: before.replace(
        '"old-agent"',
        `"old-agent",\n    "mine": {\n      "command": "${process.execPath}",\n      "args": [\n        "x.js",\n        "--acp"\n      ],\n      "env": {\n        "TOKEN": "open-sesame"\n      }\n    }`,
      ),
    });
    expect(rows((await run('agents')).stdout)['mine']).toBe(`mine | user | installed | ${process.execPath} x.js --acp`);
  });

  test('agents add creates a file that only its owner may read, and writes through a link', async () => {
    const { run, write, read, userConfig, project } = await agentFixture();
    await run('agents', 'add', 'one', '--', process.execPath);
    const { mode } = await stat(userConfig);
    const elsewhere = join(project, 'linked.json');
    await write(elsewhere, '{}\n');
    await write(join(project, '.turnwire', 'x'), '');
    await symlink(elsewhere, join(project, '.turnwire', 'config.json'));
    const { code } = await run('agents', 'add', 'two', '--project', '--', process.execPath);
    expect({ mode: mode & 0o777, code, linked: JSON.parse(await read(elsewhere)) as unknown }).toEqual({
      mode: 0o600,
      code: 0,
      linked: { agents: { two: { command: process.execPath } } },
    });
  });

  test('an agent that was added can be used at once', async () => {
    const { run, project, write } = await agentFixture();
    await write(join(project, 'no agent.mjs'), 'process.stderr.write("just a program\\n");\n');
    await run('agents', 'add', 'mine', '--', process.execPath, 'no agent.mjs');
    const { code, stdout } = await run('mine', 'doctor', '--format', 'quiet');
    expect({ code, stdout }).toEqual({ code: 1, stdout: 'initialize\n' });
  });

  test.each([
    [['doctor', '--', 'x'], 2, 'doctor is a command, so it cannot be the name of an agent\nSee turnwire --help.'],
    [
      ['coder', '--', 'x'],
      2,
      'coder is the name of the built-in agent, so another agent cannot have it\nSee turnwire --help.',
    ],
    [
      ['a b', '--', 'x'],
      2,
      "'a b' is not a valid name for an agent: use letters, digits, dots, dashes and underscores, and begin with a letter or a digit\nSee turnwire --help.",
    ],
    [['mine'], 2, 'give its command after --: turnwire agents add NAME -- COMMAND\nSee turnwire --help.'],
    [[], 2, 'give the agent a name: turnwire agents add NAME -- COMMAND\nSee turnwire --help.'],
    [
      ['mine', '--env', 'TOKEN', '--', 'x'],
      2,
      '--env TOKEN has no value. A configuration stores values: --env TOKEN=VALUE; to pass a variable on, give --env with each command\nSee turnwire --help.',
    ],
  ])('agents add %j is refused', async (words, code, message) => {
    const { run } = await agentFixture();
    expect(await run('agents', 'add', ...words)).toEqual({ code, stdout: '', stderr: `turnwire: ${message}\n` });
  });

  test('agents add replaces an agent only on request, and warns when another entry takes precedence', async () => {
    const { run, userConfig, projectConfig } = await agentFixture();
    await run('agents', 'add', 'mine', '--', process.execPath);
    const again = await run('agents', 'add', 'mine', '--', 'other');
    const replaced = await run('agents', 'add', 'mine', '--replace', '--', process.execPath, 'y.js');
    const shadowed = await run('agents', 'add', 'mine', '--project', '--', process.execPath);
    expect([again, replaced, shadowed.stdout, shadowed.stderr.split('\n').at(-2)]).toEqual([
      {
        code: 1,
        stdout: '',
        stderr: `turnwire: ${userConfig} has an agent 'mine' already. To replace it: --replace\n`,
      },
      { code: 0, stdout: `mine is ${process.execPath} y.js\nwritten to ${userConfig}\n`, stderr: '' },
      `mine is ${process.execPath}\nwritten to ${projectConfig}\n`,
      `turnwire: it is not used here: the 'mine' in ${userConfig} takes precedence`,
    ]);
  });
});

test('agents remove removes an agent, and names the file of another one with the same name', async () => {
  const { run, read, write, userConfig, projectConfig } = await agentFixture();
  await write(userConfig, '{\n  "agents": {\n    // first\n    "one": "a",\n    "two": "b"\n  }\n}\n');
  await write(projectConfig, '{"agents": {"three": "c"}}');
  const removed = await run('agents', 'remove', 'two');
  const elsewhere = await run('agents', 'remove', 'three');
  const gone = await run('agents', 'remove', 'two');
  const fromProject = await run('agents', 'remove', 'three', '--project', '--format', 'json');
  expect({ removed, elsewhere, gone, fromProject, file: await read(userConfig) }).toEqual({
    removed: { code: 0, stdout: `two is no longer in ${userConfig}\n`, stderr: '' },
    elsewhere: {
      code: 1,
      stdout: '',
      stderr: `turnwire: no agent 'three' is configured in your own configuration. It is in ${projectConfig}: turnwire agents remove three --project\n`,
    },
    gone: { code: 1, stdout: '', stderr: "turnwire: no agent 'two' is configured in your own configuration\n" },
    fromProject: {
      code: 0,
      stdout: `${JSON.stringify({ action: 'agent_removed', name: 'three', file: projectConfig })}\n`,
      stderr: '',
    },
    file: '{\n  "agents": {\n    // first\n    "one": "a"\n  }\n}\n',
  });
});

describe('the agent registry', () => {
  const registry = {
    version: '1.0.0',
    agents: [
      {
        id: 'goose',
        name: 'Goose\u001b[31m',
        version: '1.4.0',
        description: 'Honks \u001b[2Jat code',
        distribution: { npx: { package: '@birds/goose@latest', args: ['--acp'], env: { GOOSE_QUIET: '1' } } },
      },
      {
        id: 'duck',
        name: 'Duck',
        version: '2.0.0',
        description: 'Quacks',
        distribution: { uvx: { package: 'duck-agent==2.0.1', cmd: 'duck', args: ['acp'] } },
      },
      {
        id: 'swan',
        name: 'Swan',
        version: '3.0.0',
        description: 'Glides',
        distribution: { npx: { package: 'swan@3.0.0', cmd: 'swan-acp' } },
      },
      {
        id: 'owl',
        name: 'Owl',
        version: '4.0.0',
        description: 'Looks',
        distribution: {
          binary: { 'linux-x86_64': { archive: 'https://example.com/owl.tar.gz', cmd: './owl', args: ['acp'] } },
        },
      },
      { id: 'Bad Id', name: 'x', version: '1.0.0', description: '', distribution: { npx: { package: 'x' } } },
      {
        id: 'evil',
        name: 'x',
        version: '1.0.0',
        description: '',
        distribution: { npx: { package: '--registry=somewhere' } },
      },
    ],
  };
  const body = JSON.stringify(registry);

  test('the registry is listed, fetched once a day, and revalidated with its ETag after that', async () => {
    const asked: (string | undefined)[] = [];
    const { url } = await serve((request, response) => {
      asked.push(request.headers['if-none-match']);
      if (request.headers['if-none-match'] === '"v1"') response.writeHead(304).end();
      else response.writeHead(200, { etag: '"v1"' }).end(body);
    });
    const { runWith, read, write, project } = await agentFixture();
    const first = await runWith({ TURNWIRE_REGISTRY: url }, 'agents', 'list', '--registry');
    const second = await runWith({ TURNWIRE_REGISTRY: url }, 'agents', 'list', '--registry');
    const cache = join(project, '..', 'cache', 'turnwire', 'registry');
    const [name = ''] = await readdir(cache);
    const old = { ...(JSON.parse(await read(join(cache, name))) as object), fetchedAt: '2020-01-01T00:00:00.000Z' };
    await write(join(cache, name), JSON.stringify(old));
    const third = await runWith({ TURNWIRE_REGISTRY: url }, 'agents', 'list', '--registry');
    expect({ rows: rows(first.stdout), again: [second, third], asked }).toEqual({
      rows: {
        goose: 'goose | 1.4.0 | npx | Honks at code',
        duck: 'duck | 2.0.0 | uvx | Quacks',
        swan: 'swan | 3.0.0 | npx | Glides',
        owl: 'owl | 4.0.0 | download | Looks',
      },
      again: [first, first],
      asked: [undefined, '"v1"'],
    });
  });

  test('when the registry cannot be reached, the cached copy is used and stderr says so', async () => {
    const { url, close } = await serve((_, response) => response.end(body));
    const { runWith, read, write, project } = await agentFixture();
    const env = { TURNWIRE_REGISTRY: url };
    const online = await runWith(env, 'agents', 'list', '--registry', '--format', 'quiet');
    await close();
    const cache = join(project, '..', 'cache', 'turnwire', 'registry');
    const [name = ''] = await readdir(cache);
    await write(
      join(cache, name),
      JSON.stringify({
        ...(JSON.parse(await read(join(cache, name))) as object),
        fetchedAt: '2020-01-02T00:00:00.000Z',
      }),
    );
    const offline = await runWith(env, 'agents', 'list', '--registry', '--format', 'quiet');
    const other = await runWith({ TURNWIRE_REGISTRY: `${url}?other` }, 'agents', 'list', '--registry');
    expect([online, offline, other]).toEqual([
      { code: 0, stdout: 'goose\nduck\nswan\nowl\n', stderr: '' },
      {
        code: 0,
        stdout: 'goose\nduck\nswan\nowl\n',
        stderr: expect.stringMatching(
          /^turnwire: the registry http:.* cannot be reached: .*ECONNREFUSED.*\. The copy of 2020-01-02 is used\n$/,
        ),
      },
      {
        code: 1,
        stdout: '',
        stderr: expect.stringMatching(
          /^turnwire: the registry http:.* cannot be reached: .*ECONNREFUSED.*\. There is no cached copy; try again when you are online\n$/,
        ),
      },
    ]);
  });

  test.each([
    [
      'an error',
      (response: { writeHead(status: number): { end(): void } }) => response.writeHead(500).end(),
      'it answered with status 500',
    ],
    ['no JSON', (response: { end(text: string): void }) => response.end('<html>'), 'its answer is not JSON'],
    [
      'something else',
      (response: { end(text: string): void }) => response.end('{"agents": 3}'),
      'its answer is not a registry',
    ],
    [
      'too much',
      (response: { end(text: string): void }) => response.end(' '.repeat(9 * 1024 * 1024)),
      'it is larger than 8 MiB',
    ],
  ])('a registry that answers with %s is refused', async (_, answer, why) => {
    const { url } = await serve((__, response) => answer(response as never));
    const { runWith } = await agentFixture();
    expect(await runWith({ TURNWIRE_REGISTRY: url }, 'agents', 'list', '--registry')).toEqual({
      code: 1,
      stdout: '',
      stderr: `turnwire: the registry ${url} cannot be reached: ${why}. There is no cached copy; try again when you are online\n`,
    });
  });

  test('agents add --from-registry writes exact versions', async () => {
    const { url } = await serve((_, response) => response.end(body));
    const { run, write, read, userConfig } = await agentFixture();
    await write(userConfig, JSON.stringify({ registry: url }));
    const codes = [
      (await run('agents', 'add', '--from-registry', 'goose')).code,
      (await run('agents', 'add', '--from-registry', 'duck')).code,
      (await run('agents', 'add', 'bird', '--from-registry', 'swan')).code,
    ];
    expect({ codes, config: JSON.parse(await read(userConfig)) as unknown }).toEqual({
      codes: [0, 0, 0],
      config: {
        registry: url,
        agents: {
          goose: { command: 'npx', args: ['--yes', '@birds/goose@1.4.0', '--acp'], env: { GOOSE_QUIET: '1' } },
          duck: { command: 'uvx', args: ['--from', 'duck-agent==2.0.1', 'duck', 'acp'] },
          bird: { command: 'npx', args: ['--yes', '--package=swan@3.0.0', '--', 'swan-acp'] },
        },
      },
    });
  });

  test('agents add --from-registry explains what to do about an agent that it cannot add', async () => {
    const { url } = await serve((_, response) => response.end(body));
    const { runWith } = await agentFixture();
    const add = async (id: string): Promise<string> =>
      (await runWith({ TURNWIRE_REGISTRY: url }, 'agents', 'add', '--from-registry', id)).stderr;
    expect([await add('owl'), await add('nobody')]).toEqual([
      expect.stringMatching(
        process.platform === 'linux' && process.arch === 'x64'
          ? /^turnwire: owl has to be downloaded by hand.* turnwire agents add owl -- \/path\/to\/owl acp\n$/
          : /^turnwire: the registry has no owl for this platform/,
      ),
      "turnwire: the registry has no agent 'nobody'. See turnwire agents list --registry\n",
    ]);
  });

  test('the registry of a project file is ignored, and a registry that is not a URL is refused', async () => {
    const { run, runWith, write, projectConfig } = await agentFixture();
    const wrong = await runWith({ TURNWIRE_REGISTRY: 'somewhere' }, 'agents', 'list');
    await write(projectConfig, '{"registry": "http://127.0.0.1:1/"}');
    const { stderr } = await run('agents', 'list');
    expect([wrong.code, wrong.stderr, stderr]).toEqual([
      2,
      'turnwire: the registry somewhere is not a URL. Set one that begins with https:// in TURNWIRE_REGISTRY, or as "registry" in the configuration\nSee turnwire --help.\n',
      expect.stringContaining('"registry" is left out: a project\'s file may not set it'),
    ]);
  });
});
