import { chmod, mkdir, mkdtemp, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { canMount, smallDisk } from '../../../transports/test/small-disk.ts';
import { unprivileged } from '../../../transports/test/unprivileged.ts';
import type { NewEvent, SessionStore } from '../../src/store/session-store.ts';
import { sqliteStore } from '../../src/store/sqlite/sqlite-store.ts';
import { session, start } from './session-store-contract.ts';

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'turnwire-store-'));
  onTestFinished(async () => rm(folder, { recursive: true, force: true }));
});

function open(path: string): SessionStore {
  const store = sqliteStore({ path });
  onTestFinished(async () => store.close());
  return store;
}

/** What a store at a path says to a call. */
async function refusalAt(path: string): Promise<unknown> {
  const refusal: unknown = await open(path)
    .find('ada', 'one')
    .catch((error: unknown) => error);
  const { name, code, message } = refusal as { name: string; code: string; message: string };
  return { name, code, message };
}

const failed = (message: string): unknown => ({ name: 'StoreError', code: 'failed', message });

/** Does statements in a database, with the engine of the store. */
function execute(path: string, statements: string): void {
  const load = createRequire(import.meta.url);
  const { DatabaseSync } = load('@photostructure/sqlite') as {
    DatabaseSync: new (path: string) => { exec(sql: string): void; close(): void };
  };
  const database = new DatabaseSync(path);
  database.exec(statements);
  database.close();
}

const large: NewEvent = { at: 1, type: 'update', payload: JSON.stringify('x'.repeat(10_000)) };

test('only the owner can read the database and its folder', async () => {
  const path = join(folder, 'new', 'deep', 'sessions.sqlite');
  const store = open(path);
  await store.create(session('one'));
  const modes = await Promise.all(
    [path, `${path}-wal`, `${path}-shm`, join(folder, 'new', 'deep')].map(
      async (each) => (await stat(each)).mode % 0o1000,
    ),
  );
  expect(modes).toEqual([0o600, 0o600, 0o600, 0o700]);
});

test('opening a database that others can read removes their permission', async () => {
  const path = join(folder, 'sessions.sqlite');
  await writeFile(path, '', { mode: 0o644 });
  await open(path).create(session('one'));
  expect((await stat(path)).mode % 0o1000).toBe(0o600);
});

test('a file of another format is refused and stays unchanged', async () => {
  const path = join(folder, 'notes.txt');
  await writeFile(path, 'These are notes. '.repeat(1_000));
  expect(await refusalAt(path)).toEqual(
    failed(`${path} is not a database; choose another path, or move it away to begin anew`),
  );
});

test('without a thread, the same file is refused with the same message', async () => {
  const path = join(folder, 'notes.txt');
  await writeFile(path, 'These are notes. '.repeat(1_000));
  const store = sqliteStore({ path, ownThread: false });
  const refusal: unknown = await store.find('ada', 'one').catch((error: unknown) => error);
  await store.close();
  expect(refusal).toMatchObject({
    code: 'failed',
    message: `${path} is not a database; choose another path, or move it away to begin anew`,
  });
});

test('a database of another program is refused and stays unchanged', async () => {
  const path = join(folder, 'other.sqlite');
  execute(path, 'CREATE TABLE notes (text TEXT)');
  expect(await refusalAt(path)).toEqual(
    failed(`${path} is a database of another program; choose another path for the sessions`),
  );
});

test.each([3, 5])('a database of version %i is refused and stays unchanged', async (version) => {
  const path = join(folder, 'sessions.sqlite');
  const store = open(path);
  await store.create(session('one'));
  await store.close();
  execute(path, `UPDATE schema_version SET version = ${version}`);
  expect(await refusalAt(path)).toEqual(
    failed(`${path} was written by another version of this program; use that one, or move the file away`),
  );
});

test('a damaged database is reported as damaged', async () => {
  const path = join(folder, 'sessions.sqlite');
  const store = open(path);
  const claim = await store.create(session('one'));
  await store.append(
    claim,
    Array.from({ length: 50 }, () => large),
  );
  await store.close();
  await truncate(path, 100_000);
  const place = { tenant: 'ada', id: 'one', after: start };
  await expect(open(path).read(place, { limit: 100 })).rejects.toMatchObject({
    code: 'failed',
    message: `${path} is damaged; restore it from a backup, or move it away to begin anew`,
  });
});

test('a path through a file is refused with the reason of the system', async () => {
  await writeFile(join(folder, 'file'), '');
  const path = join(folder, 'file', 'sessions.sqlite');
  expect(await refusalAt(path)).toEqual(
    failed(`${path} cannot be opened: a part of the path is a file, not a folder.`),
  );
});

test('a folder that cannot be written is refused with the reason of the system', async () => {
  const place = join(folder, 'locked');
  await mkdir(place);
  await chmod(folder, 0o755);
  await chmod(place, 0o555);
  const path = join(place, 'sessions.sqlite');
  expect(await unprivileged(() => refusalAt(path))).toEqual(
    failed(`${path} cannot be opened: permission denied (EACCES). Check the permissions of the file and its folder.`),
  );
});

test.skipIf(!canMount())('a full disk refuses what does not fit, and keeps the rest', async () => {
  const disk = await smallDisk();
  const path = join(disk, 'sessions.sqlite');
  const store = open(path);
  const claim = await store.create(session('one'));
  let stored = 0;
  const refusal = await (async () => {
    for (;;) stored += (await store.append(claim, [large])).length;
  })().catch((error: unknown) => error);
  expect(refusal).toMatchObject({
    code: 'failed',
    message: `the disk is full, so ${path} cannot grow; free some space and try again`,
  });
  const page = await store.read({ tenant: 'ada', id: 'one', after: start }, { limit: 100 });
  expect(page).toMatchObject({ events: { length: stored }, head: { sequence: stored } });
});

test('a value that the engine refuses does not fail other calls of the same transaction', async () => {
  const store = open(join(folder, 'sessions.sqlite'));
  const claim = await store.create(session('one'));
  const results = await Promise.allSettled([
    store.append(claim, [large]),
    store.append(claim, [{ ...large, at: null as unknown as number }]),
    store.append(claim, [large]),
  ]);
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  expect(await store.claim('ada', 'one')).toMatchObject({ head: { sequence: 2 } });
});

test('a store that failed to open can be closed, also long after its thread has ended', async () => {
  const path = join(folder, 'notes.txt');
  await writeFile(path, 'These are notes. '.repeat(1_000));
  const store = sqliteStore({ path });
  await expect(store.find('ada', 'one')).rejects.toMatchObject({ code: 'failed' });
  await delay(300);
  await store.close();
  await expect(store.find('ada', 'one')).rejects.toMatchObject({ code: 'failed', message: 'the store is closed' });
});

test('a store that was never used starts nothing and closes', async () => {
  const path = join(folder, 'sessions.sqlite');
  await sqliteStore({ path }).close();
  await expect(stat(path)).rejects.toMatchObject({ code: 'ENOENT' });
});
