import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, onTestFinished, test } from 'vitest';
import { untilEnded } from '../../transports/test/process-life.ts';
import { FileLock, lockHolder, ownIdentity, takeLock, withLock } from '../src/index.ts';

/** The path of a lock, alone in a folder of its own. */
async function lockPath(): Promise<{ readonly folder: string; readonly path: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'turnwire-lock-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  return { folder, path: join(folder, 'lock') };
}

/** A process that has ended, and whose pid is therefore free. */
async function deadPid(): Promise<number> {
  const child = spawn(process.execPath, ['--version'], { stdio: 'ignore' });
  await once(child, 'exit');
  return child.pid ?? 0;
}

const dead = async (): Promise<string> => JSON.stringify({ pid: await deadPid(), host: hostname() });

test('of twenty concurrent attempts, one takes the lock and the others get its holder', async () => {
  const { folder, path } = await lockPath();
  const taken = await Promise.all(Array.from({ length: 20 }, (_, index) => takeLock(path, { index })));
  const locks = taken.filter((each) => each instanceof FileLock);
  const others = taken.flatMap((each) => (each instanceof FileLock ? [] : [each.pid]));
  expect([locks.length, others]).toEqual([1, Array.from({ length: 19 }, () => process.pid)]);
  await locks[0]?.release();
  expect([await lockHolder(path), await readdir(folder)]).toEqual([undefined, []]);
});

test('of twenty attempts that find a void lock, one replaces it', async () => {
  const { folder, path } = await lockPath();
  await writeFile(path, await dead());
  const taken = await Promise.all(Array.from({ length: 20 }, () => takeLock(path)));
  const locks = taken.filter((each) => each instanceof FileLock);
  expect(locks.length).toBe(1);
  expect((await lockHolder(path))?.pid).toBe(process.pid);
  await locks[0]?.release();
  expect(await readdir(folder)).toEqual([]);
});

test('a void lock for removing a void lock is removed too', async () => {
  const { folder, path } = await lockPath();
  await writeFile(path, await dead());
  // Another process found it void, and was killed before removing it.
  const remover = spawn(process.execPath, ['--version'], { stdio: 'ignore' });
  await once(remover, 'exit');
  const name = createHash('sha256')
    .update(await readFile(path))
    .digest('hex')
    .slice(0, 16);
  await writeFile(`${path}.${name}`, JSON.stringify({ pid: remover.pid, host: hostname() }));
  const lock = await takeLock(path);
  await (lock as FileLock).release();
  expect([lock instanceof FileLock, await readdir(folder)]).toEqual([true, []]);
});

const anHourAhead = new Date(Date.now() + 3_600_000);

test.each([
  ['of an ended process, dated in the future,', () => dead()],
  ['without content, dated in the future,', () => ''],
  ['truncated in the middle', () => '{"pid":'],
  ['of another format', () => '1234 0b9f6f5c'],
  ['of a group of processes', () => JSON.stringify({ pid: 0, host: hostname() })],
  [
    'of an earlier process whose pid was reused',
    () => JSON.stringify({ pid: process.pid, host: hostname(), begun: 'long ago' }),
  ],
])('a lock %s is free', async (_, content) => {
  const { folder, path } = await lockPath();
  await writeFile(path, await content());
  await utimes(path, anHourAhead, anHourAhead);
  const lock = await takeLock(path);
  await (lock as FileLock).release();
  expect([lock instanceof FileLock, await readdir(folder)]).toEqual([true, []]);
});

test.skipIf(process.platform === 'win32')(
  'a zombie process holds no lock, even if its exit status is never read',
  async () => {
    const { path } = await lockPath();
    // The program that replaces the shell has a child it does not know, so the system keeps the exit status of that child.
    const parent = spawn('sh', ['-c', 'true & echo $!; exec sleep 60'], { stdio: ['ignore', 'pipe', 'inherit'] });
    onTestFinished(() => void parent.kill('SIGKILL'));
    const [pid] = (await once(createInterface({ input: parent.stdout }), 'line')) as [string];
    await untilEnded(Number(pid));
    await writeFile(path, JSON.stringify({ pid: Number(pid), host: hostname() }));
    await using lock = (await takeLock(path)) as FileLock;
    expect(lock).toBeInstanceOf(FileLock);
  },
);

test('the lock of a running holder is kept, regardless of the age of the file', async () => {
  const { path } = await lockPath();
  await writeFile(path, JSON.stringify({ ...(await ownIdentity()), details: 'at work' }));
  await utimes(path, 1, 1);
  expect(await takeLock(path)).toEqual({ ...(await ownIdentity()), details: 'at work' });
});

test('the lock of a holder on another machine is kept until that machine is silent', async () => {
  const { path } = await lockPath();
  await writeFile(path, JSON.stringify({ pid: 1, host: 'elsewhere' }));
  expect(await takeLock(path)).toMatchObject({ pid: 1, host: 'elsewhere' });
  await utimes(path, anHourAhead, anHourAhead);
  await using lock = (await takeLock(path)) as FileLock;
  expect(lock).toBeInstanceOf(FileLock);
});

test.skipIf(process.platform === 'win32')('only the user can read the details', async () => {
  const { path } = await lockPath();
  await using lock = (await takeLock(path, { token: 'secret' })) as FileLock;
  expect([lock instanceof FileLock, ((await stat(path)).mode & 0o777).toString(8)]).toEqual([true, '600']);
  expect((await lockHolder(path))?.details).toEqual({ token: 'secret' });
});

test("a late release does not remove the next holder's lock", async () => {
  const { path } = await lockPath();
  const lock = (await takeLock(path)) as FileLock;
  await rm(path);
  await using next = (await takeLock(path)) as FileLock;
  await lock.release();
  expect([next instanceof FileLock, (await lockHolder(path))?.pid]).toEqual([true, process.pid]);
});

test('work under a lock runs one at a time', async () => {
  const { folder, path } = await lockPath();
  const file = join(folder, 'count');
  await writeFile(file, '0');
  const count = (): Promise<void> =>
    withLock(path, async () => {
      const number = Number(await readFile(file, 'utf8'));
      await new Promise((resolve) => setImmediate(resolve));
      await writeFile(file, String(number + 1));
    });
  await Promise.all(Array.from({ length: 10 }, count));
  expect([await readFile(file, 'utf8'), await readdir(folder)]).toEqual(['10', ['count']]);
});

test('a caller whose timeout is over gets the holder', async () => {
  const { path } = await lockPath();
  await using _lock = (await takeLock(path)) as FileLock;
  await expect(withLock(path, () => Promise.resolve(), { timeout: 0 })).rejects.toThrow(
    `${path} is held by process ${process.pid} on ${hostname()}; end that process, or remove the file if the process no longer runs`,
  );
});

test("a folder without write access leads to the system's error", async () => {
  const { folder } = await lockPath();
  await expect(takeLock(join(folder, 'missing', 'lock'))).rejects.toThrow('ENOENT');
});
