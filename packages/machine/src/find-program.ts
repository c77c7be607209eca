import { accessSync, constants, statSync } from 'node:fs';
import { posix, win32 } from 'node:path';
import type { EnvironmentVariables } from './own-folders.ts';

/** The context in which the name of a program is resolved. */
export interface ProgramContext {
  readonly platform: NodeJS.Platform;
  /** The variables of the process to start: PATH, and on Windows PATHEXT, SystemRoot and ComSpec in any case. */
  readonly env: EnvironmentVariables;
  /** The absolute working directory. */
  readonly cwd: string;
  /** True if the file exists and may be run. */
  readonly isProgram: (path: string) => boolean;
}

/** The context of this machine. */
export function programContext(cwd: string, env: EnvironmentVariables): ProgramContext {
  return { platform: process.platform, env, cwd, isProgram };
}

/**
 * The file of a program's name: a path relative to the working directory, or a name in one of the folders of PATH. On Windows the
 * extensions of PATHEXT are added; the working directory is not searched for a bare name, since anyone may have put a program there.
 */
export function findProgram(name: string, context: ProgramContext): string | undefined {
  const { platform, env, cwd } = context;
  const paths = platform === 'win32' ? win32 : posix;
  const isPath = platform === 'win32' ? /[\\/:]/.test(name) : name.includes('/');
  const folders = isPath ? [cwd] : pathFolders(environmentVariable(env, 'PATH', platform), paths.delimiter);
  return folders
    .flatMap((folder) => spellings(name, context).map((spelling) => paths.resolve(cwd, folder, spelling)))
    .find(context.isProgram);
}

/** A variable's value; on Windows names are case-insensitive. */
export function environmentVariable(
  env: EnvironmentVariables,
  name: string,
  platform: NodeJS.Platform,
): string | undefined {
  if (platform !== 'win32') return env[name];
  return Object.entries(env).find(([own]) => own.toUpperCase() === name.toUpperCase())?.[1];
}

function pathFolders(path: string = '', delimiter: string): readonly string[] {
  return path
    .split(delimiter)
    .map((folder) => folder.replace(/^"(.*)"$/, '$1'))
    .filter((folder) => folder !== '');
}

/** Extensions that can be started without a lookup in the registry. */
const startable = ['.com', '.exe', '.bat', '.cmd'];

function spellings(name: string, { platform, env }: ProgramContext): readonly string[] {
  if (platform !== 'win32') return [name];
  const wanted = (environmentVariable(env, 'PATHEXT', platform) ?? startable.join(';')).toLowerCase().split(';');
  const endings = wanted.filter((ending) => startable.includes(ending));
  const added = endings.map((ending) => name + ending);
  // Next to npx.cmd there is an npx, a shell script that cannot be run here.
  return startable.includes(win32.extname(name).toLowerCase()) ? [name, ...added] : added;
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, process.platform === 'win32' ? constants.F_OK : constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
