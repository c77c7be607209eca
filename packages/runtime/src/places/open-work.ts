import type { OpenWork, Place } from './place.ts';
import { hasRef, isRepository, ownObjects } from './place-driver.ts';
import { PlaceStates } from './place-states.ts';
import { UserGit } from './user-git.ts';

/** The files of a working tree that are not committed, except the contents of submodules. */
export function uncommittedFiles(git: UserGit): Promise<readonly string[]> {
  return git.texts(['status', '--porcelain', '-z', '--no-renames', '--untracked-files=all', '--ignore-submodules=all']);
}

/** Counts the work that would be lost with a place. */
export async function openWork(place: Place, repository: string): Promise<OpenWork> {
  // It was never given to a session.
  if (place.state === 'making' || place.from === undefined) return { uncommitted: 0, unmerged: 0 };
  const states = new PlaceStates(place, repository);
  const now = await states.now();
  // The user may have discarded these changes in the origin since.
  const mayBeKept = now === place.from || now === place.applied;
  const isKept = mayBeKept && (await states.isInOrigin(now));
  if (place.branch === undefined) return { uncommitted: isKept ? 0 : (await states.changes()).length, unmerged: 0 };
  const uncommitted = isKept ? 0 : (await uncommittedFiles(new UserGit(place.folder))).length;
  return { uncommitted, unmerged: await unmergedCommits(place, place.branch) };
}

async function unmergedCommits(place: Place, branch: string): Promise<number> {
  const inPlace = new UserGit(place.folder);
  // A clone has branches and a stash of its own, which go with it. Those of a worktree stay in the repository.
  const refs = place.kind === 'worktree' ? [`refs/heads/${branch}`] : ['refs/heads/', 'refs/tags/', 'refs/stash'];
  const listed = await inPlace.text(['for-each-ref', '--format=%(objectname)', ...refs]);
  const tips = new Set([...listed.split('\n').filter((id) => id !== ''), await inPlace.line(['rev-parse', 'HEAD'])]);
  const elsewhere = ['--not', `--exclude=${branch}`, '--branches', '--remotes', '--tags'];
  const counted = await new UserGit(place.origin).line(['rev-list', '--count', ...tips, ...elsewhere], {
    objects: [ownObjects(place) ?? []].flat(),
  });
  return Number(counted);
}

/** The work in the branch of a worktree whose folder is missing. A clone has gone with its folder. */
export async function missingWork({ kind, branch = '', origin }: Place): Promise<OpenWork> {
  const hasBranch =
    kind === 'worktree' && isRepository(origin) && (await hasRef(new UserGit(origin), `refs/heads/${branch}`));
  if (!hasBranch) return { uncommitted: 0, unmerged: 0 };
  const words = [
    'rev-list',
    '--count',
    `refs/heads/${branch}`,
    '--not',
    `--exclude=${branch}`,
    '--branches',
    '--remotes',
    '--tags',
  ];
  return { uncommitted: 0, unmerged: Number(await new UserGit(origin).line(words)) };
}
