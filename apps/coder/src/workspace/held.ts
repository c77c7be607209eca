import { constants } from 'node:fs';
import type { BigIntStats } from 'node:fs';
import { lstat, mkdir, open, readlink, realpath } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { codeOf, isMissing, moved, notRegular } from './file-failure.ts';
import type { WorkspacePath } from './workspace.ts';

/** A folder one holds on to, known to be where it was thought to be. */
export interface HeldFolder extends AsyncDisposable {
  /** The path by which to reach an entry of this very folder, wherever it is by now. */
  entry(name: string): string;
  /** Rejects if the folder is no longer where it was. */
  confirm(): Promise<void>;
}

/**
 * How to be sure that what is opened is what the path led to when it was judged: a folder on the way may have been exchanged for a
 * symbolic link in between.
 *
 * - `descriptor`: one takes hold of the thing without opening it, asks the kernel where it is, and uses that very thing. There
 *   is no moment in between. Needs Linux with `/proc`.
 * - `path`: one opens it and looks a second time. An exchange and its undoing between two looks stays unnoticed.
 */
export type HoldingWay = 'descriptor' | 'path';

/**
 * Opens a regular file for reading. Nothing else is ever opened, so that no pipe blocks and no device notices.
 * @returns undefined when there is nothing
 * @throws ToolError for what is no regular file, or is not where it was. Errors of the system
 */
export async function openRegular(path: WorkspacePath, way?: HoldingWay): Promise<FileHandle | undefined> {
  try {
    return (way ?? (await bestWay())) === 'descriptor' ? await openHeld(path) : await openSame(path);
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

/** Takes hold of a folder; makes it, and those above it, where they are missing. */
export async function holdFolder(real: string, shown: string, way?: HoldingWay): Promise<HeldFolder> {
  const chosen = way ?? (await bestWay());
  const hold = chosen === 'descriptor' ? holdByDescriptor : holdByPath;
  try {
    return await hold(real, shown);
  } catch (error) {
    if (codeOf(error) !== 'ENOENT' || dirname(real) === real) throw error;
  }
  await using parent = await holdFolder(dirname(real), shown, chosen);
  await mkdir(parent.entry(basename(real))).catch((error: unknown) => {
    if (codeOf(error) !== 'EEXIST') throw error;
  });
  // Awaited here, while the parent is held.
  return await hold(real, shown);
}

let known: Promise<HoldingWay> | undefined;

function bestWay(): Promise<HoldingWay> {
  known ??= worksByDescriptor().then((works) => (works ? 'descriptor' : 'path'));
  return known;
}

async function worksByDescriptor(): Promise<boolean> {
  if (process.platform !== 'linux') return false;
  try {
    await using root = await open('/', pathOnly);
    return (await readlink(linkOf(root))) === '/';
  } catch {
    return false;
  }
}

// Takes hold of a thing without opening it: no right to read is needed. Node has no name for it.
const pathOnly = 0o10000000;
// Windows has neither.
const noFollow = constants.O_NOFOLLOW ?? 0;
const noWait = constants.O_NONBLOCK ?? 0;

async function openHeld({ real, shown }: WorkspacePath): Promise<FileHandle> {
  await using held = await takeHold(real, shown, noFollow);
  const stats = await held.stat({ bigint: true });
  if (!stats.isFile()) throw notRegular(shown, stats);
  return await open(linkOf(held), constants.O_RDONLY | noWait);
}

async function openSame({ real, shown }: WorkspacePath): Promise<FileHandle> {
  const first = await lstat(real, { bigint: true });
  if (!first.isFile()) throw notRegular(shown, first);
  const handle = await open(real, constants.O_RDONLY | noFollow | noWait);
  try {
    if (!isSame(first, await handle.stat({ bigint: true })) || (await realpath(real)) !== real) throw moved(shown);
    return handle;
  } catch (error) {
    await handle.close();
    throw error;
  }
}

async function holdByDescriptor(real: string, shown: string): Promise<HeldFolder> {
  const handle = await takeHold(real, shown, constants.O_DIRECTORY | noFollow);
  return {
    entry: (name) => `${linkOf(handle)}/${name}`,
    confirm: async () => {
      if ((await readlink(linkOf(handle))) !== real) throw moved(shown);
    },
    [Symbol.asyncDispose]: () => handle.close(),
  };
}

async function holdByPath(real: string, shown: string): Promise<HeldFolder> {
  const first = await lstat(real, { bigint: true });
  const confirm = async (): Promise<void> => {
    if ((await realpath(real)) !== real || !isSame(first, await lstat(real, { bigint: true }))) throw moved(shown);
  };
  await confirm();
  if (!first.isDirectory()) throw Object.assign(new Error('ENOTDIR'), { code: 'ENOTDIR' });
  return { entry: (name) => join(real, name), confirm, [Symbol.asyncDispose]: () => Promise.resolve() };
}

async function takeHold(real: string, shown: string, flags: number): Promise<FileHandle> {
  const handle = await open(real, pathOnly | flags);
  try {
    if ((await readlink(linkOf(handle))) !== real) throw moved(shown);
    return handle;
  } catch (error) {
    await handle.close();
    throw error;
  }
}

function isSame(one: BigIntStats, other: BigIntStats): boolean {
  return one.dev === other.dev && one.ino === other.ino && one.mode === other.mode;
}

function linkOf(handle: FileHandle): string {
  return `/proc/self/fd/${handle.fd}`;
}
