import { lstat, realpath, stat } from 'node:fs/promises';
import { basename, dirname, join, relative } from 'node:path';
import { codeOf, isInside, OwnFolders, ownFoldersReason } from '@turnwire/machine';
import type { Environment } from '../config/environment.ts';
import { ToolError } from '../tools/tool-error.ts';
import { fileFailure } from './file-failure.ts';
import { requestedPath } from './requested-path.ts';

/** A path inside the workspace. */
export interface WorkspacePath {
  /** Absolute, symbolic links resolved: the one to open. */
  readonly real: string;
  /** Relative to the working directory where that is shorter: the one to show. */
  readonly shown: string;
}

/**
 * The folders a session may touch. Whatever is outside, or not certain to be inside, is refused. They are what they were when it was opened:
 * when a link takes the place of one, what it leads to is outside. The product's own folders are outside wherever they are.
 */
export class Workspace {
  /** Absolute working directory, symbolic links resolved: relative paths start here. */
  readonly cwd: string;
  readonly #roots: readonly string[];
  readonly #own: OwnFolders;

  private constructor(cwd: string, roots: readonly string[], own: OwnFolders) {
    this.cwd = cwd;
    this.#roots = roots;
    this.#own = own;
  }

  /**
   * @param cwd absolute working directory
   * @param additional further absolute folders
   * @param env says where the product's own folders are. Default: this process's
   * @throws ToolError when one of them is no folder
   */
  static async open(cwd: string, additional: readonly string[] = [], env?: Environment): Promise<Workspace> {
    const [real, ...more] = await Promise.all([realFolder(cwd), ...additional.map(realFolder)]);
    return new Workspace(real, [real, ...more], new OwnFolders(env));
  }

  /** The folders, links resolved, the working directory first. */
  get roots(): readonly string[] {
    return this.#roots;
  }

  /**
   * Finds where a path leads, following symbolic links. The path need not exist; its links must not lead outside. It holds for the
   * moment of the call: what is opened must be checked again.
   * @param path absolute, relative to the working directory, with `~` for the home folder, or a `file:` URI
   */
  async locate(path: string): Promise<WorkspacePath> {
    return this.#confine(await realpathOfDeepest(requestedPath(path, this.cwd), path), path);
  }

  /** Like {@link locate}, but a symbolic link at the end is the thing itself: for removing and renaming. */
  async locateEntry(path: string): Promise<WorkspacePath> {
    const absolute = requestedPath(path, this.cwd);
    const folder = await realpathOfDeepest(dirname(absolute), path);
    const entry = join(folder, basename(absolute));
    // They would go with the folder they are in, and be read where it comes to be.
    if (this.#own.areBelow(entry)) throw outOfReach(path);
    return this.#confine(entry, path);
  }

  /** Names a real path for people: relative to the working directory where it is inside. */
  show(real: string): string {
    return isInside(this.cwd, real) ? relative(this.cwd, real) || '.' : real;
  }

  /** @throws ToolError when the working directory is gone or leads elsewhere: whatever is started would be started elsewhere */
  async requireCwd(): Promise<void> {
    const found = await stat(this.cwd).catch(() => undefined);
    if (!found?.isDirectory())
      throw new ToolError(`The working directory ${this.cwd} is no longer there, so no command can run in it.`);
    const real = await realpath(this.cwd);
    if (real !== this.cwd) throw new ToolError(`${rootReplaced(this.cwd, real)} No command can run in it.`);
  }

  /** Whether a real path is one of the folders themselves, which are not for removing. */
  isRoot(real: string): boolean {
    return this.#roots.includes(real);
  }

  // Compared letter by letter, whatever the file system thinks of capitals: resolved paths are spelled as they are on the disk.
  async #confine(real: string, asked: string): Promise<WorkspacePath> {
    if (this.#own.hold(real)) throw outOfReach(asked);
    if (this.#roots.some((root) => isInside(root, real))) return { real, shown: this.show(real) };
    for (const root of this.#roots) {
      const now = await realpath(root).catch(() => root);
      if (now !== root && isInside(now, real)) throw new ToolError(rootReplaced(root, now));
    }
    throw new ToolError(
      `${asked} is outside the workspace (${this.#roots.join(', ')}). Only files inside it can be used.`,
    );
  }
}

function outOfReach(asked: string): ToolError {
  return new ToolError(`${asked} is out of reach: ${ownFoldersReason}.`);
}

function rootReplaced(root: string, now: string): string {
  return `The folder ${root} was replaced by a link to ${now} since the session began; nothing there is used. Put it back, or start a new session.`;
}

/** ` in src`, or nothing for the working directory itself: for titles and messages. */
export function within({ shown }: WorkspacePath): string {
  return shown === '.' ? '' : ` in ${shown}`;
}

/** A path in a sentence that says what is missing: a single dot reads like the sentence's end. */
export function spelledOut({ real, shown }: WorkspacePath): string {
  return shown === '.' ? real : shown;
}

async function realFolder(path: string): Promise<string> {
  const real = await realpath(path).catch(() => path);
  const found = await stat(real).catch(() => undefined);
  if (!found?.isDirectory()) throw new ToolError(`${path} is not a folder.`);
  return real;
}

async function realpathOfDeepest(path: string, asked: string): Promise<string> {
  try {
    return await realpath(path);
  } catch (error) {
    if (codeOf(error) !== 'ENOENT' || dirname(path) === path) throw fileFailure(error, asked, 'reached');
    await refuseDanglingLink(path, asked);
    return join(await realpathOfDeepest(dirname(path), asked), basename(path));
  }
}

// A link to nothing still decides where a new file would appear.
async function refuseDanglingLink(path: string, asked: string): Promise<void> {
  const entry = await lstat(path).catch(() => undefined);
  if (entry?.isSymbolicLink())
    throw new ToolError(`${asked} goes through a symbolic link that leads nowhere, which cannot be checked.`);
}
