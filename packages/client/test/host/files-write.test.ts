import { chmod, chown, link, mkdir, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { bundleProgram } from '../../../../tools/bundle-program.mjs';
import { fileFailure } from '../../src/node/files/file-refusal.ts';
import { localFiles } from '../../src/node/files/local-files.ts';
import { systemError } from '@turnwire/machine';
import { canMount, smallDisk } from '../../../transports/test/small-disk.ts';
import { unprivileged } from '../../../transports/test/unprivileged.ts';
import { FileWorld } from './file-world.ts';

const nothing = { in: '(folder)', out: '(folder)' };

test('a file is created with its folders, and replaced', async () => {
  await using world = await FileWorld.make();
  expect([await world.write('in/a/b/c.txt', 'first\r\n'), await world.write('in/a/b/c.txt', '\uFEFF€')]).toEqual([
    {},
    {},
  ]);
  expect(await world.everything()).toEqual({
    ...nothing,
    'in/a': '(folder)',
    'in/a/b': '(folder)',
    'in/a/b/c.txt': '\uFEFF€',
  });
});

test.skipIf(process.platform === 'win32')('permissions stay, and new files get the default ones', async () => {
  await using world = await FileWorld.make();
  for (const mode of [0o600, 0o640, 0o755, 0o4755]) {
    await writeFile(world.at(`in/${mode}`), 'old');
    await chmod(world.at(`in/${mode}`), mode);
    await world.write(`in/${mode}`, 'new');
  }
  await world.write('in/new', 'new');
  await writeFile(world.at('in/usual'), '');
  const modeOf = async (path: string): Promise<number> => (await stat(world.at(path))).mode & 0o7777;
  expect([
    await Promise.all([0o600, 0o640, 0o755, 0o4755].map((mode) => modeOf(`in/${mode}`))),
    await modeOf('in/new'),
  ]).toEqual([[0o600, 0o640, 0o755, 0o755], await modeOf('in/usual')]);
});

test.runIf(process.geteuid?.() === 0)('root does not change the owner of a file', async () => {
  await using world = await FileWorld.make();
  await writeFile(world.at('in/a'), 'old');
  await chown(world.at('in/a'), 1234, 2345);
  await world.write('in/a', 'new');
  const { uid, gid } = await stat(world.at('in/a'));
  expect({ uid, gid }).toEqual({ uid: 1234, gid: 2345 });
});

test.runIf(process.geteuid?.() === 0)(
  'a file of another user keeps its owner, and a file in a folder without write permission is written in place',
  async () => {
    await using world = await FileWorld.make();
    for (const folder of ['', 'in', 'in/open', 'in/closed']) await mkdir(world.at(folder), { recursive: true });
    for (const path of ['in/open/a', 'in/closed/a', 'in/closed/linked'])
      await writeFile(world.at(path), 'a longer old text');
    await link(world.at('in/closed/linked'), world.at('in/closed/other-name'));
    for (const path of ['in/open/a', 'in/closed/a', 'in/closed/linked']) await chmod(world.at(path), 0o666);
    await chown(world.at('in/open/a'), 1234, 2345);
    await chmod(world.folder, 0o755);
    await chmod(world.at('in/open'), 0o777);
    await chmod(world.at('in/closed'), 0o555);
    const outcomes = await unprivileged(async () => [
      await world.write('in/open/a', 'new'),
      await world.write('in/closed/a', 'new'),
      await world.write('in/closed/linked', 'new'),
    ]);
    const { uid, gid, mode } = await stat(world.at('in/open/a'));
    expect({
      outcomes: outcomes.map((outcome) => 'code' in outcome),
      owner: [uid, gid, mode & 0o777],
      texts: await Promise.all(
        ['open/a', 'closed/a', 'closed/linked'].map((path) => readFile(world.at(`in/${path}`), 'utf8')),
      ),
      drafts: [await readdir(world.at('in/open')), (await readdir(world.at('in/closed'))).length],
    }).toEqual({
      outcomes: [false, false, true],
      owner: [1234, 2345, 0o666],
      texts: ['new', 'new', 'a longer old text'],
      drafts: [['a'], 3],
    });
  },
);

test('a symbolic link is written through, and stays', async () => {
  await using world = await FileWorld.make();
  await mkdir(world.at('in/deep'));
  await writeFile(world.at('in/deep/real'), 'old');
  await symlink('deep/real', world.at('in/link'));
  await symlink('link', world.at('in/twice'));
  await symlink('deep/not/yet', world.at('in/dangling'));
  expect([await world.write('in/twice', 'new'), await world.write('in/dangling', 'made')]).toEqual([{}, {}]);
  expect(await world.everything()).toEqual({
    ...nothing,
    'in/dangling': '(link)',
    'in/deep': '(folder)',
    'in/deep/not': '(folder)',
    'in/deep/not/yet': 'made',
    'in/deep/real': 'new',
    'in/link': '(link)',
    'in/twice': '(link)',
  });
});

test('a hard link is broken: the other name keeps the old content', async () => {
  await using world = await FileWorld.make();
  await writeFile(world.at('out/secret'), 'old');
  await link(world.at('out/secret'), world.at('in/name'));
  expect(await world.write('in/name', 'new')).toEqual({});
  expect(await world.everything()).toEqual({ ...nothing, 'in/name': 'new', 'out/secret': 'old' });
});

test('writes to one path happen in the order of their requests', async () => {
  await using world = await FileWorld.make();
  const all = Array.from({ length: 50 }, (_, index) => world.write('in/x/../a', `${index}`.repeat(1000)));
  await Promise.all(all);
  expect(await world.everything()).toEqual({ ...nothing, 'in/a': '49'.repeat(1000) });
});

test('readers never see half of a file', async () => {
  await using world = await FileWorld.make();
  const contents = ['a', 'b'].map((letter) => letter.repeat(200_000));
  await world.write('in/a', contents[0] ?? '');
  let writing = true;
  const writes = (async () => {
    for (let count = 0; count < 50; count++) await world.write('in/a', contents[count % 2] ?? '');
    writing = false;
  })();
  const seen = new Set<string>();
  while (writing) seen.add(await readFile(world.at('in/a'), 'utf8'));
  await writes;
  expect([...seen].filter((each) => !contents.includes(each))).toEqual([]);
});

test('a failed write is reported and leaves nothing behind', async () => {
  await using world = await FileWorld.make();
  await writeFile(world.at('in/file'), 'old');
  await symlink('loop', world.at('in/loop'));
  expect([
    await world.write('in', 'x'),
    await world.write('in/./', 'x'),
    await world.write(`in/${'n'.repeat(300)}`, 'x'),
    await world.write('in/file/below', 'x'),
    await world.write('in/loop', 'x'),
  ]).toEqual([
    { code: -32602, message: '…/in cannot be written: it is a folder. Name a file in it.' },
    { code: -32602, message: '…/in cannot be written: it is a folder. Name a file in it.' },
    {
      code: -32602,
      message: `…/in/${'n'.repeat(300)} cannot be written: the path, or a name in it, is longer than the file system allows.`,
    },
    { code: -32602, message: '…/in/file/below cannot be written: a part of the path is a file, not a folder.' },
    { code: -32602, message: '…/in/loop cannot be written: it goes through too many symbolic links.' },
  ]);
  expect(await world.everything()).toEqual({ ...nothing, 'in/file': 'old', 'in/loop': '(link)' });
});

test('the longest name the file system allows can be written', async () => {
  await using world = await FileWorld.make();
  const name = 'n'.repeat(255);
  expect([await world.write(`in/${name}`, '1'), await world.write(`in/${name}`, '2')]).toEqual([{}, {}]);
  expect(await world.everything()).toEqual({ ...nothing, [`in/${name}`]: '2' });
});

test.skipIf(process.platform === 'win32')('permissions are respected', async () => {
  await using world = await FileWorld.make();
  await chmod(world.folder, 0o755);
  await mkdir(world.at('in/locked'));
  await mkdir(world.at('in/open'));
  await writeFile(world.at('in/open/closed'), 'old');
  await chmod(world.at('in/open'), 0o777);
  await chmod(world.at('in/open/closed'), 0o000);
  await chmod(world.at('in/locked'), 0o555);
  const outcomes = await unprivileged(async () => [
    await world.write('in/locked/new', 'x'),
    await world.write('in/locked/folder/new', 'x'),
    await world.read('in/open/closed'),
  ]);
  await chmod(world.at('in/locked'), 0o755);
  await chmod(world.at('in/open/closed'), 0o600);
  const refused = (path: string, action: string): object => ({
    code: -32603,
    message: `…/in/${path} cannot be ${action}: permission denied (EACCES). Check the permissions of the file and its folder.${action === 'written' ? ' The old content is unchanged.' : ''}`,
  });
  expect(outcomes).toEqual([
    refused('locked/new', 'written'),
    refused('locked/folder/new', 'written'),
    refused('open/closed', 'read'),
  ]);
  expect(await world.everything()).toEqual({
    ...nothing,
    'in/locked': '(folder)',
    'in/open': '(folder)',
    'in/open/closed': 'old',
  });
});

test('a read-only file stays unchanged, even for the superuser', async () => {
  await using world = await FileWorld.make();
  await writeFile(world.at('in/a'), 'old');
  await chmod(world.at('in/a'), 0o444);
  const outcome = await world.write('in/a', 'new');
  expect([outcome, await world.everything()]).toEqual([
    {
      code: -32603,
      message:
        '…/in/a cannot be written: permission denied (EACCES). Check the permissions of the file and its folder. The old content is unchanged.',
    },
    { ...nothing, 'in/a': 'old' },
  ]);
});

test.skipIf(process.platform === 'win32')(
  'a write that fails half-way leaves the old content and no draft',
  async () => {
    await using world = await FileWorld.make();
    await writeFile(world.at('in/a'), 'old');
    const fixture = fileURLToPath(new URL('../fixtures/write-much.mjs', import.meta.url));
    const command = 'ulimit -f 100; exec "$0" "$@"';
    const { stdout } = await promisify(execFile)('sh', [
      '-c',
      command,
      process.execPath,
      bundleProgram(fixture),
      world.at('in'),
      world.at('in/a'),
    ]);
    expect(JSON.parse(world.short(stdout))).toEqual({
      code: -32603,
      message:
        '…/in/a cannot be written: it would exceed the maximum size of a file (EFBIG). The old content is unchanged.',
    });
    expect(await readdir(world.at('in'))).toEqual(['a']);
    expect(await readFile(world.at('in/a'), 'utf8')).toBe('old');
  },
);

test('system errors become plain sentences', () => {
  const said = (code: string): object => {
    const { code: number, message } = fileFailure(systemError(code), '/p', 'written');
    return { number, message };
  };
  expect(['ENOSPC', 'EROFS', 'ESTRANGE'].map(said)).toEqual(
    [
      'no space is left on the disk (ENOSPC). Free some space.',
      'the file system is read-only (EROFS).',
      'the system reports ESTRANGE.',
    ].map((reason) => ({
      number: -32603,
      message: `/p cannot be written: ${reason} The old content is unchanged.`,
    })),
  );
});

test.skipIf(!canMount())('the last twentieth of a small disk is not filled', async () => {
  const disk = await smallDisk(1_024);
  const { writeTextFile } = localFiles();
  const write = async (name: string, kibibytes: number): Promise<unknown> => {
    const request = { sessionId: 's', path: join(disk, name), content: 'x'.repeat(kibibytes * 1_024) };
    return writeTextFile(request, { roots: [disk], signal: new AbortController().signal });
  };
  const said = async (written: Promise<unknown>): Promise<unknown> =>
    written.catch((error: unknown) => (error as Error).message);
  expect([await write('first', 900), await said(write('second', 100)), await write('third', 20)]).toEqual([
    {},
    `${disk}/second cannot be written: the disk is full, except for a reserve of 51 KiB that agents may not use. It has 124 KiB left: free some space and try again. The old content is unchanged.`,
    {},
  ]);
  expect((await readdir(disk)).toSorted()).toEqual(['first', 'third']);
});

test('a cancelled write leaves everything unchanged', async () => {
  await using world = await FileWorld.make();
  await world.write('in/a', 'old');
  const before = AbortSignal.abort();
  const during = new AbortController();
  const write = world.write('in/a', 'new'.repeat(10_000_000), { signal: during.signal });
  setImmediate(() => during.abort());
  const cancelled = { code: -32800, message: 'Request cancelled' };
  expect([await world.write('in/b', 'x', { signal: before }), await write]).toEqual([cancelled, cancelled]);
  expect(await world.everything()).toEqual({ ...nothing, 'in/a': 'old' });
});
