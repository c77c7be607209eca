import { isAbsolute, relative, sep } from 'node:path';

/** Whether a path is a folder or in it, by components: `/home/project-2` is not in `/home/project`. Both must be absolute and normal. */
export function isInside(folder: string, path: string): boolean {
  if (sep === '/' && isNormal(path) && isNormal(folder)) return path === folder || path.startsWith(`${folder}/`);
  const way = relative(folder, path);
  return way === '' || !(way === '..' || way.startsWith(`..${sep}`) || isAbsolute(way));
}

/** Whether `relative` would leave every component of an absolute path as it is. */
function isNormal(path: string): boolean {
  return path.startsWith('/') && !unusual.test(path);
}

/** An empty component, `.` or `..`. Also the root, which ends with its only slash. */
const unusual = /\/\.{0,2}(?:\/|$)/;
