import { realpathSync, statSync } from 'node:fs';
import { isAbsolute, relative, sep } from 'node:path';
import { invalidParams } from '@turnwire/protocol';

/**
 * The folder a command starts in: the one asked for, or the first root. Its real path, so that no link leads out of the roots.
 * @throws ProtocolError -32602 if it is not absolute, is no folder, or is outside of the roots
 */
export function terminalFolder(asked: string | null | undefined, roots: readonly string[]): string {
  const [first] = roots;
  if (first === undefined) throw invalidParams('The session has no folder to run a command in');
  const folder = asked ?? first;
  if (!isAbsolute(folder)) throw invalidParams(`cwd must be an absolute path, but is ${folder}`);
  const real = realFolder(folder);
  if (!roots.some((root) => isInside(real, root))) {
    throw invalidParams(`${folder} is outside of the folders of this session: ${roots.join(', ')}`);
  }
  return real;
}

function realFolder(folder: string): string {
  try {
    const real = realpathSync.native(folder);
    if (statSync(real).isDirectory()) return real;
  } catch {
    throw invalidParams(`The folder ${folder} does not exist or may not be entered`);
  }
  throw invalidParams(`${folder} is not a folder`);
}

/** By components, so that /home/project-2 is not inside /home/project. */
function isInside(real: string, root: string): boolean {
  try {
    const path = relative(realpathSync.native(root), real);
    return path !== '..' && !path.startsWith(`..${sep}`) && !isAbsolute(path);
  } catch {
    return false;
  }
}
