import { access, constants, stat } from 'node:fs/promises';
import { delimiter, isAbsolute, join } from 'node:path';
import type { Variables } from './variables.ts';

/**
 * Where the program of a name is, by the `PATH` of an environment. Relative folders in it do not count, nor does the current folder,
 * not on Windows either: what happens to lie there is not what was meant.
 * @returns undefined if it is in none of the folders
 */
export async function findProgram(program: string, environment: Variables): Promise<string | undefined> {
  const path = environment['PATH'] ?? environment['Path'] ?? '';
  for (const folder of path.split(delimiter).filter(isAbsolute)) {
    for (const ending of endings(environment)) {
      const candidate = join(folder, program + ending);
      if (await isProgram(candidate)) return candidate;
    }
  }
  return undefined;
}

function endings(environment: Variables): readonly string[] {
  if (process.platform !== 'win32') return [''];
  return [...(environment['PATHEXT'] ?? '.EXE;.CMD;.BAT;.COM').split(';'), ''];
}

async function isProgram(path: string): Promise<boolean> {
  try {
    await access(path, constants.X_OK);
    return (await stat(path)).isFile();
  } catch {
    return false;
  }
}
