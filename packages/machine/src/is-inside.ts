import { isAbsolute, relative, sep } from 'node:path';

/** Whether a path is a folder or in it, by components: `/home/project-2` is not in `/home/project`. Both must be absolute and normal. */
export function isInside(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way === '' || !(way === '..' || way.startsWith(`..${sep}`) || isAbsolute(way));
}
