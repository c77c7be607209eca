import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { localFiles, localFilesHeld } from '../../src/node/files/local-files.ts';
import { pathProblem } from '../../src/node/files/requested-path.ts';
import { FileWorld, heldByPath, outside, type Outcome } from './file-world.ts';

const nothing = { in: '(folder)', out: '(folder)' };
const contents = { 'in/file': 'inside', 'out/file': 'secret' };

async function furnished(holding?: typeof heldByPath): Promise<FileWorld> {
  const world = await FileWorld.make({}, holding);
  for (const [path, content] of Object.entries(contents)) await writeFile(world.at(path), content);
  return world;
}

describe.each([
  { way: 'the best way of this machine', holding: undefined },
  { way: 'the way by path', holding: heldByPath },
])('by $way', ({ holding }) => {
  test('paths that lead outside are neither read nor written, whether they exist or not', async () => {
    await using world = await furnished(holding);
    await symlink('../out', world.at('in/folder'));
    await symlink('../out/file', world.at('in/link'));
    await symlink('../out/new', world.at('in/dangling'));
    await symlink(world.at('out/new/deep'), world.at('in/dangling-folder'));
    await symlink('/proc/self/environ', world.at('in/variables'));
    await symlink('/proc/self/root', world.at('in/system'));
    const paths = [
      'in/variables',
      'in/system/etc/passwd',
      'out/file',
      'out/none',
      'none/none',
      'in-twin/file',
      'IN/file',
      'in/folder/file',
      'in/folder/none',
      'in/folder/none/none',
      'in/link',
      'in/dangling',
      'in/dangling-folder/file',
    ];
    const before = await world.everything();
    for (const path of paths) {
      expect([path, await world.read(path), await world.write(path, 'x')]).toEqual([
        path,
        outside(path),
        outside(path),
      ]);
    }
    expect(await world.everything()).toEqual(before);
  });

  test('the target after .. decides', async () => {
    await using world = await furnished(holding);
    await symlink('../out', world.at('in/folder'));
    expect([
      await world.read('in/../out/file'),
      await world.read('in/none/../../out/file'),
      await world.write('in/../../../../../../../../../..', 'x').then((each) => 'code' in each && each.code),
      await world.read('in/folder/../file'),
      await world.read('out/../in/./file'),
    ]).toEqual([outside('out/file'), outside('out/file'), -32602, { content: 'inside' }, { content: 'inside' }]);
  });

  test('links that stay inside are followed, even from outside', async () => {
    await using world = await furnished(holding);
    await symlink('in', world.at('alias'));
    await symlink(world.at('in/file'), world.at('in/link'));
    expect([await world.read('alias/link'), await world.write('alias/new', 'made'), await world.everything()]).toEqual([
      { content: 'inside' },
      {},
      { ...nothing, ...contents, alias: '(link)', 'in/link': '(link)', 'in/new': 'made' },
    ]);
  });

  test('a root may be named by a link, be nested, or be missing', async () => {
    await using world = await furnished(holding);
    await symlink('in', world.at('alias'));
    await mkdir(world.at('in/deep'));
    const read = async (roots: readonly string[], path: string): Promise<boolean> => {
      const context = { ...world.context, roots: roots.map((each) => world.at(each)) };
      const request = { sessionId: 's', path: world.at(path) };
      return Promise.resolve(localFilesHeld({}, holding).readTextFile(request, context)).then(
        () => true,
        () => false,
      );
    };
    expect([
      await read(['alias'], 'in/file'),
      await read(['alias'], 'alias/file'),
      await read(['in/deep', 'none'], 'in/file'),
      await read(['none', 'in'], 'in/file'),
    ]).toEqual([true, true, false, true]);
  });

  test('a string that is not a path is refused', async () => {
    await using world = await furnished(holding);
    const example = 'Use an absolute path, such as …/in/file.txt.';
    const expected = [
      ['', `path: it is empty. ${example}`],
      ['file', `path: file is relative. ${example}`],
      ['file://host/etc/passwd', `path: file://host/etc/passwd is relative. ${example}`],
      ['./in/file', `path: ./in/file is relative. ${example}`],
      [`${world.at('in/file')}\0.txt`, `path: it contains a NUL character. ${example}`],
    ].map(([path = '', message]) => ({ path, outcome: { code: -32602, message } }));
    for (const { path, outcome } of expected) {
      expect([await world.readRaw(path), await world.writeRaw(path, 'x')]).toEqual([outcome, outcome]);
    }
  });

  test.runIf(process.platform === 'linux')('similar spellings of a name do not find a file', async () => {
    await using world = await furnished(holding);
    const paths = ['in/%2e%2e/out/file', 'in/..%2fout%2ffile', 'in/file ', 'in/file.', 'in/FILE', 'in/\uFF46ile'];
    const outcomes = await Promise.all(paths.map((path) => world.read(path)));
    expect(outcomes).toEqual(paths.map(() => expect.objectContaining({ code: -32002 }) as unknown));
  });

  test.skipIf(process.platform === 'win32')('pipes, sockets and devices are never opened', async () => {
    await using world = await furnished(holding);
    execFileSync('mkfifo', [world.at('in/pipe')]);
    const server = createServer().listen(world.at('in/socket'));
    await once(server, 'listening');
    await symlink('pipe', world.at('in/link'));
    const refused = (path: string, kind: string): Outcome => ({
      code: -32602,
      message: `${path} is ${kind}, not a file. Only regular files are opened.`,
    });
    const context = { ...world.context, roots: ['/dev'] };
    const device = async (): Promise<unknown> =>
      localFiles().readTextFile({ sessionId: 's', path: '/dev/zero' }, context);
    const devices = async (): Promise<unknown> =>
      localFiles().writeTextFile({ sessionId: 's', path: '/dev/null', content: 'x' }, context);
    expect([
      await world.read('in/pipe'),
      await world.write('in/pipe', 'x'),
      await world.read('in/link'),
      await world.write('in/link', 'x'),
      await world.read('in/socket'),
      await world.write('in/socket', 'x'),
    ]).toEqual([
      refused('…/in/pipe', 'a named pipe'),
      refused('…/in/pipe', 'a named pipe'),
      refused('…/in/link', 'a named pipe'),
      refused('…/in/link', 'a named pipe'),
      refused('…/in/socket', 'a socket'),
      refused('…/in/socket', 'a socket'),
    ]);
    await expect(device()).rejects.toMatchObject(refused('/dev/zero', 'a device'));
    await expect(devices()).rejects.toMatchObject(refused('/dev/null', 'a device'));
    server.close();
  });
});

test('devices and streams of Windows are recognised in every folder', () => {
  const paths = [
    'C:\\a\\CON',
    'C:\\a\\nul.txt',
    'C:\\a\\com1 .x',
    'C:\\a\\LPT9\\b',
    'C:\\a\\f.txt:s',
    '\\\\.\\pipe\\x',
    '//?/C:/a',
  ];
  const problems = paths.map((path) => pathProblem(path, 'win32'));
  expect(problems).toEqual(paths.map((path) => `${path} names a device or a stream, not a file`));
  // The rest of the check depends on the platform: these paths are absolute here only if they look like POSIX paths.
  expect(['/a/console', '/a/com10', '/a/null', '/a/b.con'].map((path) => pathProblem(path, 'win32'))).toEqual(
    Array.from({ length: 4 }, () => undefined),
  );
});

test('an error message shows an example path in the first root', async () => {
  const context = { roots: [join('/', 'w')], signal: new AbortController().signal };
  const relative = async (): Promise<unknown> => localFiles().readTextFile({ sessionId: 's', path: 'a' }, context);
  const rootless = async (): Promise<unknown> =>
    localFiles().readTextFile({ sessionId: 's', path: 'a' }, { ...context, roots: [] });
  await expect(relative()).rejects.toThrow('Use an absolute path, such as /w/file.txt.');
  await expect(rootless()).rejects.toThrow('Use an absolute path.');
});
