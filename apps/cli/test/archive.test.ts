import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { sessionRoom } from './session-room.ts';

test('a session is exported, imported somewhere else, and goes on', async () => {
  const { run, project } = await sessionRoom();
  await run(['sessions', 'new', '--name', 'api']);
  await run(['-s', 'api', 'say one']);
  const file = join(project, 'api.json');
  expect(await run(['sessions', 'export', 'api', '--output', file])).toEqual({
    code: 0,
    stdout: `${file}\n`,
    stderr: '',
  });
  await run(['sessions', 'close', 'api']);
  const elsewhere = join(project, 'elsewhere');
  await mkdir(join(elsewhere, '.git'), { recursive: true });
  const imported = await run(['sessions', 'import', file, '--name', 'again'], { cwd: elsewhere });
  expect({ code: imported.code, stderr: imported.stderr }).toEqual({ code: 0, stderr: '' });
  expect(await run(['-s', 'again', 'recall'], { cwd: elsewhere })).toEqual({
    code: 0,
    stdout: 'say one | recall\n',
    stderr: '',
  });
  const read = await run(['sessions', 'read', 'again', '--format', 'quiet'], { cwd: elsewhere });
  expect(read.stdout).toContain('\tuser\tsay one');
  expect((await run(['sessions', 'import', file, '--name', 'again'], { cwd: elsewhere })).stderr).toContain(
    'there is such a session already',
  );
});

test('an imported session that the agent does not have fails, and no other is begun', async () => {
  const { run, project } = await sessionRoom('no-load');
  await run(['sessions', 'new']);
  const file = join(project, 'session.json');
  await writeFile(file, (await run(['sessions', 'export'])).stdout);
  await run(['sessions', 'close']);
  await run(['sessions', 'import', file]);
  const failed = await run(['recall']);
  expect({ code: failed.code, stdout: failed.stdout }).toEqual({ code: 1, stdout: '' });
  expect(failed.stderr).toContain('neither load nor resume');
});

test('what is no archive is refused', async () => {
  const { run, project } = await sessionRoom();
  const file = join(project, 'other.json');
  await writeFile(file, '{"schema": "something else"}');
  expect((await run(['sessions', 'import', file])).stderr).toBe(
    `turnwire: the archive ${file} cannot be used: its schema is "something else"\n`,
  );
});

test('prune deletes closed sessions, and says before what it would delete', async () => {
  const { run, sessionFolder } = await sessionRoom();
  const id = (await run(['sessions', 'new'])).stdout.trim();
  await run(['sessions', 'close']);
  expect((await run(['sessions', 'prune', '--older-than', '1', '--format', 'quiet'])).stdout).toBe('');
  expect((await run(['sessions', 'prune', '--dry-run', '--format', 'quiet'])).stdout).toBe(`${id}\n`);
  expect(await readFile(join(await sessionFolder(), 'session.json'), 'utf8')).toContain(id);
  expect((await run(['sessions', 'prune', '--format', 'quiet'])).stdout).toBe(`${id}\n`);
  expect((await run(['sessions', 'list', '--local'])).stdout).toBe('');
});
