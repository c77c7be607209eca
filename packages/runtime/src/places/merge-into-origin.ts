import { uncommittedFiles } from './open-work.ts';
import { counted, type Place, PlaceError } from './place.ts';
import { ownUploadPack, UserGit } from './user-git.ts';
import { addAll } from './working-tree.ts';

/** The result of bringing changes to the origin. */
export interface Brought {
  /** The files with conflicts. */
  readonly conflicts: readonly string[];
}

/** Fetches objects and changes no ref. */
const asObjects = [
  '-c',
  'protocol.version=2',
  'fetch',
  '--quiet',
  '--no-tags',
  '--no-write-fetch-head',
  '--no-auto-maintenance',
  ...ownUploadPack,
  '--',
];

/** Merges what is checked out in a place into the branch that is checked out in its origin. */
export async function mergeIntoOrigin(place: Place, message: string | undefined): Promise<Brought> {
  const { name, folder, origin } = place;
  const git = new UserGit(origin);
  if ((await unresolved(git)).length > 0)
    throw new PlaceError(
      `${origin} has conflicts of an earlier merge: resolve and commit them first, or run git merge --abort there`,
    );
  const inPlace = new UserGit(folder);
  const open = await uncommittedFiles(inPlace);
  if (open.length > 0 && message === undefined)
    throw new PlaceError(
      `${counted(open.length, 'changed file')} in the place ${name} ${open.length === 1 ? 'is' : 'are'} not committed: commit first, or give --message TEXT to commit all of them`,
    );
  if (open.length > 0) {
    await addAll(inPlace);
    await inPlace.text(['commit', '--quiet', '-m', message ?? '']);
  }
  // The agent may have created another branch in the place.
  const tip = await inPlace.line(['rev-parse', 'HEAD']);
  if (place.kind !== 'worktree') await git.text([...asObjects, folder, tip], { isTransfer: true });
  return mergeCommit(git, tip, name);
}

async function mergeCommit(git: UserGit, tip: string, name: string): Promise<Brought> {
  try {
    await git.text(['merge', '--quiet', '--no-edit', '-m', `Merge the place ${name}`, tip]);
    return { conflicts: [] };
  } catch (error) {
    const conflicts = await unresolved(git);
    if (conflicts.length === 0) throw error;
    return { conflicts };
  }
}

/** The files with conflicts. `git diff` would start git in nested repositories. */
async function unresolved(git: UserGit): Promise<readonly string[]> {
  const entries = await git.texts(['ls-files', '--unmerged', '-z']);
  return [...new Set(entries.map((entry) => entry.slice(entry.indexOf('\t') + 1)))];
}
