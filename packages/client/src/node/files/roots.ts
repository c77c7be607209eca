import { realpath } from 'node:fs/promises';
import { resolve } from 'node:path';
import { isInside, OwnFolders, whereItLeads } from '@turnwire/machine';
import { pathProblem } from './requested-path.ts';

/** The folders of a session, symbolic links resolved. The product's own folders are never part of them. */
export class Roots {
  /** The names that the session uses. */
  readonly named: readonly string[];
  readonly #real: readonly (string | undefined)[];
  readonly #own = new OwnFolders();

  private constructor(named: readonly string[], real: readonly (string | undefined)[]) {
    this.named = named;
    this.#real = real.map((root) => (isCertain(root) ? root : undefined));
  }

  /**
   * A folder that does not exist, or cannot be accessed, contains nothing.
   * @param real their real paths when the session began: a link that replaced one is not followed. Default: their current real paths
   */
  static async of(named: readonly string[], real?: readonly (string | undefined)[]): Promise<Roots> {
    return new Roots(named, real ?? (await Promise.all(named.map(realPathOf))));
  }

  /**
   * Whether a path without symbolic links is one of the folders or inside one. Names are compared exactly, except on Windows:
   * resolved paths are spelled as on the disk.
   */
  contain(real: string): boolean {
    return this.#real.some((root) => root !== undefined && isInside(root, real)) && !this.isOwn(real);
  }

  /** Whether a path without symbolic links is in a folder of the product's own files. */
  isOwn(real: string): boolean {
    return this.#own.hold(real);
  }

  /** The folder that contains a path by name but now leads elsewhere, and its target; undefined: none. */
  async replaced(path: string): Promise<readonly [root: string, leadsTo: string] | undefined> {
    for (const [index, named] of this.named.entries()) {
      const before = this.#real[index];
      const isNamed = isInside(resolve(named), path) || (before !== undefined && isInside(before, path));
      const now = isNamed ? await realPathOf(named) : undefined;
      if (before !== undefined && now !== undefined && now !== before) return [named, now];
    }
    return undefined;
  }

  /** Whether a path is inside by name alone; for error messages, never for a decision. */
  seemToContain(path: string): boolean {
    return this.contain(path) || this.named.some((root) => isInside(resolve(root), path));
  }

  /** Whether a path is one of the folders themselves. */
  include(path: string): boolean {
    return this.#real.includes(path) || this.named.some((root) => resolve(root) === path);
  }
}

/**
 * Whether a path is inside one of some folders, all symbolic links resolved: for the folder of a terminal, or to judge a tool call. The
 * path need not exist; then its future location counts, dangling links included. The folders themselves are inside. Where `..` follows a
 * symbolic link, the path must be inside both by name and as the system resolves it.
 *
 * The result holds for the moment of the call. A caller that opens a file afterwards must check again what it opened, as {@link localFiles}
 * does.
 * @param path absolute
 * @param roots absolute; folders that do not exist contain nothing
 * @returns false if it is uncertain: relative paths, NUL characters, link cycles, unreadable folders
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

// Bytes that are not UTF-8 are replaced by this character in names, so two folders can look the same.
function isCertain(root: string | undefined): root is string {
  return root !== undefined && !root.includes('\uFFFD');
}
