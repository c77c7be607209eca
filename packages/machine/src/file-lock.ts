import { createHash, randomUUID } from 'node:crypto';
import { link, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { identityIn, isRunning, ownIdentity, type ProcessIdentity } from './process-identity.ts';
import { readOwnFile } from './read-file.ts';
import { codeOf } from './system-reason.ts';

/** How often a holder shows that it is there, in milliseconds. Only other machines need it: on one machine a process is seen to run. */
const heartbeat = 5_000;
/** A holder on another machine that was silent for this long is given up. */
const silentFor = 30_000;
/** Milliseconds between two attempts. */
const pause = 15;
/** Milliseconds after which a lock that does not say whose it is still says nothing. */
const grace = 100;
const attempts = 100;

/** Who holds a lock. */
export interface LockHolder<Details = unknown> extends ProcessIdentity {
  /** What the holder wrote down with the lock. */
  readonly details: Details;
}

/** A lock was held for longer than somebody was ready to wait. */
export class LockHeldError extends Error {
  override readonly name = 'LockHeldError';

  constructor(path: string, { pid, host }: ProcessIdentity) {
    super(`${path} is held by process ${pid} on ${host}; end that process, or remove the file if it is not at work`);
  }
}

/** A lock that is held by this process until it is released. */
export class FileLock implements AsyncDisposable {
  readonly #path: string;
  readonly #text: string;
  readonly #timer: NodeJS.Timeout;

  constructor(path: string, text: string) {
    this.#path = path;
    this.#text = text;
    this.#timer = setInterval(() => {
      const now = new Date();
      void utimes(path, now, now).catch(() => undefined);
    }, heartbeat).unref();
  }

  /** Gives it back. Never rejects; may be called again. */
  async release(): Promise<void> {
    clearInterval(this.#timer);
    // What cannot be removed is found dead when this process is.
    const isOurs = (await textOf(this.#path).catch(() => undefined)) === this.#text;
    if (isOurs) await rm(this.#path, { force: true }).catch(() => undefined);
  }

  /** The same as {@link FileLock.release}. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.release();
  }
}

/**
 * Takes a lock: a file that says which process holds it. A process that is gone holds nothing, whatever the file's date is.
 *
 * A lock appears with its whole content, and a dead one is removed only by whoever holds the lock for removing exactly that content.
 * So there is no moment with two holders, and none in which a live lock is moved about.
 * @param path absolute; its folder must exist
 * @param details JSON; with them nobody but the user may read the file
 * @returns the lock, or who holds it. Rejects with the error of the system when nobody holds it and it cannot be written
 */
export async function takeLock<Details = unknown>(
  path: string,
  details?: Details,
): Promise<FileLock | LockHolder<Details>> {
  const text = JSON.stringify({ ...(await ownIdentity()), token: randomUUID(), details });
  for (let attempt = 0; attempt < attempts; attempt++) {
    const seen = await textOf(path);
    if (seen === undefined) {
      if (await place(path, text, details === undefined ? 0o644 : 0o600)) return new FileLock(path, text);
      continue;
    }
    const holder = await holderIn<Details>(path, seen);
    if (holder) return holder;
    await removeDead(path, seen);
  }
  throw new Error(`${path} is taken and given up again too fast; try once more`);
}

/** Who holds a lock now; undefined if nobody does. */
export async function lockHolder<Details = unknown>(path: string): Promise<LockHolder<Details> | undefined> {
  const seen = await textOf(path);
  return seen === undefined ? undefined : holderIn<Details>(path, seen);
}

/**
 * Does something while no other process does it under the same lock, see {@link takeLock}.
 * @param options `patience`: milliseconds to wait for another holder before it rejects with LockHeldError. Default: for ever
 */
export async function withLock<Value>(
  path: string,
  work: () => Promise<Value>,
  { patience = Infinity }: { readonly patience?: number } = {},
): Promise<Value> {
  for (const started = performance.now(); ; await sleep(pause)) {
    const lock = await takeLock(path);
    if (lock instanceof FileLock) {
      try {
        return await work();
      } finally {
        await lock.release();
      }
    }
    if (performance.now() - started > patience) throw new LockHeldError(path, lock);
  }
}

// A lock may be beside a file of a project, where somebody may have put a pipe in its place.
async function textOf(path: string): Promise<string | undefined> {
  return readOwnFile(path);
}

/** Written beside it first, so that nobody ever sees a lock that does not say whose it is. */
async function place(path: string, text: string, mode: number): Promise<boolean> {
  const draft = `${path}.${randomUUID()}`;
  try {
    await writeFile(draft, text, { flag: 'wx', mode });
    await link(draft, path);
    return true;
  } catch (error) {
    const code = codeOf(error) ?? '';
    if (code === 'EEXIST') return false;
    // A file system without hard links, such as that of many memory sticks.
    if (['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS'].includes(code)) return placeAtOnce(path, text, mode);
    throw error;
  } finally {
    await rm(draft, { force: true });
  }
}

async function placeAtOnce(path: string, text: string, mode: number): Promise<boolean> {
  try {
    await writeFile(path, text, { flag: 'wx', mode });
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    await rm(path, { force: true });
    throw error;
  }
}

/** Who holds the lock with this text; undefined if that process is gone, or the text names none and stays as it is. */
async function holderIn<Details>(path: string, text: string): Promise<LockHolder<Details> | undefined> {
  const value = parsed(text);
  const identity = identityIn(value);
  if (!identity) return void (await sleep(grace));
  const isHeld = (await isRunning(identity)) ?? (await isHeardOf(path));
  return isHeld ? { ...identity, details: (value as { details: Details }).details } : undefined;
}

/** Clocks of two machines differ in both directions. */
async function isHeardOf(path: string): Promise<boolean> {
  const found = await stat(path).catch(() => undefined);
  return found !== undefined && Math.abs(Date.now() - found.mtimeMs) < silentFor;
}

/** Under a lock of its own: of those who find it dead one removes it, and looks again before it does. */
async function removeDead(path: string, dead: string): Promise<void> {
  const remover = await takeLock(`${path}.${createHash('sha256').update(dead).digest('hex').slice(0, 16)}`);
  if (!(remover instanceof FileLock)) return sleep(pause);
  try {
    if ((await textOf(path)) === dead) await rm(path, { force: true });
  } finally {
    await remover.release();
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
