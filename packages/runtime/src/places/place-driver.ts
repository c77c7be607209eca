import { copyFile, cp, constants, lstat, mkdir, readlink, rm, symlink, writeFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { commonGitFolder, gitFolder, readProjectFile, realPath } from '@turnwire/machine';
import { FolderStates, Git, GitError } from '@turnwire/machine/folder-record';
import type { Place, PlaceKind } from './place.ts';
import { ownUploadPack, UserGit } from './user-git.ts';
import { workingTree } from './working-tree.ts';

/** The content of a new place, and the folder for the data of its driver. */
interface PlaceMaking {
  /** Whether the uncommitted changes of the origin come along. */
  readonly withChanges: boolean;
  /** The repository for the states of a copy outside of a repository. */
  readonly repository: string;
}

/** Makes and removes places of one kind. Both finish what a killed process has begun. */
export interface PlaceDriver {
  /** Makes the folder of a place. Resolves with the tree of its files. */
  make(place: Place, making: PlaceMaking): Promise<string>;
  /** Removes the folder and the branch of a place, as far as they exist. */
  remove(place: Place): Promise<void>;
}

const worktree: PlaceDriver = {
  async make(place, { withChanges }) {
    const { origin, folder, branch = '', base = '' } = place;
    const git = new UserGit(origin);
    await git.text([...parallel, 'worktree', 'add', '--quiet', '--no-track', '-b', branch, '--', folder, base]);
    if (withChanges) await takeChanges(place);
    await copyIncluded(place);
    return withChanges ? keptTree(place) : treeOf(git, base);
  },
  async remove({ origin, folder, branch = '' }) {
    if (!isRepository(origin)) return rm(folder, { recursive: true, force: true, maxRetries: 3 });
    const git = new UserGit(origin);
    const listed = await git.texts(['worktree', 'list', '--porcelain', '-z']);
    // Twice: git has locked a worktree that it has not finished.
    if (listed.includes(`worktree ${folder}`))
      await git.text(['worktree', 'remove', '--force', '--force', '--', folder]).catch(() => undefined);
    await rm(folder, { recursive: true, force: true, maxRetries: 3 });
    await git.text(['worktree', 'unlock', '--', folder]).catch(() => undefined);
    await git.text(['worktree', 'prune']);
    // git keeps a branch that the user has checked out elsewhere.
    if (await hasRef(git, `refs/heads/${branch}`))
      await git.text(['branch', '--quiet', '-D', '--', branch]).catch(() => undefined);
    await git.text(['update-ref', '-d', keptRef(branch)]);
  },
};

const clone: PlaceDriver = {
  async make(place, { withChanges }) {
    const { origin, folder, base = '' } = place;
    await makeClone(place);
    const git = new UserGit(folder);
    await git.text([...parallel, 'reset', '--quiet', '--hard']);
    if (withChanges) await takeChanges(place);
    await copyIncluded(place);
    return withChanges ? keptTree(place) : treeOf(new UserGit(origin), base);
  },
  async remove({ folder }) {
    await rm(folder, { recursive: true, force: true, maxRetries: 3 });
  },
};

const copy: PlaceDriver = {
  async make(place, { repository }) {
    const { origin, folder, branch } = place;
    if (branch !== undefined) await makeClone(place);
    await copyFolder(origin, folder);
    if (branch === undefined) {
      const states = new FolderStates(new Git(repository, folder));
      await states.prepare();
      return states.now();
    }
    await new UserGit(folder).text(['reset', '--quiet', '--mixed']);
    return keptTree(place);
  },
  remove: (place) => clone.remove(place),
};

/** The drivers of all kinds of places. A session that works *here*, in the folder itself, needs none. */
export const placeDrivers: Readonly<Record<PlaceKind, PlaceDriver>> = { worktree, clone, copy };

/** A checkout on all processors. */
const parallel: readonly string[] = ['-c', 'checkout.workers=0'];

/** Makes a clone without files. It shares no file with its origin: a process that may write in it cannot change the objects of the origin. */
async function makeClone({ origin, folder, branch = '', base = '' }: Place): Promise<void> {
  const git = new UserGit(origin);
  const words = ['clone', ...['--quiet', '--local', '--no-hardlinks', '--no-checkout'], ...ownUploadPack, '--'];
  await git.text([...words, origin, folder], { isElsewhere: true, isTransfer: true });
  const made = new UserGit(folder);
  for (const key of ['user.name', 'user.email']) {
    const value = await git.line(['config', '--get', key]).catch(() => '');
    if (value !== '') await made.text(['config', key, value]);
  }
  const info = join(commonGitFolder(origin), 'info');
  const excluded = readProjectFile(join(info, 'exclude'), { project: info });
  await mkdir(join(folder, '.git', 'info'), { recursive: true });
  if (excluded) await writeFile(join(folder, '.git', 'info', 'exclude'), excluded);
  await made.text(['symbolic-ref', 'HEAD', `refs/heads/${branch}`]);
  await made.text(['update-ref', `refs/heads/${branch}`, base]);
}

/** Makes the files of a new place equal to those of its origin, as uncommitted changes. */
async function takeChanges({ origin, folder, kind }: Place): Promise<void> {
  const changed = await workingTree(new UserGit(origin));
  const git = new UserGit(folder);
  const objects = kind === 'worktree' ? [] : [join(commonGitFolder(origin), 'objects')];
  await git.text(['read-tree', '-m', '-u', 'HEAD', changed], { objects });
  await git.text(['reset', '--quiet', '--mixed'], { objects });
}

/** The ref that keeps the tree with which a place began. */
function keptRef(branch: string): string {
  return `refs/turnwire/places/${branch.replace(/^turnwire\//, '')}`;
}

async function keptTree({ folder, branch = '' }: Place): Promise<string> {
  const git = new UserGit(folder);
  const tree = await workingTree(git);
  await git.text(['update-ref', keptRef(branch), tree]);
  return tree;
}

function treeOf(git: UserGit, commit: string): Promise<string> {
  return git.line(['rev-parse', '--verify', `${commit}^{tree}`]);
}

/** Whether the origin still exists, with its repository. */
export function isRepository(origin: string): boolean {
  return existsSync(join(origin, '.git'));
}

export async function hasRef(git: UserGit, ref: string): Promise<boolean> {
  return git.text(['show-ref', '--verify', '--quiet', ref]).then(
    () => true,
    (error: unknown) => {
      if (error instanceof GitError && error.exitCode === 1) return false;
      throw error;
    },
  );
}

/** The file with patterns, as in `.gitignore`, of untracked files that a place gets too. */
const includeFile = '.worktreeinclude';

/**
 * Copies the untracked files that the origin's {@link includeFile} names. Only those that git ignores in the place: a merge would commit others.
 */
async function copyIncluded({ origin, folder }: Place): Promise<void> {
  if (!existsSync(join(origin, includeFile))) return;
  const listed = await new UserGit(origin).texts([
    'ls-files',
    '-z',
    '--others',
    '--ignored',
    `--exclude-from=${includeFile}`,
  ]);
  // A nested repository is listed as a folder. A link in the place may lead out of it.
  const possible = listed.filter((path) => !path.endsWith('/') && leadsTo(dirname(join(folder, path))));
  for (const path of await ignored(new UserGit(folder), possible)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await copyEntry(join(origin, path), join(folder, path));
  }
}

function leadsTo(path: string): boolean {
  return realPath(path) === path;
}

async function ignored(git: UserGit, paths: readonly string[]): Promise<readonly string[]> {
  // A path that begins with a colon would be a pattern.
  const input = paths.map((path) => `./${path}\0`).join('');
  const found = await git.texts(['check-ignore', '-z', '--stdin'], { input }).catch((error: unknown) => {
    if (error instanceof GitError && error.exitCode === 1) return [];
    throw error;
  });
  return found.map((path) => path.slice('./'.length));
}

async function copyEntry(from: string, to: string): Promise<void> {
  const found = await lstat(from).catch(() => undefined);
  if (found?.isSymbolicLink()) await symlink(await readlink(from), to).catch(ignoreExisting);
  // Shares the blocks of the file where the file system supports that.
  else if (found?.isFile())
    await copyFile(from, to, constants.COPYFILE_FICLONE | constants.COPYFILE_EXCL).catch(ignoreExisting);
}

function ignoreExisting(error: unknown): void {
  if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
}

/**
 * Copies all files except the repository. Not the linked worktrees in it: a commit in a copy of one would move a branch of the origin. A submodule is
 * copied without the file that leads to its repository.
 */
async function copyFolder(origin: string, folder: string): Promise<void> {
  const own = join(origin, '.git');
  await cp(origin, folder, {
    recursive: true,
    verbatimSymlinks: true,
    preserveTimestamps: true,
    mode: constants.COPYFILE_FICLONE,
    // Pipes and devices cannot be copied.
    filter: async (from) => {
      if (from === own) return false;
      const found = await lstat(from).catch(() => undefined);
      if (basename(from) === '.git' && found?.isFile()) return false;
      if (found?.isDirectory() && from !== origin && existsSync(join(gitFolder(from), 'commondir'))) return false;
      return found !== undefined && (found.isFile() || found.isDirectory() || found.isSymbolicLink());
    },
  });
}

/** The folder of objects that a place and its origin do not share; undefined if they share all. */
export function ownObjects({ kind, folder, branch }: Place): string | undefined {
  return kind === 'worktree' || branch === undefined ? undefined : join(gitFolder(folder), 'objects');
}
