import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { isInside, OwnFolders, realPath } from '@turnwire/machine';
import type { NamedPath } from './path-pattern.ts';
import { makesProgramsRun } from './program-locations.ts';
import { repositoryOf } from './repository.ts';
import { secretPlaces } from './secret-places.ts';

/** The folders of a session, to decide what is allowed only inside them. */
export class Folders {
  readonly #roots: readonly string[];
  readonly #guarded: readonly string[];
  #secret: readonly string[] | undefined;
  #ownOnes: OwnFolders | undefined;

  /** @param guarded files with rules, which only a user may change */
  constructor(roots: readonly string[], guarded: readonly string[]) {
    this.#roots = roots.map(realPath).filter((root) => root !== undefined);
    this.#guarded = guarded.flatMap((file) => [file, realPath(file) ?? file]);
  }

  /** Whether a path is one of the folders or in one; secret places are excluded, such as `~/.ssh` in a session of the home folder. */
  hold(path: NamedPath): boolean {
    const { real } = path;
    return real !== undefined && this.#roots.some((root) => isInside(root, real)) && !this.isSecret(path);
  }

  /** Whether a path is in a location where programs store keys and tokens. */
  isSecret({ named, real, location }: NamedPath): boolean {
    const locations = (this.#secret ??= secretPlaces(this.#roots).flatMap((each) => [each, realPath(each) ?? each]));
    return [named, real, location].some((path) => path !== undefined && locations.some((each) => isInside(each, path)));
  }

  /**
   * Whether a command line contains the path of a folder of the product's own files.
   * @param locations the folders in which the line may run
   */
  areOwnNamedIn(line: string, locations: readonly string[]): boolean {
    return this.#own().areNamedIn(line, locations);
  }

  /** Whether a path is in a folder of the product's own files, which is never allowed. */
  isOwn({ named, real, location }: NamedPath): boolean {
    return [named, real, location].some((path) => path !== undefined && this.#own().hold(path));
  }

  #own(): OwnFolders {
    return (this.#ownOnes ??= new OwnFolders());
  }

  /** Whether all of these are folders of the session themselves, not subfolders. */
  areRoots(folders: readonly string[]): boolean {
    return folders.map(realPath).every((folder) => folder !== undefined && this.#roots.includes(folder));
  }

  /** Whether git finds the same repository, and so the same configuration, from these folders as from one of the session. */
  shareRepository(folders: readonly string[]): boolean {
    const known = this.#roots.map(repositoryOf);
    return folders.map(realPath).every((folder) => folder !== undefined && known.includes(repositoryOf(folder)));
  }

  /** Whether a file may be changed without asking. Excludes files that make programs run, such as a git hook. */
  letChange(path: NamedPath): boolean {
    return this.#isBelow(path.real) && this.#isBelow(path.location) && !this.guard(path) && !this.isSecret(path);
  }

  #isBelow(path: string | undefined): boolean {
    if (path === undefined) return false;
    return this.#roots.some((root) => root !== path && isInside(root, path) && !makesProgramsRun(root, path));
  }

  /** Whether a path is a file with rules or its folder, or another folder above one that exists. */
  guard({ named, real }: NamedPath): boolean {
    return this.#guarded.some((file) => {
      const isThis = [named, real].some((path) => path === file || path === dirname(file));
      const isAbove = isInside(named, file) || (real !== undefined && isInside(real, file));
      return isThis || (isAbove && existsSync(file));
    });
  }
}
