import { mkdir, symlink, writeFile } from 'node:fs/promises';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { within } from '../../../../tools/pace.ts';
import { insideRoots } from '../../src/node/files/roots.ts';
import { FileWorld } from './file-world.ts';
import { randomRuns } from '../../../../tools/random-runs.ts';

async function judged(world: FileWorld, ...paths: readonly string[]): Promise<Record<string, boolean>> {
  const pairs = paths.map(async (path) => [path, await insideRoots(world.at(path), world.context.roots)] as const);
  return Object.fromEntries(await Promise.all(pairs));
}

test('a path is inside if its real target is inside', async () => {
  await using world = await FileWorld.make();
  await mkdir(world.at('in/deep'));
  await writeFile(world.at('in/file'), '');
  await symlink('../out', world.at('in/folder'));
  await symlink('../out/none', world.at('in/dangling'));
  await symlink('deep/none', world.at('in/stays'));
  await symlink('loop', world.at('in/loop'));
  await symlink('in', world.at('alias'));
  expect(
    await judged(
      world,
      'in',
      'in/file',
      'in/none/none',
      'in/file/none',
      'in/stays',
      'alias/deep',
      'out/../in',
      '.',
      'out',
      'in/..',
      'inner',
      'in/folder',
      'in/folder/none',
      'in/folder/../in/file',
      'in/dangling',
      'in/loop',
      'in/file\0',
    ),
  ).toEqual({
    in: true,
    'in/file': true,
    'in/none/none': true,
    'in/file/none': true,
    'in/stays': true,
    'alias/deep': true,
    'out/../in': true,
    '.': false,
    out: false,
    'in/..': false,
    inner: false,
    'in/folder': false,
    'in/folder/none': false,
    // By name it is in/in/file; the system resolves it to the file itself. Both are inside.
    'in/folder/../in/file': true,
    'in/dangling': false,
    'in/loop': false,
    'in/file\0': false,
  });
});

test('a path must be inside both by name and by walking', async () => {
  await using world = await FileWorld.make();
  await mkdir(world.at('out/deep'));
  await symlink('../out/deep', world.at('in/folder'));
  expect(await judged(world, 'in/folder/../file')).toEqual({ 'in/folder/../file': false });
});

test('relative paths are never inside, nor is any path without roots', async () => {
  expect([await insideRoots('', ['/']), await insideRoots('a', [process.cwd()]), await insideRoots('/', [])]).toEqual([
    false,
    false,
    false,
  ]);
});

const step = fc.constantFrom('.', '..', 'in', 'out', 'a', 'up', 'across', 'down', 'gone', 'file', 'new');

test('no path reads, creates or changes anything outside', { timeout: within(120_000) }, async () => {
  await using world = await FileWorld.make();
  await mkdir(world.at('in/a'));
  await writeFile(world.at('in/file'), 'inside');
  await writeFile(world.at('in/a/file'), 'inside');
  await writeFile(world.at('out/file'), 'secret');
  await symlink('..', world.at('in/up'));
  await symlink('../../out', world.at('in/a/across'));
  await symlink('../in/a', world.at('out/down'));
  await symlink('../out/new', world.at('in/gone'));
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 7 }), async (steps) => {
      const path = steps.join('/');
      const [read, inside] = [await world.read(path), await insideRoots(world.at(path), world.context.roots)];
      const written = await world.write(path, 'inside');
      // Writes stay inside, except that `..` after a link has two meanings.
      expect(['content' in read ? read.content : 'inside', 'code' in written || inside || path.includes('..')]).toEqual(
        ['inside', true],
      );
      const found = await world.everything();
      const strange = Object.keys(found).filter((each) => !each.startsWith('in/') && !each.startsWith('out/'));
      const out = Object.entries(found).filter(([each]) => each.startsWith('out/'));
      expect([strange, Object.fromEntries(out)]).toEqual([
        ['in', 'out'],
        { 'out/down': '(link)', 'out/file': 'secret' },
      ]);
    }),
    { numRuns: randomRuns({ usual: 75, whole: 300 }) },
  );
});
