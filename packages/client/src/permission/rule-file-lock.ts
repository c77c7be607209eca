import { open, readFile, rename, rm, stat } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { randomUUID } from 'node:crypto';
import { TurnwireError } from '@turnwire/protocol';

/** Milliseconds between attempts, until somebody is given up on, and until a lock nobody renews is dead. */
const pause = 15;
const patience = 10_000;
const lifetime = 5_000;

/**
 * Runs `work` while no other process changes the file. The lock is a file beside it. Writing takes milliseconds, so a lock of
 * seconds was left by a process that died.
 */
export async function withLock<Value>(file: string, work: () => Promise<Value>): Promise<Value> {
  const lock = `${file}.lock`;
  const token = `${process.pid} ${randomUUID()}`;
  const until = Date.now() + patience;
  while (!(await take(lock, token))) {
    await breakIfDead(lock);
    if (Date.now() > until)
      throw new TurnwireError('timeout', `${lock} is held by another process; remove it if none is at work`);
    await sleep(pause);
  }
  try {
    return await work();
  } finally {
    if ((await readFile(lock, 'utf8').catch(() => '')) === token) await rm(lock, { force: true });
  }
}

async function take(lock: string, token: string): Promise<boolean> {
  try {
    await using handle = await open(lock, 'wx');
    await handle.writeFile(token);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

/** Moves a dead lock away before it removes it, so that of two who see it only one gets it. */
async function breakIfDead(lock: string): Promise<void> {
  const seen = await stat(lock).catch(() => undefined);
  if (!seen || Date.now() - seen.mtimeMs < lifetime) return;
  const aside = `${lock}.${randomUUID()}`;
  await rename(lock, aside).catch(() => undefined);
  await rm(aside, { force: true });
}
