import { lstat, readlink, realpath } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, resolve, sep } from 'node:path';
import { isMissing, OwnFolders, undefinedIfMissing } from '@turnwire/machine';
import { pathProblem } from './requested-path.ts';

/** The folders of a session, symbolic links resolved. The product's own folders are never part of them. */
export class Roots {
  /** As the session names them. */
  readonly given: readonly string[];
  readonly #real: readonly (string | undefined)[];
  readonly #own = new OwnFolders();

  private constructor(given: readonly string[], real: readonly (string | undefined)[]) {
    this.given = given;
    this.#real = real.map((root) => (isCertain(root) ? root : undefined));
  }

  /**
   * A folder that does not exist, or cannot be reached, contains nothing.
   * @param real where they really were when the session began: a link that takes the place of one leads nowhere. Default: where they are
   * now
   */
  static async of(given: readonly string[], real?: readonly (string | undefined)[]): Promise<Roots> {
    return new Roots(given, real ?? (await Promise.all(given.map(realPathOf))));
  }

  /**
   * Whether a path with no symbolic links left in it is one of the folders or inside one. Compared letter by letter, whatever the
   * file system thinks of capitals: resolved paths are spelled as they are on the disk.
   */
  contain(real: string): boolean {
    return this.#real.some((root) => root !== undefined && isWithin(root, real)) && !this.isOwn(real);
  }

  /** Whether a path with no symbolic links left in it is in a folder the product keeps its own files in. */
  isOwn(real: string): boolean {
    return this.#own.hold(real);
  }

  /** The folder that a path is in by its name and that leads elsewhere by now, and where to; undefined: none. */
  async replaced(path: string): Promise<readonly [root: string, leadsTo: string] | undefined> {
    for (const [index, given] of this.given.entries()) {
      const before = this.#real[index];
      const isNamed = isWithin(resolve(given), path) || (before !== undefined && isWithin(before, path));
      const now = isNamed ? await realPathOf(given) : undefined;
      if (before !== undefined && now !== undefined && now !== before) return [given, now];
    }
    return undefined;
  }

  /** Whether a path is inside judging by its name alone; for wording errors, never for a decision. */
  seemToContain(path: string): boolean {
    return this.contain(path) || this.given.some((root) => isWithin(resolve(root), path));
  }

  /** Whether a path is one of the folders themselves. */
  include(path: string): boolean {
    return this.#real.includes(path) || this.given.some((root) => resolve(root) === path);
  }
}

/**
 * Whether a path is inside one of some folders, all symbolic links resolved: for a terminal's folder, say, or to judge a tool call.
 * The path need not exist; then the place counts where it would come to be, dangling links included. The folders themselves are inside.
 * Where `..` follows a symbolic link, the path must be inside both by its name and as the system walks it.
 *
 * It holds for the moment of the call. Whoever opens a file afterwards must check again what was opened, as {@link localFiles} does.
 * @param path absolute
 * @param roots absolute; what does not exist contains nothing
 * @returns false for whatever is not certain: relative paths, NUL characters, link loops, folders that cannot be looked into
 */
export async function insideRoots(path: string, roots: readonly string[]): Promise<boolean> {
  if (pathProblem(path) !== undefined) return false;
  const folders = await Roots.of(roots);
  try {
    const [walked, named] = await Promise.all([whereItLeads(path), whereItLeads(resolve(path))]);
    return folders.contain(walked) && folders.contain(named);
  } catch {
    return false;
  }
}

function realPathOf(path: string): Promise<string | undefined> {
  return realpath(path).catch(() => undefined);
}

const mostLinks = 40;

/** Like `realpath`, also for what does not exist yet. Rejects for what cannot be known. */
export async function whereItLeads(path: string, links: number = mostLinks): Promise<string> {
  try {
    return await realpath(path);
  } catch (error) {
    if (!isMissing(error) || links === 0 || dirname(path) === path) throw error;
  }
  const target = await linkTarget(path);
  if (target === undefined) return join(await whereItLeads(dirname(path), links), basename(path));
  return whereItLeads(target, links - 1);
}

/** Where a symbolic link leads, absolute though not resolved; undefined for what is no link. */
async function linkTarget(path: string): Promise<string | undefined> {
  const entry = await lstat(path).catch(undefinedIfMissing);
  if (!entry?.isSymbolicLink()) return undefined;
  return targetFrom(dirname(path), await readlink(path));
}

/** The target of a link in a folder. Not normalized: `..` after another link means what the system takes it to mean. */
export function targetFrom(folder: string, target: string): string {
  return isAbsolute(target) ? target : `${folder}${sep}${target}`;
}

// Names that are not UTF-8 come with this character in place of what was there: two folders can look the same.
function isCertain(root: string | undefined): root is string {
  return root !== undefined && !root.includes('\uFFFD');
}

function isWithin(root: string, path: string): boolean {
  return path === root || path.startsWith(root.endsWith(sep) ? root : `${root}${sep}`);
}
