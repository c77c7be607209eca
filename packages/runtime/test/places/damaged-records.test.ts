import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { PlaceError, Places } from '../../src/places/index.ts';

test('a damaged record hides no other place, and the error names it and what to do', async () => {
  const base = await realpath(await mkdtemp(join(tmpdir(), 'turnwire-damaged-')));
  const cwd = join(base, 'project');
  await mkdir(cwd);
  await writeFile(join(cwd, 'a.txt'), 'one\n');
  const places = new Places(join(base, 'records'), join(base, 'places'));
  for (const name of ['good', 'bad']) await places.make({ kind: 'copy', cwd, name });
  const record = join(base, 'records', 'bad.json');
  const message = `the record of the place bad is damaged: ${record}. The files of the place are kept: save the ones you need, then delete the record`;
  const seen: unknown[] = [];
  for (const text of ['{"name":"bad","ki', 'null', '{"name":"other"}']) {
    await writeFile(record, text);
    const names = (await places.list()).map(({ name }) => name);
    const damaged = (await places.damaged()).map((error) => error.message);
    const made = await places.make({ kind: 'copy', cwd, name: 'bad' }).catch((error: unknown) => error);
    seen.push([names, damaged, made]);
  }
  const pruned = (await places.prune()).map(({ name }) => name);
  const kept = await readFile(join(base, 'places', 'bad', 'a.txt'), 'utf8');
  await rm(base, { recursive: true });
  expect([seen, pruned, kept]).toEqual([
    Array(3).fill([['good'], [message], new PlaceError(message)]),
    ['good'],
    'one\n',
  ]);
});
