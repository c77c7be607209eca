import { isInside, OwnFolders, realPath } from '@turnwire/machine';
import type { NamedPath } from './path-pattern.ts';
import { makesProgramsRun } from './program-places.ts';
import { repositoryOf } from './repository.ts';
import { secretPlaces } from './secret-places.ts';

/** The folders of a session, for what is allowed only in them. */
export class Folders {
  readonly #roots: readonly string[];
  readonly #guarded: readonly string[];
  readonly #secret: readonly string[];
  readonly #own = new OwnFolders();

  /** `guarded`: files with rules, which nothing but a user lets change. */
  constructor(roots: readonly string[], guarded: readonly string[]) {
    this.#roots = roots.map(realPath).filter((root) => root !== undefined);
    this.#guarded = guarded.flatMap((file) => [file, realPath(file) ?? file]);
    this.#secret = secretPlaces(this.#roots).flatMap((place) => [place, realPath(place) ?? place]);
  }

  /** The folder itself, or something in it; not what is in a place of secrets, such as `~/.ssh` in a session of the home folder. */
  hold(path: NamedPath): boolean {
    const { real } = path;
    return real !== undefined && this.#roots.some((root) => isInside(root, real)) && !this.isSecret(path);
  }

  /** Something in a place where programs keep keys and tokens. */
  isSecret({ named, real, place }: NamedPath): boolean {
    return [named, real, place].some(
      (path) => path !== undefined && this.#secret.some((secret) => isInside(secret, path)),
    );
  }

  /** A command line that spells out such a folder. `places`: the folders it may be in. */
  areOwnNamedIn(line: string, places: readonly string[]): boolean {
    return this.#own.areNamedIn(line, places);
  }

  /** Something in a folder that the product keeps its own files in: nobody allows that. */
  isOwn({ named, real, place }: NamedPath): boolean {
    return [named, real, place].some((path) => path !== undefined && this.#own.hold(path));
  }

  /** Whether these are folders of the session themselves, and not in one. */
  areRoots(folders: readonly string[]): boolean {
    return folders.map(realPath).every((folder) => folder !== undefined && this.#roots.includes(folder));
  }

  /** Whether git finds the same repository, and so the same configuration, from these folders as from one of the session. */
  shareRepository(folders: readonly string[]): boolean {
    const known = this.#roots.map(repositoryOf);
    return folders.map(realPath).every((folder) => folder !== undefined && known.includes(repositoryOf(folder)));
  }

  /** Something in a folder that may be changed without asking: not what makes programs run, such as hooks of git. */
  letChange(path: NamedPath): boolean {
    return this.#isBelow(path.real) && this.#isBelow(path.place) && !this.guard(path) && !this.isSecret(path);
  }

  #isBelow(path: string | undefined): boolean {
    if (path === undefined) return false;
    return this.#roots.some((root) => root !== path && isInside(root, path) && !makesProgramsRun(root, path));
  }

  /** A file with rules, or a folder that holds one. */
  guard({ named, real }: NamedPath): boolean {
    return this.#guarded.some((file) => isInside(named, file) || (real !== undefined && isInside(real, file)));
  }
}
