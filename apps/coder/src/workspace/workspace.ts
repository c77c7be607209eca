import { realpath, stat } from 'node:fs/promises';
import { basename, dirname, join, relative } from 'node:path';
import { isInside, OwnFolders, ownFoldersReason, whereItLeads } from '@turnwire/machine';
import type { Environment } from '../config/environment.ts';
import { ToolError } from '../tool-error.ts';
import { fileFailure } from './file-failure.ts';
import { requestedPath } from './requested-path.ts';

/** A path inside the workspace. */
export interface WorkspacePath {
  /** Absolute, symbolic links resolved: the path to open. */
  readonly real: string;
  /** Relative to the working directory if that is shorter: the path to show. */
  readonly shown: string;
  /** It is outside: it can only be read, with permission, and the client is not asked for it. */
  readonly isOutside?: true;
}

/**
 * The folders a session may touch. Any path outside, or not certain to be inside, is refused. They are fixed when the session is opened: if
 * a link replaces one, its target is outside. The product's own folders are always outside.
 */
export class Workspace {
  /** Absolute working directory, symbolic links resolved: relative paths start here. */
  readonly cwd: string;
  /** The folders, links resolved, the working directory first. */
  readonly roots: readonly string[];
  readonly #own: OwnFolders;

  private constructor(cwd: string, roots: readonly string[], own: OwnFolders) {
    this.cwd = cwd;
    this.roots = roots;
    this.#own = own;
  }

  /**
   * @param cwd absolute working directory
   * @param env the environment with the product's own folders. Default: this process's
   * @throws ToolError if one of them is not a folder
   */
  static async open(cwd: string, additional: readonly string[] = [], env?: Environment): Promise<Workspace> {
    const [real, ...more] = await Promise.all([realFolder(cwd), ...additional.map(realFolder)]);
    return new Workspace(real, [real, ...more], new OwnFolders(env));
  }

  /**
   * Resolves a path, following symbolic links. It need not exist; its links must not lead outside. The result holds for the
   * moment of the call: it must be checked again when it is opened.
   * @param path absolute, relative to the working directory, with `~` for the home folder, or a `file:` URI
   */
  async locate(path: string): Promise<WorkspacePath> {
    return this.#confine(await reached(requestedPath(path, this.cwd), path), path);
  }

  /** Like {@link locate}, for reading alone: it may be outside, which the permission for the call is about. */
  async locateToRead(path: string): Promise<WorkspacePath> {
    const real = await reached(requestedPath(path, this.cwd), path);
    return this.roots.some((root) => isInside(root, real)) ? this.#confine(real, path) : this.#outside(real, path);
  }

  /** Like {@link locate}, but without following a symbolic link at the end: for removing and renaming. */
  async locateEntry(path: string): Promise<WorkspacePath> {
    const absolute = requestedPath(path, this.cwd);
    const folder = await reached(dirname(absolute), path);
    const entry = join(folder, basename(absolute));
    // They would be moved or deleted with their folder, and could be read at the new path.
    if (this.#own.areBelow(entry)) throw outOfReach(path);
    return this.#confine(entry, path);
  }

  /** A real path for display: relative to the working directory if it is inside. */
  show(real: string): string {
    return isInside(this.cwd, real) ? relative(this.cwd, real) || '.' : real;
  }

  /** @throws ToolError if the working directory is gone or was replaced: programs would be started elsewhere */
  async requireCwd(): Promise<void> {
    const found = await stat(this.cwd).catch(() => undefined);
    if (!found?.isDirectory())
      throw new ToolError(`The working directory ${this.cwd} no longer exists, so no command can run in it.`);
    const real = await realpath(this.cwd);
    if (real !== this.cwd) throw new ToolError(`${rootReplaced(this.cwd, real)} No command can run in it.`);
  }

  /** Whether a real path is one of the folders themselves, which must not be removed. */
  isRoot(real: string): boolean {
    return this.roots.includes(real);
  }

  // Compared exactly, even on a case-insensitive disk: resolved paths are spelled as they are on it.
  async #confine(real: string, requested: string): Promise<WorkspacePath> {
    if (this.#own.hold(real)) throw outOfReach(requested);
    if (this.roots.some((root) => isInside(root, real))) return { real, shown: this.show(real) };
    await this.#outside(real, requested);
    throw new ToolError(
      `${requested} is outside the workspace (${this.roots.join(', ')}). Outside of it files can be read, with permission, and nothing else.`,
    );
  }

  /** @throws ToolError if it is out of reach, or if a link has replaced a folder of the session */
  async #outside(real: string, requested: string): Promise<WorkspacePath> {
    if (this.#own.hold(real)) throw outOfReach(requested);
    for (const root of this.roots) {
      const now = await realpath(root).catch(() => root);
      if (now !== root && isInside(now, real)) throw new ToolError(rootReplaced(root, now));
    }
    return { real, shown: real, isOutside: true };
  }
}

function outOfReach(requested: string): ToolError {
  return new ToolError(`${requested} is out of reach: ${ownFoldersReason}.`);
}

function rootReplaced(root: string, now: string): string {
  return `The folder ${root} was replaced by a link to ${now} since the session began; it is not used. Restore it, or start a new session.`;
}

/** ` in src`, or nothing for the working directory itself: for titles and messages. */
export function within({ shown }: WorkspacePath): string {
  return shown === '.' ? '' : ` in ${shown}`;
}

/** A path in a sentence about a missing file: a single dot would look like the sentence's end. */
export function spelledOut({ real, shown }: WorkspacePath): string {
  return shown === '.' ? real : shown;
}

async function realFolder(path: string): Promise<string> {
  const real = await realpath(path).catch(() => path);
  const found = await stat(real).catch(() => undefined);
  if (!found?.isDirectory()) throw new ToolError(`${path} is not a folder.`);
  return real;
}

async function reached(path: string, requested: string): Promise<string> {
  return whereItLeads(path).catch((error: unknown) => {
    throw fileFailure(error, requested, 'reached');
  });
}
