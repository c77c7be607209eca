import { lstatSync, readlinkSync, realpathSync } from 'node:fs';
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';

/** Links followed where a target does not exist. */
const mostLinks = 40;

/**
 * Where an absolute path really leads, also if its end does not exist yet: links are followed, dangling ones too. Undefined if
 * that cannot be told, so that nothing about it is allowed.
 */
export function realPath(path: string): string | undefined {
  return follow(resolve(path), mostLinks);
}

function follow(path: string, left: number): string | undefined {
  if (left === 0) return undefined;
  try {
    return realpathSync.native(path);
  } catch (error) {
    if (!isMissing(error)) return undefined;
  }
  const link = target(path);
  if (link !== undefined) return follow(resolve(dirname(path), link), left - 1);
  const parent = dirname(path);
  const folder = parent === path ? path : follow(parent, left - 1);
  return folder === undefined ? undefined : join(folder, path.slice(parent.length));
}

function isMissing(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === 'ENOENT';
}

/** What a link says, even if nothing is there. */
function target(path: string): string | undefined {
  try {
    return lstatSync(path).isSymbolicLink() ? readlinkSync(path) : undefined;
  } catch {
    return undefined;
  }
}

/** Whether a path is a folder or in it. Both must be absolute and normal. */
export function isInside(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way === '' || !(way === '..' || way.startsWith(`..${sep}`) || isAbsolute(way));
}
