import { mkdir, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { createFile, replaceFile } from '../store/atomic-file.ts';
import { isRunning, ownIdentity, type ProcessIdentity } from './process-identity.ts';

/** How often a holder says that it is there, in milliseconds. */
const heartbeat = 5_000;
/** A holder on another machine that was silent for this long is given up. One on this machine is known to live or not. */
const silentFor = 30_000;

/** Who holds something, as it stands in the file. */
export interface Holder<Details = unknown> extends ProcessIdentity {
  readonly number: number;
  /** Milliseconds since the epoch. */
  readonly heardAt: number;
  /** It was given back; the file stays, so that numbers only grow. */
  readonly isReleased?: true;
  readonly details: Details;
}

/**
 * A folder can have one holder. Each lease is a file with a number, and whoever wants the next one makes the file with the next
 * number, which succeeds once. The highest file is never deleted, so a latecomer that acts on an old look at the folder finds a
 * higher number than its own and steps back: there is no moment with two holders, nor one in which a lease is moved about.
 */
export class Lease<Details> implements AsyncDisposable {
  readonly #folder: string;
  #holder: Holder<Details>;
  readonly #timer: NodeJS.Timeout;
  #last: Promise<void> = Promise.resolve();

  private constructor(folder: string, holder: Holder<Details>) {
    this.#folder = folder;
    this.#holder = holder;
    this.#timer = setInterval(() => this.#write({}), heartbeat).unref();
  }

  /** @returns the lease, or who holds it. Rejects when the folder cannot be written. */
  static async take<Details>(folder: string, details: Details): Promise<Lease<Details> | Holder<Details>> {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    for (;;) {
      const { number: highest, holder: other } = await look<Details>(folder);
      if (other) return other;
      const number = highest + 1;
      const holder: Holder<Details> = { ...(await ownIdentity()), number, heardAt: Date.now(), details };
      const isMine = await createFile(leaseFile(folder, number), JSON.stringify(holder));
      if (isMine && (await highestNumber(folder)) === number) {
        await forgetBelow(folder, number);
        return new Lease(folder, holder);
      }
      if (isMine) await rm(leaseFile(folder, number), { force: true });
    }
  }

  /** Gives it back. May be called again. */
  async release(): Promise<void> {
    clearInterval(this.#timer);
    this.#write({ isReleased: true });
    await this.#last;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.release();
  }

  /** A beat that cannot be written, on a full disk say, costs nothing on this machine: the process is seen to run. */
  #write(change: Partial<Holder<Details>>): void {
    this.#holder = { ...this.#holder, heardAt: Date.now(), ...change };
    const text = JSON.stringify(this.#holder);
    const path = leaseFile(this.#folder, this.#holder.number);
    this.#last = this.#last.then(() => replaceFile(path, text)).catch(() => undefined);
  }
}

/** Who holds the folder now. */
export async function currentHolder<Details>(folder: string): Promise<Holder<Details> | undefined> {
  return (await look<Details>(folder)).holder;
}

/** Does something while nobody else does. Waits for whoever is at it. */
export async function withLease<Result>(folder: string, work: () => Promise<Result>): Promise<Result> {
  for (;;) {
    const lease = await Lease.take(folder, {});
    if (lease instanceof Lease) {
      try {
        return await work();
      } finally {
        await lease.release();
      }
    }
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

async function isHeld(holder: Holder): Promise<boolean> {
  if (holder.isReleased) return false;
  return (await isRunning(holder)) ?? Date.now() - holder.heardAt < silentFor;
}

/** The highest number, 0 if there is none, and who holds it if it is held. */
async function look<Details>(folder: string): Promise<{ number: number; holder?: Holder<Details> }> {
  for (;;) {
    const number = await highestNumber(folder);
    if (number === 0) return { number };
    const text = await readFile(leaseFile(folder, number), 'utf8').catch(undefinedIfGone);
    // Gone again: a higher one has been made meanwhile.
    if (text === undefined) continue;
    const holder = parsed<Details>(text);
    return holder && (await isHeld(holder)) ? { number, holder } : { number };
  }
}

function undefinedIfGone(error: unknown): undefined {
  if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
}

/** What is damaged holds nothing, but its number counts. */
function parsed<Details>(text: string): Holder<Details> | undefined {
  try {
    return JSON.parse(text) as Holder<Details>;
  } catch {
    return undefined;
  }
}

async function highestNumber(folder: string): Promise<number> {
  const names = await readdir(folder).catch(() => []);
  return Math.max(0, ...names.map((each) => Number(/^lease\.(\d+)\.json$/.exec(each)?.[1] ?? 0)));
}

async function forgetBelow(folder: string, number: number): Promise<void> {
  const older = Array.from({ length: Math.min(8, number - 1) }, (_, index) => number - 1 - index);
  await Promise.all(older.map((each) => rm(leaseFile(folder, each), { force: true })));
}

function leaseFile(folder: string, number: number): string {
  return join(folder, `lease.${number}.json`);
}
