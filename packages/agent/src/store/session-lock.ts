import { randomUUID } from 'node:crypto';
import { link, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { isAlive, ownIdentity, type ProcessIdentity } from './process-identity.ts';

/** The right to write a session's file, which one process has at a time. */
export interface SessionLock {
  /** Gives it back. Never rejects. */
  release(): Promise<void>;
}

const attempts = 20;

/**
 * Takes the lock, a file that says who holds it; a holder that is gone is no holder.
 * @returns the lock, or the id of the process that holds it
 * @throws the error of the file system when nobody holds it and it cannot be written
 */
export async function takeLock(path: string): Promise<SessionLock | number> {
  const own = JSON.stringify({ ...(await ownIdentity()), token: randomUUID() });
  for (let attempt = 0; attempt < attempts; attempt++) {
    const seen = await readFile(path, 'utf8').catch(() => undefined);
    if (seen === undefined) {
      if (await place(path, own)) return { release: () => release(path, own) };
      continue;
    }
    const holder = identityIn(seen);
    if (holder !== undefined && (await isAlive(holder))) return holder.pid;
    await removeDead(path, seen);
  }
  throw new Error(`${path} is taken and given up again too fast; try once more`);
}

/** Written beside it first, so that nobody ever sees a lock that does not say whose it is. */
async function place(path: string, text: string): Promise<boolean> {
  const draft = `${path}.${randomUUID()}`;
  try {
    await writeFile(draft, text, { flag: 'wx', mode: 0o600 });
    await link(draft, path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  } finally {
    await rm(draft, { force: true });
  }
}

/** Moves the lock away before it is removed: of two who see that it is dead, one may have taken a new one since. */
async function removeDead(path: string, dead: string): Promise<void> {
  const aside = `${path}.${randomUUID()}`;
  try {
    await rename(path, aside);
    if ((await readFile(aside, 'utf8')) !== dead) await link(aside, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EROFS') throw error;
    // Somebody else was faster, which the next attempt finds out.
  } finally {
    await rm(aside, { force: true });
  }
}

async function release(path: string, own: string): Promise<void> {
  try {
    if ((await readFile(path, 'utf8')) === own) await rm(path, { force: true });
  } catch {
    // It is gone already, or will be found dead when this process is.
  }
}

function identityIn(text: string): ProcessIdentity | undefined {
  try {
    const value = JSON.parse(text) as Partial<ProcessIdentity> | null;
    return typeof value?.pid === 'number' ? { pid: value.pid, started: String(value.started ?? '') } : undefined;
  } catch {
    return undefined;
  }
}
