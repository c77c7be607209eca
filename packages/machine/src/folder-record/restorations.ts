import { createHash } from 'node:crypto';
import { chmod, lstat, mkdir, readdir, readFile, readlink, rm, rmdir, symlink, unlink } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { holdingHere } from '../holding/holding-here.ts';
import type { HeldFolder } from '../holding/holding.ts';
import { replaceHeldFile } from '../replace-file.ts';
import { codeOf, systemReason, undefinedIfMissing } from '../system-reason.ts';
import { changedEntries, type ChosenChange, patchOf, type TreeEntry } from './changed-files.ts';
import { type Git, GitError } from './git.ts';

/** The reason why a file keeps its changes. The text continues a sentence about the file. */
export interface PatchFailure {
  readonly path: string;
  readonly why: string;
}

/** A file to write or remove in order to take changes back. */
export interface Restoration {
  /** Relative to the recorded folder, with slashes. */
  readonly path: string;
  /** The file now. Undefined: it does not exist. */
  readonly now: TreeEntry | undefined;
  /** The file afterwards. Undefined: it is removed. */
  readonly to: TreeEntry | undefined;
}

/** The files to write, and those in which a later change would be lost. */
export interface RestorationPlan {
  readonly planned: readonly Restoration[];
  readonly failures: readonly PatchFailure[];
}

/** A file is not in the state that was expected. The message continues a sentence about the file. */
export class ChangedSince extends Error {
  override readonly name = 'ChangedSince';
}

const link = '120000';
const executable = '100755';

/**
 * Plans the restoration of files. Later changes of other lines stay.
 * @param now the tree with the files as they are. The caller has the lock of the record
 */
export async function planRestorations(
  git: Git,
  now: string,
  changes: readonly ChosenChange[],
): Promise<RestorationPlan> {
  const index = join(git.repository, 'taking-back');
  try {
    await git.text(['read-tree', now], { index });
    const current = entriesIn(await git.text(['ls-tree', '-r', '-z', now]));
    const isAs = ({ file: { path } }: ChosenChange, entry: TreeEntry | undefined): boolean =>
      isSame(current.get(path), entry);
    const whole = changes.filter(({ hunks }) => !hunks);
    const unchanged = whole.filter((each) => isAs(each, each.file.after));
    await setEntries(
      git,
      unchanged.map(({ file: { path, before } }) => [path, before]),
      index,
    );
    const others = changes.filter(
      (each) => each.hunks ?? !(isAs(each, each.file.after) || isAs(each, each.file.before)),
    );
    const failures: PatchFailure[] = [];
    const expected = new Set(unchanged.map(({ file }) => file.path));
    for (const each of others) {
      const { path } = each.file;
      const why = current.has(path) ? 'it was changed since' : 'it was removed since';
      if (await reverse(git, each, index)) expected.add(path);
      else failures.push({ path, why });
    }
    const result = await git.line(['write-tree'], { index });
    const raw = await git.text(['diff-tree', '-r', '--raw', '-z', '--no-renames', now, result]);
    const all = changedEntries(raw).map(({ path, before, after }) => ({ path, now: before, to: after }));
    // A file that was put where a folder was, or the reverse, would be lost.
    const lost = all.filter(({ path }) => !expected.has(path)).map(({ path }) => path);
    const isBlocked = ({ path }: Restoration): boolean =>
      lost.some((each) => isAbove(path, each) || isAbove(each, path));
    const blocked = all.filter((each) => isBlocked(each) && !lost.includes(each.path));
    failures.push(...blocked.map(({ path }) => ({ path, why: 'something else is in its place' })));
    const planned = all.filter((each) => !isBlocked(each));
    // A file that goes may be in the way of a folder.
    return { planned: [...planned.filter(({ to }) => !to), ...planned.filter(({ to }) => to)], failures };
  } finally {
    await rm(index, { force: true });
  }
}

function isAbove(path: string, other: string): boolean {
  return path === other || other.startsWith(`${path}/`);
}

/** Sets entries of an index; those without one are removed. */
export async function setEntries(
  git: Git,
  entries: readonly (readonly [path: string, entry: TreeEntry | undefined])[],
  index: string,
): Promise<void> {
  const removed = entries.filter(([, entry]) => !entry).map(([path]) => `0 ${'0'.repeat(40)}\t${path}\0`);
  const set = entries.flatMap(([path, entry]) => (entry ? [`${entry.mode} ${entry.id}\t${path}\0`] : []));
  const input = [...removed, ...set].join('');
  if (input !== '') await git.text(['update-index', '--replace', '-z', '--index-info'], { index, input });
}

/** Resolves with false if the changed lines are not there any more. */
async function reverse(git: Git, { file, hunks }: ChosenChange, index: string): Promise<boolean> {
  const patch = hunks ? patchOf(file, hunks, 'after') : file.patch;
  try {
    await git.text(['apply', '--cached', '--reverse', '--whitespace=nowarn', '-'], {
      index,
      input: Buffer.from(patch, 'latin1'),
    });
    return true;
  } catch (error) {
    if (error instanceof GitError && error.exitCode === 1) return false;
    throw error;
  }
}

/** The bytes of a file after its restoration, or the target of the link. Undefined if it is removed. */
export async function restoredContent(git: Git, { to }: Restoration): Promise<Buffer | undefined> {
  return to && git.bytes(['cat-file', 'blob', to.id]);
}

/** Writes or removes a file. Rejects with {@link ChangedSince} if that cannot be done. */
export async function restore(git: Git, restoration: Restoration): Promise<void> {
  try {
    if (restoration.path.includes('\uFFFD')) throw new ChangedSince('its name is not valid UTF-8');
    await write(git, restoration);
  } catch (error) {
    const code = codeOf(error);
    throw code === undefined ? error : new ChangedSince(systemReason(code), { cause: error });
  }
}

async function write(git: Git, restoration: Restoration): Promise<void> {
  const { path, now, to } = restoration;
  const target = join(git.folder, path);
  const content = await restoredContent(git, restoration);
  await using folder = await heldParent(git.folder, path, { makesMissing: to !== undefined });
  const entry = folder.entry(basename(target));
  const confirm = (): Promise<void> => requireState(entry, now);
  if (!now) await removeEmptyFolders(folder, basename(target));
  await confirm();
  // A file replaces a file in one step. A link cannot be written like that.
  const isFile = (each: TreeEntry | undefined): boolean => each !== undefined && each.mode !== link;
  const isReplaced = isFile(now) && isFile(to);
  if (now && !isReplaced) await unlink(entry);
  if (!to || !content) return removeEmptyAbove(target, git.folder);
  // Awaited, because the entry is valid only while the folder is held.
  if (to.mode === link) return await symlink(content, entry);
  const old = isReplaced ? await lstat(entry, { bigint: true }) : undefined;
  await replaceHeldFile({ folder, entry }, { content, old, ...(isReplaced && { confirm }) });
  await setExecutable(entry, to.mode === executable);
}

/** Holds the folder of a path. Missing folders are made one by one, each below a held one: none is made through a link. */
async function heldParent(
  top: string,
  path: string,
  { makesMissing }: { readonly makesMissing: boolean },
): Promise<HeldFolder> {
  let held = await heldFolder(top);
  for (const name of path.split('/').slice(0, -1)) {
    await using above = held;
    if (makesMissing) await mkdir(above.entry(name)).catch(undefinedIfExists);
    held = await heldFolder(join(above.real, name));
  }
  return held;
}

function undefinedIfExists(error: unknown): undefined {
  if (codeOf(error) !== 'EEXIST') throw error;
}

async function heldFolder(path: string): Promise<HeldFolder> {
  const folder = await (await holdingHere()).folder(path);
  if (folder.real === path) return folder;
  await folder[Symbol.asyncDispose]();
  throw new ChangedSince('a link replaced a folder above it');
}

async function requireState(entry: string, now: TreeEntry | undefined): Promise<void> {
  if ((await idOf(entry)) !== now?.id) throw new ChangedSince(now ? 'it was changed since' : 'it exists again');
}

function isSame(one: TreeEntry | undefined, other: TreeEntry | undefined): boolean {
  return one?.id === other?.id && one?.mode === other?.mode;
}

/** @param listed `git ls-tree -z`: each record is `mode blob id`, tab, path, NUL */
function entriesIn(listed: string): ReadonlyMap<string, TreeEntry> {
  return new Map(
    listed
      .split('\0')
      .slice(0, -1)
      .map((record) => {
        const [mode = '', , id = ''] = record.slice(0, record.indexOf('\t')).split(' ');
        return [record.slice(record.indexOf('\t') + 1), { mode, id }];
      }),
  );
}

/** The id that git gives the content of a file or the target of a link. Undefined if nothing exists. */
async function idOf(path: string): Promise<string | undefined> {
  const found = await lstat(path).catch(undefinedIfMissing);
  if (!found) return undefined;
  if (!found.isFile() && !found.isSymbolicLink()) return 'other';
  const content = found.isFile() ? await readFile(path) : await readlink(path, { encoding: 'buffer' });
  return createHash('sha1').update(`blob ${content.length}\0`).update(content).digest('hex');
}

/** Removes empty folders at an entry, which are in no record. Anything else stays, and links are not followed. */
async function removeEmptyFolders(folder: HeldFolder, name: string): Promise<void> {
  const entry = folder.entry(name);
  const found = await lstat(entry).catch(undefinedIfMissing);
  if (!found?.isDirectory()) return;
  {
    await using inside = await heldFolder(join(folder.real, name));
    for (const each of await readdir(inside.entry('.'))) await removeEmptyFolders(inside, each);
  }
  await rmdir(entry).catch(() => undefined);
}

async function removeEmptyAbove(target: string, top: string): Promise<void> {
  for (let above = dirname(target); above !== top; above = dirname(above))
    try {
      await using folder = await heldFolder(dirname(above));
      await rmdir(folder.entry(basename(above)));
    } catch {
      return;
    }
}

async function setExecutable(path: string, isExecutable: boolean): Promise<void> {
  const allowed = (await lstat(path)).mode & 0o777;
  if (isExecutable === (allowed & 0o100) > 0) return;
  await chmod(path, isExecutable ? allowed | ((allowed & 0o444) >> 2) : allowed & 0o666);
}
