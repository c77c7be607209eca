import { lstat, realpath, stat } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, relative, sep } from 'node:path';
import { codeOf } from '@turnwire/client/files';
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

/** The folders a session may touch. Whatever is outside, or not certain to be inside, is refused. */
export class Workspace {
  /** Absolute working directory, symbolic links resolved: relative paths start here. */
  readonly cwd: string;
  readonly #roots: readonly string[];

  private constructor(cwd: string, roots: readonly string[]) {
    this.cwd = cwd;
    this.#roots = roots;
  }

  /**
   * @param cwd absolute working directory
   * @param additional further absolute folders
   * @throws ToolError when one of them is no folder
   */
  static async open(cwd: string, additional: readonly string[] = []): Promise<Workspace> {
    const [real, ...more] = await Promise.all([realFolder(cwd), ...additional.map(realFolder)]);
    return new Workspace(real, [real, ...more]);
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
    return this.#confine(join(folder, basename(absolute)), path);
  }

  /** Names a real path for people: relative to the working directory where it is inside. */
  show(real: string): string {
    return isWithin(this.cwd, real) ? relative(this.cwd, real) || '.' : real;
  }

  /** @throws ToolError when the working directory is gone: whatever is started in it would fail with other words */
  async requireCwd(): Promise<void> {
    const found = await stat(this.cwd).catch(() => undefined);
    if (!found?.isDirectory())
      throw new ToolError(`The working directory ${this.cwd} is no longer there, so no command can run in it.`);
  }

  /** Whether a real path is one of the folders themselves, which are not for removing. */
  isRoot(real: string): boolean {
    return this.#roots.includes(real);
  }

  // Compared letter by letter, whatever the file system thinks of capitals: resolved paths are spelled as they are on the disk.
  #confine(real: string, asked: string): WorkspacePath {
    if (this.#roots.some((root) => isWithin(root, real))) return { real, shown: this.show(real) };
    throw new ToolError(
      `${asked} is outside the workspace (${this.#roots.join(', ')}). Only files inside it can be used.`,
    );
  }
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

function isWithin(root: string, path: string): boolean {
  const way = relative(root, path);
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}
