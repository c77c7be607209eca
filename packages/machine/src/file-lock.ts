import { createHash, randomUUID } from 'node:crypto';
import { link, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { identityIn, isRunning, ownIdentity, type ProcessIdentity } from './process-identity.ts';
import { readOwnFile } from './read-file.ts';
import { codeOf } from './system-reason.ts';

/** How often a holder updates the time of the lock, in milliseconds. Only other machines need it: on the same machine, the process is checked. */
const heartbeat = 5_000;
/** Milliseconds of silence after which the lock of a process on another machine is void. */
const silentFor = 30_000;
/** Milliseconds between two attempts. */
const pause = 15;
/** Milliseconds after which a lock that names no holder is read again. */
const grace = 100;
const attempts = 100;

/** The holder of a lock. */
export interface LockHolder<Details = unknown> extends ProcessIdentity {
  /** Data that the holder stored with the lock. */
  readonly details: Details;
}

/** A lock was held for longer than the caller's timeout. */
export class LockHeldError extends Error {
  override readonly name = 'LockHeldError';

  constructor(path: string, { pid, host }: ProcessIdentity) {
    super(
      `${path} is held by process ${pid} on ${host}; end that process, or remove the file if the process no longer runs`,
    );
  }
}

/** A lock held by this process until it is released. */
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

  /** Releases it. Never rejects; may be called again. */
  async release(): Promise<void> {
    clearInterval(this.#timer);
    // A lock file that cannot be removed is void once this process has ended.
    const isOurs = (await textOf(this.#path).catch(() => undefined)) === this.#text;
    if (isOurs) await rm(this.#path, { force: true }).catch(() => undefined);
  }

  /** The same as {@link FileLock.release}. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.release();
  }
}

/**
 * Takes a lock: a file that names the process that holds it, and that only the user may read. The lock of a process that has ended is void,
 * regardless of the date of the file.
 *
 * A lock file appears with its whole content, and a void one is removed only by the holder of a lock for removing exactly that content. So there
 * are never two holders, and a valid lock is never moved.
 * @param path absolute; its folder must exist
 * @param details JSON
 * @returns the lock, or its holder. Rejects with the system's error when it is free and cannot be written
 */
export async function takeLock<Details = unknown>(
  path: string,
  details?: Details,
): Promise<FileLock | LockHolder<Details>> {
  const text = JSON.stringify({ ...(await ownIdentity()), token: randomUUID(), details });
  for (let attempt = 0; attempt < attempts; attempt++) {
    const seen = await textOf(path);
    if (seen === undefined) {
      if (await createLock(path, text)) return new FileLock(path, text);
      continue;
    }
    const holder = await holderIn<Details>(path, seen);
    if (holder) return holder;
    await removeVoid(path, seen);
  }
  throw new Error(`${path} is taken and released too often at the moment; try again`);
}

/** The current holder of a lock; undefined if it is free. */
export async function lockHolder<Details = unknown>(path: string): Promise<LockHolder<Details> | undefined> {
  const seen = await textOf(path);
  return seen === undefined ? undefined : holderIn<Details>(path, seen);
}

/**
 * Takes a lock, see {@link takeLock}, and waits while another holder has it.
 * @param timeout milliseconds
 * @returns the lock, or its holder after the timeout
 */
export async function waitForLock(path: string, timeout: number): Promise<FileLock | LockHolder> {
  for (const started = performance.now(); ; await sleep(pause)) {
    const lock = await takeLock(path);
    if (lock instanceof FileLock || performance.now() - started > timeout) return lock;
  }
}

/**
 * Runs work under a lock, see {@link takeLock}.
 * @param options `timeout`: milliseconds to wait for another holder before it rejects with LockHeldError. Default: unlimited
 */
export async function withLock<Value>(
  path: string,
  work: () => Promise<Value>,
  { timeout = Infinity }: { readonly timeout?: number } = {},
): Promise<Value> {
  const lock = await waitForLock(path, timeout);
  if (!(lock instanceof FileLock)) throw new LockHeldError(path, lock);
  try {
    return await work();
  } finally {
    await lock.release();
  }
}

// A lock may be next to a file of a project, where another program may have created a pipe.
async function textOf(path: string): Promise<string | undefined> {
  return readOwnFile(path);
}

/** Written to a temporary file first, so that no reader sees a lock without its holder. */
async function createLock(path: string, text: string): Promise<boolean> {
  const draft = `${path}.${randomUUID()}`;
  try {
    await writeFile(draft, text, { flag: 'wx', mode: 0o600 });
    await link(draft, path);
    return true;
  } catch (error) {
    const code = codeOf(error) ?? '';
    if (code === 'EEXIST') return false;
    // A file system without hard links, such as that of many USB sticks.
    if (['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS'].includes(code)) return createWithoutLink(path, text);
    throw error;
  } finally {
    await rm(draft, { force: true });
  }
}

async function createWithoutLink(path: string, text: string): Promise<boolean> {
  try {
    await writeFile(path, text, { flag: 'wx', mode: 0o600 });
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    await rm(path, { force: true });
    throw error;
  }
}

/** The holder named in a lock; undefined if its process has ended, or the text names none and does not change. */
async function holderIn<Details>(path: string, text: string): Promise<LockHolder<Details> | undefined> {
  const value = parsed(text);
  const identity = identityIn(value);
  if (!identity) return void (await sleep(grace));
  const isHeld = (await isRunning(identity)) ?? (await isHeartbeatRecent(path));
  return isHeld ? { ...identity, details: (value as { details: Details }).details } : undefined;
}

/** The clocks of two machines may differ in both directions. */
async function isHeartbeatRecent(path: string): Promise<boolean> {
  const found = await stat(path).catch(() => undefined);
  return found !== undefined && Math.abs(Date.now() - found.mtimeMs) < silentFor;
}

/** Uses a lock of its own: of several processes that find the lock void, one removes it after a second check. */
async function removeVoid(path: string, content: string): Promise<void> {
  const remover = await takeLock(`${path}.${createHash('sha256').update(content).digest('hex').slice(0, 16)}`);
  if (!(remover instanceof FileLock)) return sleep(pause);
  try {
    if ((await textOf(path)) === content) await rm(path, { force: true });
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
