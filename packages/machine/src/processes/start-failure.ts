import { accessSync, constants, existsSync } from 'node:fs';

/** The reason why `spawn` could not start a program in a folder: the end of a sentence, with advice. */
export function startFailure(program: string, cwd: string, { code, message }: NodeJS.ErrnoException): string {
  if (code === 'ENOENT' && !existsSync(cwd)) return `the folder ${cwd} does not exist`;
  if (code === 'ENOENT')
    return `there is no program "${program}". Check the spelling, that it is installed, and that its folder is on your PATH`;
  if (code === 'EACCES' && !mayEnter(cwd)) return `the folder ${cwd} cannot be accessed; check its permissions`;
  if (code === 'EACCES')
    return `"${program}" is not executable. Check that it is a file with execute permission (chmod +x)`;
  return message;
}

function mayEnter(folder: string): boolean {
  try {
    accessSync(folder, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
