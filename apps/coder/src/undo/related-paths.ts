import { sep } from 'node:path';

/** Whether two absolute paths are the same, or one contains the other. */
export function pathsAreRelated(one: string, other: string): boolean {
  return leadsThrough(one, other) || leadsThrough(other, one);
}

/** Whether an absolute path is a folder or inside it. */
export function leadsThrough(folder: string, path: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : `${folder}${sep}`);
}
