import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { GitError } from '@turnwire/machine/folder-record';
import { type Place, PlaceError, type PlaceKind } from './place.ts';
import { UserGit } from './user-git.ts';

/** The branch of a new place, and the commit at which it begins. Rejects with PlaceError if the place cannot be made. */
export async function startOf(origin: string, kind: PlaceKind, name: string): Promise<Pick<Place, 'branch' | 'base'>> {
  if (!existsSync(join(origin, '.git'))) {
    if (kind === 'copy') return {};
    throw new PlaceError(`${origin} is not in a git repository, so there can be no ${kind} of it; use --place copy`);
  }
  const git = new UserGit(origin);
  const base = await git.line(['rev-parse', '--verify', 'HEAD']).catch((error: unknown) => {
    if (!(error instanceof GitError) || error.exitCode === null) throw error;
    throw new PlaceError(
      `the repository ${origin} is still without a commit, and a place begins at a commit: commit something first`,
    );
  });
  const branch = `turnwire/${name}`;
  if ((await git.text(['for-each-ref', `refs/heads/${branch}`])) !== '')
    throw new PlaceError(
      `there is a branch ${branch} already; choose another name, or delete it: git branch -d ${branch}`,
    );
  return { branch, base };
}
