import { accessSync, constants, statSync } from 'node:fs';
import { posix, win32 } from 'node:path';
import type { EnvironmentVariables } from './own-folders.ts';

/** What decides which file a program's name stands for. */
export interface Surroundings {
  readonly platform: NodeJS.Platform;
  /** The variables of the process to start: PATH, and on Windows PATHEXT, SystemRoot and ComSpec in any case. */
  readonly env: EnvironmentVariables;
  /** The folder it will start in. Absolute. */
  readonly cwd: string;
  /** True if there is such a file, and it may be run. */
  readonly isProgram: (path: string) => boolean;
}

/** Here and now. */
export function ownSurroundings(cwd: string, env: EnvironmentVariables): Surroundings {
  return { platform: process.platform, env, cwd, isProgram };
}

/**
 * The file a program's name stands for: a path from the folder it starts in, or a name in one of the folders of PATH. On
 * Windows one of the endings of PATHEXT is added; the starting folder is not searched for a bare name, as anybody may have put
 * a program there.
 */
export function findProgram(name: string, surroundings: Surroundings): string | undefined {
  const { platform, env, cwd } = surroundings;
  const paths = platform === 'win32' ? win32 : posix;
  const isPath = platform === 'win32' ? /[\\/:]/.test(name) : name.includes('/');
  const folders = isPath ? [cwd] : pathFolders(environmentVariable(env, 'PATH', platform), paths.delimiter);
  return folders
    .flatMap((folder) => spellings(name, surroundings).map((spelling) => paths.resolve(cwd, folder, spelling)))
    .find(surroundings.isProgram);
}

/** A variable's value; Windows does not tell names apart by case. */
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

/** Only what can be started without asking the registry which program opens it. */
const startable = ['.com', '.exe', '.bat', '.cmd'];

function spellings(name: string, { platform, env }: Surroundings): readonly string[] {
  if (platform !== 'win32') return [name];
  const wanted = (environmentVariable(env, 'PATHEXT', platform) ?? startable.join(';')).toLowerCase().split(';');
  const endings = wanted.filter((ending) => startable.includes(ending));
  const added = endings.map((ending) => name + ending);
  // Beside npx.cmd there is an npx, a shell script nothing here can run.
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
