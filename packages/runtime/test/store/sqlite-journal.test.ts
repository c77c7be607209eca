import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { JournalFlush } from '../../assets/journal-flush.mjs';
import { sqliteStore } from '../../src/store/sqlite/sqlite-store.ts';
import { session } from './session-store-contract.ts';

const mebibyte = 2 ** 20;

test('the journal is moved into the database only when it is large', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'turnwire-store-'));
  onTestFinished(async () => rm(folder, { recursive: true, force: true }));
  const path = join(folder, 'sessions.sqlite');
  const store = sqliteStore({ path });
  onTestFinished(async () => store.close());
  const claim = await store.create(session('one'));
  const payload = JSON.stringify('x'.repeat(mebibyte));
  const write = async (count: number): Promise<void> => {
    for (let written = 0; written < count; written++)
      await store.append(claim, [{ at: written, type: 'update', payload }]);
  };
  const sizes = async (): Promise<readonly number[]> =>
    Promise.all([path, `${path}-wal`].map(async (each) => Math.floor((await stat(each)).size / mebibyte)));

  await write(8);
  const [before, journal] = await sizes();
  expect({ before, isInJournal: journal! >= 8 }).toEqual({ before: 0, isInJournal: true });
  await write(40);
  const [after, atMost] = await sizes();
  expect({ isMoved: after! >= 24, isBounded: atMost! <= 36 }).toEqual({ isMoved: true, isBounded: true });
});

/** A journal whose flushing ends when it is told to. */
class SlowFile {
  flushes = 0;
  isClosed = false;
  end: () => void = () => undefined;
  datasync = (): Promise<void> => {
    this.flushes++;
    return new Promise((resolve) => (this.end = resolve));
  };
  close = async (): Promise<void> => void (this.isClosed = true);
}

test('the journal is flushed after many pages, once at a time', async () => {
  const file = new SlowFile();
  const flush = new JournalFlush(file);
  const flushes: number[] = [];
  const write = (transactions: number): void => {
    for (let done = 0; done < transactions; done++) flush.written(1);
    flushes.push(file.flushes);
  };
  write(127);
  write(1);
  write(1_000);
  file.end();
  await new Promise(setImmediate);
  write(1);
  await flush.close();
  expect({ flushes, isClosed: file.isClosed }).toEqual({ flushes: [0, 1, 1, 2], isClosed: true });
});

test('with durability disk there is no extra flush of the journal', async () => {
  expect(await JournalFlush.of({ path: '/nowhere', durability: 'disk' })).toBeUndefined();
});
