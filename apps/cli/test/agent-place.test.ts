import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { commandWords, type Outcome, turnwire, turnwireApart } from './command.ts';
import { unlessSandbox, withoutSandbox } from './sandbox.ts';

let base = '';
let project = '';
beforeEach(async () => {
  base = await realpath(await mkdtemp(join(tmpdir(), 'turnwire-agent-place-')));
  project = join(base, 'project');
  await mkdir(project);
  await writeFile(join(project, 'a.txt'), 'one\n');
});
afterEach(() => rm(base, { recursive: true, force: true, maxRetries: 5 }));

const env = (): Readonly<Record<string, string>> => ({
  XDG_STATE_HOME: join(base, 'state'),
  XDG_DATA_HOME: join(base, 'data'),
  XDG_CONFIG_HOME: join(base, 'config'),
});
const run = (...words: readonly string[]): Promise<Outcome> => turnwire(words, { cwd: project, env: env() });
const read = (...names: readonly string[]): Promise<string> =>
  readFile(join(project, ...names), 'utf8').catch(() => 'missing');

/** Configures the built-in agent behind a mount namespace with a root of its own, in which the project is at /there and nowhere else. */
async function configure(place: Readonly<Record<string, unknown>> = {}): Promise<void> {
  const [program = ''] = commandWords;
  const shown = [
    '/usr',
    '/etc/alternatives',
    dirname(process.execPath),
    fileURLToPath(new URL('../../../', import.meta.url)),
  ];
  const prefix = [
    'bwrap',
    ...['--unshare-pid', '--die-with-parent', '--proc', '/proc', '--dev', '/dev'],
    ...['bin', 'lib', 'lib64'].flatMap((name) => ['--symlink', `usr/${name}`, `/${name}`]),
    ...shown.flatMap((path) => ['--ro-bind-try', path, path]),
    ...['--bind', '${cwd}', '/there', '--chdir', '/there', '--'],
  ];
  const boxed = {
    command: process.execPath,
    args: [program, 'coder'],
    env: { TURNWIRE_CODER_MODEL: 'offline', HOME: '/there' },
    place: { prefix, paths: { '${cwd}': '/there' }, ...place },
  };
  await mkdir(join(base, 'config', 'turnwire'), { recursive: true });
  await writeFile(join(base, 'config', 'turnwire', 'config.json'), JSON.stringify({ agents: { boxed } }));
}

test.skipIf(withoutSandbox)(
  `files and diffs of an agent with another root have the paths of this machine${unlessSandbox}`,
  async () => {
    await configure();
    const edit = await run('boxed', 'exec', '--approve-all', 'replace one with two in a.txt');
    const created = await run('boxed', 'exec', '--approve-all', 'create folder/b.txt with new');
    const wire = await run('boxed', 'exec', '--approve-all', '--format', 'json', 'replace two with three in a.txt');
    const sent = wire.stdout.split('\n').filter((line) => /session\/new|fs\/write_text_file|"type":"diff"/.test(line));
    expect({
      codes: [edit.code, created.code, wire.code],
      headers: (edit.stdout + created.stdout).split('\n').filter((line) => /^ +(?:---|\+\+\+) /.test(line)),
      files: [await read('a.txt'), await read('folder', 'b.txt')],
      // The agent itself sees only its own root.
      paths: [...new Set(sent.flatMap((line) => line.match(/(?<=")\/[^"]*/g) ?? []))],
    }).toEqual({
      codes: [0, 0, 0],
      headers: [`  --- ${project}/a.txt`, `  +++ ${project}/a.txt`, '  --- /dev/null', `  +++ ${project}/folder/b.txt`],
      files: ['three\n', 'new'],
      paths: ['/there', '/there/a.txt'],
    });
  },
);

test.skipIf(withoutSandbox)(
  `commands of an agent with another root run there, in the folder that the agent names${unlessSandbox}`,
  async () => {
    await configure();
    await mkdir(join(project, 'sub'));
    const turn = await run(
      'boxed',
      'exec',
      '--approve-all',
      `run \`pwd; cd sub && pwd > made.txt; ls -d ${project} 2>&1; ls -d /there/*\``,
    );
    expect([turn.code, turn.stdout, await read('sub', 'made.txt')]).toEqual([
      0,
      expect.stringMatching(/│ \/there\n.*No such file or directory\n.*│ \/there\/a\.txt\n.*│ \/there\/sub\n/),
      '/there/sub\n',
    ]);
  },
);

test.skipIf(withoutSandbox)(
  `a place of its own and a prefix work together, and the changes are reviewed and merged${unlessSandbox}`,
  async () => {
    await configure();
    for (const words of [
      ['init', '-qb', 'main'],
      ['config', 'user.name', 'T'],
      ['config', 'user.email', 't@t'],
      ['add', '-A'],
      ['commit', '-qm', 'first'],
    ])
      execFileSync('git', words, { cwd: project });
    const words = ['boxed', '-s', 'fix', '--approve-all', 'prompt', 'replace one with two in a.txt'];
    const turn = await turnwireApart(['--place', 'clone:fix', '--ttl', '60', ...words], { cwd: project, env: env() });
    const place = join(base, 'data', 'turnwire-places', 'fix');
    const review = await turnwire(['review', '--format', 'quiet'], { cwd: place, env: env() });
    await run('boxed', 'sessions', 'close', 'fix');
    const merged = await run('places', 'merge', 'fix', '-m', 'two');
    expect([turn.code, review.stdout, merged.code, await read('a.txt')]).toEqual([0, 'a.txt\n', 0, 'two\n']);
  },
);

test.skipIf(withoutSandbox)(`an agent that does not share files uses its own${unlessSandbox}`, async () => {
  await configure({ sharesFiles: false });
  const wire = await run('boxed', 'exec', '--approve-all', '--format', 'json', 'create b.txt with new');
  expect([wire.code, /"method":"fs\//.test(wire.stdout), await read('b.txt')]).toEqual([0, false, 'new']);
});

test.skipIf(withoutSandbox)(`doctor examines the agent in its place${unlessSandbox}`, async () => {
  await configure();
  const { code, stdout } = await run('--format', 'quiet', 'doctor', 'boxed');
  expect([code, stdout]).toEqual([0, 'ok\n']);
});

test('a folder that the place of the agent does not have is refused before the agent starts', async () => {
  await configure({ prefix: [process.execPath, '-e', 'process.exit(7)'], paths: { '/elsewhere': '/there' } });
  const { code, stderr } = await run('boxed', 'exec', 'list files');
  expect([code, stderr]).toEqual([1, expect.stringContaining(`The agent has no path for ${project} in its place`)]);
});

test('the place of an agent of a project is part of what the user agrees to', async () => {
  await mkdir(join(project, '.turnwire'));
  const agents = { boxed: { command: 'agent', place: { prefix: 'evil-program --' } } };
  await writeFile(join(project, '.turnwire', 'config.json'), JSON.stringify({ agents }));
  const { code, stderr } = await run('boxed', 'exec', 'list files');
  expect([code, stderr]).toEqual([5, expect.stringContaining('evil-program')]);
});
