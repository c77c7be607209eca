import { lstatSync, readlinkSync, realpathSync } from 'node:fs';
import { dirname, join, parse, resolve } from 'node:path';

/** Most links followed towards a target that does not exist. */
const maxLinks = 40;

/**
 * Resolves an absolute path, also if its end does not exist yet: links are followed, dangling ones too. Undefined if it cannot be resolved,
 * so that nothing about it is allowed: also if `..` after a link means one thing to the system and another to programs that normalise the
 * path first.
 */
export function realPath(path: string): string | undefined {
  const real = follow(resolve(path), maxLinks);
  return goesUp(path) && real !== walk(path) ? undefined : real;
}

/** Whether a path has `..` in it. */
export function goesUp(path: string): boolean {
  return path.includes('..') && path.split(/[\\/]/).includes('..');
}

/** Step by step, as the system does it. */
function walk(path: string): string | undefined {
  const { root } = parse(path);
  let at: string | undefined = root;
  for (const step of path.slice(root.length).split(/[\\/]/)) {
    if (at === undefined) return undefined;
    if (step === '..') at = dirname(at);
    else if (step !== '' && step !== '.') at = follow(join(at, step), maxLinks);
  }
  return at;
}

function follow(path: string, left: number): string | undefined {
  if (left === 0) return undefined;
  try {
    const found = lstatSync(path, { throwIfNoEntry: false });
    if (found) return found.isSymbolicLink() ? followLink(path, left) : realpathSync.native(path);
    const parent = dirname(path);
    if (parent === path) return path;
    const folder = follow(parent, left);
    return folder === undefined ? undefined : join(folder, path.slice(parent.length));
  } catch {
    return undefined;
  }
}

function followLink(path: string, left: number): string | undefined {
  try {
    return realpathSync.native(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') return undefined;
  }
  const folder = follow(dirname(path), left - 1);
  const link = readlinkSync(path);
  if (folder === undefined || /[^./\\][\\/]+\.\./.test(link)) return undefined;
  return follow(resolve(folder, link), left - 1);
}
