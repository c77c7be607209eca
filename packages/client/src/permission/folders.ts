import { sep } from 'node:path';
import type { NamedPath } from './path-pattern.ts';
import { isInside, realPath } from './real-path.ts';

/** The folders of a session, for what is allowed only in them. */
export class Folders {
  readonly #roots: readonly string[];
  readonly #guarded: readonly string[];

  /** `guarded`: files with rules, which nothing but a person lets change. */
  constructor(roots: readonly string[], guarded: readonly string[]) {
    this.#roots = roots.map(realPath).filter((root) => root !== undefined);
    this.#guarded = guarded.flatMap((file) => [file, realPath(file) ?? file]);
  }

  /** The folder itself, or something in it. */
  hold({ real }: NamedPath): boolean {
    return real !== undefined && this.#roots.some((root) => isInside(root, real));
  }

  /** Something in a folder that may be changed without asking: not what decides about running programs, such as hooks of git. */
  letChange(path: NamedPath): boolean {
    return this.#isBelow(path.real) && this.#isBelow(path.place) && !this.guard(path);
  }

  #isBelow(path: string | undefined): boolean {
    if (path === undefined) return false;
    return this.#roots.some((root) => root !== path && isInside(root, path) && !isSetting(path.slice(root.length)));
  }

  /** A file with rules, or a folder that holds one. */
  guard({ named, real }: NamedPath): boolean {
    return this.#guarded.some((file) => isInside(named, file) || (real !== undefined && isInside(real, file)));
  }
}

/** Folders whose files make programs run. */
function isSetting(path: string): boolean {
  return path
    .toLowerCase()
    .split(sep)
    .some((part) => part === '.git' || part === '.turnwire');
}
