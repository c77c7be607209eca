import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { readTrace } from '@turnwire/trace/node';
import { describe, expect, test } from 'vitest';
import { agentFixture } from './agent-fixture.ts';
import { turnwire, commandWords, plainEnvironment } from './command.ts';

const node = process.execPath;

/** A well-behaved agent that initializes, and one that answers with a version nobody asked for. */
const initializing = (version: number | string): string => `
import { createInterface } from 'node:readline';
for await (const line of createInterface({ input: process.stdin })) {
  const { id, method } = JSON.parse(line);
  if (method === 'initialize') {
    const result = { protocolVersion: ${version}, agentCapabilities: {}, agentInfo: { name: 'tiny\\u001b[31m', version: '1' } };
    console.log(JSON.stringify({ jsonrpc: '2.0', id, result }));
  } else if (id !== undefined) console.log(JSON.stringify({ jsonrpc: '2.0', id, error: { code: -32601, message: 'no' } }));
}
`;

/** A place with two small agents, told by paths that are seen from there. */
async function checkFixture(): Promise<Awaited<ReturnType<typeof agentFixture>>> {
  const fixture = await agentFixture();
  await writeFile(join(fixture.project, 'good.mjs'), initializing(1));
  await writeFile(join(fixture.project, 'bad.mjs'), initializing('"one"'));
  return fixture;
}

const only = ['--only', 'initialize/answer', '--seed', '7'];

function untimed(text: string): string {
  return text.replaceAll(/\d+\.\d s/g, '… s').replaceAll(/[\d.]+ ms/g, '… ms');
}

test('checking the built-in agent adds nothing to the sessions of the user', async () => {
  const { runWith, project } = await checkFixture();
  const state = join(project, 'state');
  const agent = [node, ...commandWords, 'coder'];
  const { code } = await runWith({ XDG_STATE_HOME: state }, 'check', '--only', 'new-session/apart', '--', ...agent);
  expect([code, existsSync(join(state, 'turnwire', 'coder'))]).toEqual([0, false]);
});

test('an agent that meets the selected requirements conforms, and it starts in the folder of the user', async () => {
  const { run } = await checkFixture();
  const { stdout, ...rest } = await run('check', ...only, '--only', 'R035', '--', node, 'good.mjs');
  const lines = untimed(stdout).split('\n');
  expect({ ...rest, first: lines.slice(0, 5), last: lines.at(-2) }).toEqual({
    code: 0,
    stderr: '',
    first: [
      'tiny 1',
      `agent: ${node} good.mjs`,
      '1 scenario in … s, seed 7',
      '',
      expect.stringMatching(/^ +failed {2}passed/),
    ],
    last: expect.stringMatching(/^Conforms, as far as it was tested: (?:all )?\d+ (?:of \d+ )?requirements were seen/),
  });
});

test('a broken requirement is printed with the frames that prove it', async () => {
  const { run } = await checkFixture();
  const { code, stdout } = await run('check', ...only, '--', node, 'bad.mjs');
  const lines = untimed(stdout).split('\n');
  const broken = lines.slice(lines.indexOf('Broken'), lines.indexOf('Broken') + 8).join('\n');
  expect({ code, broken, last: lines.at(-2) }).toEqual({
    code: 1,
    broken: expect.stringMatching(
      /^Broken\n\nMUST, implied · Initialization\n {2}✗ R0\d\d .*\n( .*\n)*? +← … ms answer to 0 \{"protocolVersion":"one"/,
    ),
    last: expect.stringMatching(/^Does not conform: it breaks (one requirement|\d requirements)\.$/),
  });
});

describe('check reports', () => {
  test('reports are written to files in addition to the table', async () => {
    const { run, project } = await checkFixture();
    const files = ['--json', 'out/r.json', '--junit', 'out/r.xml', '--html', 'out/r.html'];
    const { code, stdout } = await run('check', ...only, ...files, '--', node, 'bad.mjs');
    const read = (name: string): Promise<string> => readFile(join(project, 'out', name), 'utf8');
    const json = JSON.parse(await read('r.json')) as Readonly<Record<string, unknown>>;
    expect({
      code,
      told: stdout.trimEnd().split('\n').at(-1),
      conclusion: json['conclusion'],
      introduction: json['introduction'],
      again: json['again'],
      junit: (await read('r.xml')).split('\n', 1)[0],
      html: (await read('r.html')).slice(0, 15),
    }).toEqual({
      code: 1,
      told: 'Written: out/r.json, out/r.xml, out/r.html',
      conclusion: 'not conforming',
      introduction: { name: 'tiny\u001b[31m', version: '1' },
      again: `turnwire check --only initialize/answer --seed 7 -- ${node} bad.mjs`,
      junit: '<?xml version="1.0" encoding="UTF-8"?>',
      html: '<!doctype html>',
    });
  });

  test('a report on stdout replaces the table and contains no control sequences', async () => {
    const { run } = await checkFixture();
    const [asked, format] = await Promise.all([
      run('check', ...only, '--json', '--', node, 'good.mjs'),
      run('check', ...only, '--format', 'json', '--', node, 'good.mjs'),
    ]);
    expect(
      [asked, format].map(({ code, stdout }) => [
        code,
        stdout.includes('\u001b'),
        (JSON.parse(stdout) as { kind: string }).kind,
      ]),
    ).toEqual([
      [0, false, 'agent'],
      [0, false, 'agent'],
    ]);
  });

  test('--format quiet prints the conclusion alone', async () => {
    const { run } = await checkFixture();
    expect(await run('check', ...only, '--format', 'quiet', '--', node, 'bad.mjs')).toEqual({
      code: 1,
      stderr: '',
      stdout: expect.stringMatching(/^Does not conform: it breaks .*\.\n$/),
    });
  });

  test('--trace writes each connection to a trace file', async () => {
    const { run, project } = await checkFixture();
    await run('check', ...only, '--trace', 'traces', '--', node, 'good.mjs');
    const [file = ''] = await readdir(join(project, 'traces'));
    const { header, events, problems } = await readTrace(join(project, 'traces', file));
    expect({ file, side: header.side, scenario: header['scenario'], first: events[0], problems }).toEqual({
      file: 'initialize-answer-1.jsonl',
      side: 'client',
      scenario: 'initialize/answer',
      // Nothing else: what is not the frame is not redacted.
      first: {
        at: expect.any(Number),
        direction: 'out',
        frame: expect.objectContaining({ method: 'initialize' }),
        where: expect.any(String),
      },
      problems: [],
    });
  });
});

test('--level decides which requirements count', async () => {
  const { run, project } = await checkFixture();
  await writeFile(join(project, 'nameless.mjs'), initializing(1).replace(/, agentInfo: \{.*?\}/, ''));
  const codes = await Promise.all(
    ['must', 'should'].map(
      async (level) => (await run('check', ...only, '--level', level, '--', node, 'nameless.mjs')).code,
    ),
  );
  expect(codes).toEqual([0, 1]);
});

describe('an agent that cannot be judged', () => {
  test('an agent that ends at once exits with 1, and its output is printed', async () => {
    const { run, project } = await checkFixture();
    await writeFile(
      join(project, 'dies.mjs'),
      `console.log('Hello!'); console.error('cannot find\\n the \\u001b[2Jkey'); process.exit(3);`,
    );
    const { code, stdout } = await run('check', '--', node, 'dies.mjs');
    expect({ code, lines: stdout.split('\n').slice(3) }).toEqual({
      code: 1,
      lines: [
        'Not judged: the connection ended before initialize was answered.',
        'The end of its output:',
        '  │ Hello!',
        '  │ cannot find',
        '  │  the key',
        '',
      ],
    });
  });

  test.each([
    [
      'none',
      ['check'],
      'check needs an agent: turnwire check -- COMMAND, or turnwire check NAME. See turnwire check --help',
    ],
    [
      'taken for a report',
      ['check', '--json', 'coder'],
      'check needs an agent, and coder was taken for the file of a report: name the agent before the report',
    ],
    ['no such program', ['check', '--', 'no-such-agent', '--acp'], 'there is no program no-such-agent'],
    ['several', ['codex', 'check', '--', 'my-agent'], 'name one agent, not my-agent and codex'],
    [
      'an unknown scenario',
      ['check', '--only', 'nothing/*', '--', node],
      '--only nothing/*: there is no such scenario. See turnwire check --list',
    ],
    [
      'a requirement of clients',
      ['check', '--only', 'R003', '--', node],
      '--only R003: this requirement binds the client only',
    ],
    [
      'two on stdout',
      ['check', '--json', '--html', '--', node],
      '--json and --html cannot both go to stdout: name a file',
    ],
    [
      'no client',
      ['check', '--client'],
      'check --client needs a client: turnwire check --client -- COMMAND {agent} {prompt}, or --driver',
    ],
  ])('check exits with 2 when the agent or the selection is wrong: %s', async (_, words, message) => {
    const { run } = await agentFixture();
    expect(await run(...words)).toEqual({
      code: 2,
      stdout: '',
      stderr: `turnwire: ${message}\nSee turnwire --help.\n`,
    });
  });
});

describe('a report that cannot be written is reported before the agent starts', () => {
  test.each([
    ['its folder is a file', 'good.mjs/report.html', /good\.mjs\/report\.html cannot be written \(EEXIST\)\n$/],
    [
      'its folder cannot be made',
      '/dev/null/none/report.html',
      /^turnwire: \/dev\/null\/none\/report\.html cannot be written/,
    ],
  ])('a report is refused when %s', async (_, place, message) => {
    const { run } = await checkFixture();
    const { code, stdout, stderr } = await run('check', ...only, '--html', place, '--', node, 'good.mjs');
    expect({ code, stdout, stderr }).toEqual({ code: 1, stdout: '', stderr: expect.stringMatching(message) });
  });

  test.runIf(existsSync('/proc/self'))(
    'a report is refused when its folder exists but no file can be created there',
    async () => {
      const { run } = await checkFixture();
      const place = '/proc/none/report.html';
      expect(await run('check', ...only, '--html', place, '--', node, 'good.mjs')).toEqual({
        code: 1,
        stdout: '',
        stderr: `turnwire: ${place} cannot be written (ENOENT)\n`,
      });
    },
  );
});

test('a report that names a folder is refused before the agent starts', async () => {
  const { run, project } = await checkFixture();
  expect(await run('check', ...only, '--html', '.', '--json', 'r.json', '--', node, 'good.mjs')).toEqual({
    code: 1,
    stdout: '',
    stderr: `turnwire: ${project} cannot be written (EISDIR)\n`,
  });
});

test.runIf(existsSync('/dev/full'))(
  'when one report fails, the other reports and the table are still written',
  async () => {
    const { run, project } = await checkFixture();
    const places = ['--json', '/dev/full', '--junit', 'r.xml'];
    const { code, stdout, stderr } = await run('check', ...only, ...places, '--', node, 'good.mjs');
    const written = await readFile(join(project, 'r.xml'), 'utf8');
    expect({ code, stderr, table: stdout.startsWith('tiny 1\n'), written: written.slice(0, 5) }).toEqual({
      code: 1,
      stderr: 'turnwire: /dev/full cannot be written (ENOSPC)\n',
      table: true,
      written: '<?xml',
    });
  },
);

test.runIf(existsSync('/dev/full'))('a table that cannot be printed is an error', async () => {
  const { project } = await checkFixture();
  const words = [node, ...commandWords, 'check', ...only, '--', node, 'good.mjs'];
  const { code, stderr } = await new Promise<{ code: unknown; stderr: string }>((resolve) =>
    execFile(
      'sh',
      ['-c', 'exec "$@" > /dev/full', 'sh', ...words],
      { cwd: project, env: plainEnvironment },
      (error, _, printed) => resolve({ code: error?.code, stderr: printed }),
    ),
  );
  expect({ code, stderr }).toEqual({
    code: 1,
    stderr: expect.stringMatching(/^turnwire: stopped: the output cannot be written \(ENOSPC/),
  });
});

describe('a wrong command line of check explains what to write', () => {
  test.each([
    [
      ['./good.mjs'],
      'there is no program ./good.mjs: the file is not executable. Name the program that runs it first, such as node',
    ],
    [
      ['--json', node, 'good.mjs'],
      `there is no program good.mjs, and ${node} was taken for the file of a report: add -- before the agent`,
    ],
    [
      ['--only', ',', '--', node, 'good.mjs'],
      "option '--only <what>' argument ',' is invalid. Name scenarios or requirements, such as initialize or R036.",
    ],
    [
      ['--profile', 'v2', '--', node, 'good.mjs'],
      "option '--profile <profiles>' argument 'v2' is invalid. Allowed are proposal, dialect, unstable.",
    ],
    [['--json', '/tmp/r', '--html', '/tmp/./r', '--', node, 'good.mjs'], 'two reports cannot both go to /tmp/r'],
    [['matrix', 'agents.json', '--junit', 'r.xml'], 'check matrix does not take --junit'],
    [['matrix'], 'check matrix needs a file with agents and clients, or --page'],
    [['matrix', '--page', 'results.html'], '--page writes Markdown: give results.html a name that ends in .md'],
  ])('check %j is a wrong command line', async (words, message) => {
    const { run } = await checkFixture();
    expect(await run('check', ...words)).toEqual({
      code: 2,
      stdout: '',
      stderr: `turnwire: ${message}\nSee turnwire --help.\n`,
    });
  });
});

test('requirements of proposals and dialects are judged only if their profile or one of them is selected', async () => {
  const { run } = await checkFixture();
  const profilesOf = async (...given: readonly string[]): Promise<readonly string[]> => {
    const { stdout } = await run('check', ...given, '--json', '--', node, 'good.mjs');
    const { requirements } = JSON.parse(stdout) as { readonly requirements: readonly { readonly profile: string }[] };
    return [...new Set(requirements.map(({ profile }) => profile))].toSorted();
  };
  const every = ['--only', 'initialize/answer', '--only', 'R324'];
  expect([
    await profilesOf('--only', 'initialize/answer'),
    await profilesOf(...every),
    await profilesOf('--only', 'errors', '--profile', 'dialect,proposal'),
  ]).toEqual([['v1'], ['dialect', 'v1'], ['dialect', 'v1']]);
});

test('the command that repeats a check includes all its options', async () => {
  const { run } = await checkFixture();
  const given = ['--profile', 'dialect', '--timeout', '9', '--turn-timeout', '8', '--auth-method', 'key'];
  const { stdout } = await run('check', ...only, ...given, '--json', '--', node, 'good.mjs');
  expect((JSON.parse(stdout) as { again: string }).again).toBe(
    `turnwire check --only initialize/answer ${given.join(' ')} --seed 7 -- ${node} good.mjs`,
  );
});

describe('a file of --prompts', () => {
  test.each([
    ['{\n  "sing": "la"\n}', /^turnwire: prompts\.json:2:3: there is no action "sing", only say, think, /],
    ['{ "say": "say {txt}" }', /^turnwire: prompts\.json:1:10: "say" has no \{txt\}, only \{text\}\n/],
    [
      '{ "say": 1 }',
      /^turnwire: prompts\.json:1:10: "say" must be a string, or null for an action the agent cannot do\n/,
    ],
    ['[]', /^turnwire: prompts\.json:1:1: the prompts must be an object\n/],
    ['{ "say" }', /^turnwire: prompts\.json:1:9: ColonExpected\n/],
  ])('a mistake in the file of --prompts is refused with its position: %s', async (text, message) => {
    const { run, project } = await agentFixture();
    await writeFile(join(project, 'prompts.json'), text);
    const { code, stderr } = await run('check', '--prompts', 'prompts.json', '--', node, 'x.mjs');
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringMatching(message) });
  });
});

test('--list prints scenarios and requirements as text and as JSON', async () => {
  const { run } = await agentFixture();
  const [text, json] = await Promise.all([
    run('check', '--list', '--only', 'initialize/answer'),
    run('check', '--list', '--json', '--client'),
  ]);
  const { scenarios, requirements } = JSON.parse(json.stdout) as {
    scenarios: readonly { id: string }[];
    requirements: readonly { binds: string }[];
  };
  expect({
    text: text.stdout.split('\n').slice(0, 3),
    scenarios: scenarios.length > 0,
    binds: [...new Set(requirements.map(({ binds }) => binds))].toSorted(),
  }).toEqual({
    text: ['Scenarios (1)', 'initialize/answer', expect.stringMatching(/^ {2}initialize is answered/)],
    scenarios: true,
    binds: ['both', 'client'],
  });
});

describe('check matrix', () => {
  test('a matrix has a row per agent, each with its own environment, also for an agent that cannot start', async () => {
    const { run, project } = await checkFixture();
    const reader = (name: string): string =>
      initializing(1).replace(`'tiny\\u001b[31m'`, `String(process.env.${name}) + String(process.env.OTHER)`);
    await writeFile(join(project, 'reader.mjs'), reader('OWN'));
    const list = `[ // three
      { "name": "mine", "command": [${JSON.stringify(node)}, "reader.mjs"], "env": { "OWN": "yes" } },
      { "name": "broken", "command": "'${node}' bad.mjs" },
      { "name": "none", "command": "no-such-agent --acp" },
    ]`;
    await writeFile(join(project, 'agents.jsonc'), list);
    const files = ['--html', 'm.html', '--trace', 'traces'];
    const { code, stdout } = await run('check', 'matrix', 'agents.jsonc', ...only, ...files);
    const rows = stdout.split('\n').map((line) => [line.split(' | ')[0], line.split(' | ')[2]]);
    expect({
      code,
      rows: rows.slice(2, 5),
      page: (await readFile(join(project, 'm.html'), 'utf8')).slice(0, 15),
      traces: (await readdir(join(project, 'traces'), { recursive: true })).toSorted(),
    }).toEqual({
      code: 1,
      traces: ['broken-1', 'broken-1/initialize-answer-1.jsonl', 'mine-1', 'mine-1/initialize-answer-1.jsonl'],
      rows: [
        ['| mine (yesundefined 1)', expect.stringMatching(/^conforms: \d+ kept$/)],
        [String.raw`| broken (tiny\\u001b\[31m 1)`, expect.stringMatching(/^\d broken, \d+ kept$/)],
        [
          '| none',
          expect.stringContaining(
            'Not judged: the agent cannot be started: there is no program "no-such-agent". Check the',
          ),
        ],
      ],
      page: '<!doctype html>',
    });
  });

  test('a matrix checks each version of the protocol that an entry names, and links its cells to traces', async () => {
    const { run, project } = await checkFixture();
    const list = [{ name: 'mine', command: [node, 'good.mjs'], packages: ['their-agent@1.2.3'], versions: [1, 2] }];
    await writeFile(join(project, 'both.json'), JSON.stringify(list));
    const { stdout } = await run('--trace', 'traces', 'check', 'matrix', '--only', 'framing/whitespace', 'both.json');
    const [, , ...rows] = stdout.split('\n').map((line) => line.split(' | '));
    expect(
      rows
        .slice(0, 2)
        .map(([name, version, , cell]) => [name?.split('<br>')[1], version, /\((.*)\)/.exec(cell ?? '')?.[1]]),
    ).toEqual([
      ['their-agent@1.2.3', '1', 'traces/mine-1/framing-whitespace-1.jsonl'],
      ['their-agent@1.2.3', '2', undefined],
    ]);
  });

  test('a matrix may contain agents and clients', async () => {
    const { run, project } = await checkFixture();
    const list = [
      { name: 'mine', command: [node, 'good.mjs'] },
      { name: 'client', client: true, command: [node, '-e', '0', '{agent}'] },
    ];
    await writeFile(join(project, 'both.json'), JSON.stringify(list));
    const { stdout } = await run('check', 'matrix', '--only', 'initialize/*', 'both.json');
    const [head, , ...rows] = stdout.split('\n').map((line) => [line.split(' | ')[0], line.split(' | ')[2]]);
    expect([head, ...rows.slice(0, 2)]).toEqual([
      ['| agent or client', 'result'],
      ['| mine (tiny\\\\u001b\\[31m 1)', expect.stringMatching(/^\d broken, \d+ kept$/)],
      ['| client', 'Not judged: the client did not start its agent'],
    ]);
  });

  test('two names with the same folder for traces are refused before anything runs', async () => {
    const { run, project } = await checkFixture();
    const list = ['my agent', 'My-agent'].map((name) => ({ name, command: [node, 'none.mjs'] }));
    await writeFile(join(project, 'agents.json'), JSON.stringify(list));
    const { code, stderr } = await run('check', 'matrix', 'agents.json', '--page', 'results.md');
    expect([code, stderr.split('\n')[0]]).toEqual([
      2,
      'turnwire: the traces of "my agent" and "My-agent" have the same folder, My-agent-1: give one of them another name',
    ]);
  });

  test('a file of kept results that has something else is refused by its name', async () => {
    const { run, project } = await checkFixture();
    await writeFile(join(project, 'results.json'), '{}');
    const { code, stderr } = await run('check', 'matrix', '--page', 'results.md');
    expect([code, stderr]).toEqual([2, expect.stringMatching(/results\.json:1:1: the kept results must be a list/)]);
  });

  test('--page keeps rows with short traces, without folders of this machine and values of variables', async () => {
    const { run, project } = await checkFixture();
    const talkative = initializing(1).replace(
      'agentCapabilities: {}',
      '$&, _meta: { at: process.cwd(), shown: process.env.KEY, long: "x".repeat(9999) }',
    );
    await writeFile(join(project, 'talkative.mjs'), talkative);
    const list = [{ name: 'mine', command: [node, 'talkative.mjs'], env: { KEY: 'orange/juice+1=' } }];
    await writeFile(join(project, 'agents.json'), JSON.stringify(list));
    const check = ['check', 'matrix', ...only, '--page', 'docs/results.md'];
    const { code } = await run(...check, 'agents.json');
    await writeFile(join(project, 'docs/results/reviews.json'), '{}');
    const page = await readFile(join(project, 'docs/results.md'), 'utf8');
    const trace = await readTrace(join(project, 'docs/results/mine-1/initialize-answer-1.jsonl'));
    const [, answer] = trace.events as readonly { readonly frame: { readonly result: { readonly _meta: object } } }[];
    const long = `${'x'.repeat(300)} …[9599 more]… ${'x'.repeat(100)}`;
    expect({
      code,
      again: (await run(...check)).code,
      cell: /\| Initialization \| (.*) \|/.exec(page)?.[1],
      rows: (JSON.parse(await readFile(join(project, 'docs/results.json'), 'utf8')) as object[]).length,
      meta: answer?.frame.result._meta,
      pageAgain: await readFile(join(project, 'docs/results.md'), 'utf8'),
    }).toEqual({
      code: 0,
      again: 0,
      cell: '[2 ✗1](results/mine-1/initialize-answer-1.jsonl)',
      rows: 1,
      meta: { at: '/repository', shown: expect.not.stringContaining('juice'), long },
      pageAgain: page,
    });
  });

  test.each([
    [{ name: 'a', driver: 'acpx', env: {} }, 'a client has no "env": its driver may have an "env"'],
    [{ name: 'a', client: true }, 'a client needs a "name", and a "command" or a "driver"'],
    [{ name: 'a', client: false, command: 'x' }, '"client" must be true or absent'],
  ])('the matrix entry %j is refused', async (entry, message) => {
    const { run, project } = await agentFixture();
    await writeFile(join(project, 'agents.json'), JSON.stringify([entry]));
    const { code, stderr } = await run('check', 'matrix', 'agents.json');
    expect([code, stderr.split('\n', 1)[0]?.replace(/^.*json:\d+:\d+: /, '')]).toEqual([2, message]);
  });

  test('a mistake in the matrix file is reported with its position', async () => {
    const { run, project } = await agentFixture();
    await writeFile(join(project, 'agents.json'), '[\n  { "name": "a", "comand": "x" }\n]');
    expect(await run('check', 'matrix', 'agents.json')).toEqual({
      code: 2,
      stdout: '',
      stderr:
        'turnwire: agents.json:2:18: there is no "comand", only name, command, env, inheritEnv, packages, versions, authMethod, prompts, client, driver\nSee turnwire --help.\n',
    });
  });
});

test('Ctrl-C ends all started processes, and the exit code is 130', async () => {
  const { project } = await checkFixture();
  const pids = join(project, 'pids');
  await mkdir(pids);
  // It answers nothing, and does not care for the end of its input.
  await writeFile(
    join(project, 'deaf.mjs'),
    `import { writeFileSync } from 'node:fs'; writeFileSync(process.env.PIDS + '/' + process.pid, ''); process.on('SIGTERM', () => {}); setInterval(() => {}, 1000);`,
  );
  const { code } = await turnwire(['check', '--', node, 'deaf.mjs'], {
    cwd: project,
    env: { PIDS: pids },
    meanwhile: (child) => void started(pids).then(() => child.kill('SIGINT')),
  });
  const left = (await readdir(pids)).filter(isAlive);
  expect({ code, left }).toEqual({ code: 130, left: [] });
});

test('an interrupted check prints its results so far and writes no report', async () => {
  const { project } = await checkFixture();
  // The last scenario of the two never ends.
  const slow = initializing('"one"').replace(
    "if (method === 'initialize') {",
    "if (method === 'session/new') continue;\n$&",
  );
  await writeFile(join(project, 'slow.mjs'), slow);
  const traces = join(project, 'traces');
  await mkdir(traces);
  const chosen = ['--only', 'initialize/answer,new-session/incomplete', '--jobs', '1', '--timeout', '600'];
  const words = ['check', ...chosen, '--trace', 'traces', '--json', 'r.json', '--', node, 'slow.mjs'];
  const { code, stdout } = await turnwire(words, {
    cwd: project,
    meanwhile: (child) => void started(traces).then(() => child.kill('SIGINT')),
  });
  expect({
    code,
    first: stdout.split('\n')[1],
    last: stdout.split('\n').at(-2),
    isThere: existsSync(join(project, 'r.json')),
  }).toEqual({
    code: 130,
    first: 'MUST, implied · Initialization',
    last: expect.stringMatching(
      /^Interrupted after 1 of 2 scenarios\. Broken so far: R0\d\d.*\. No report is written\.$/,
    ),
    isThere: false,
  });
});

async function started(folder: string): Promise<void> {
  while ((await readdir(folder)).length === 0) await delay(20);
}

function isAlive(pid: string): boolean {
  try {
    process.kill(Number(pid), 0);
    return true;
  } catch {
    return false;
  }
}
