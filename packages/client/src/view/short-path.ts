/**
 * A path relative to a folder that contains it, otherwise unchanged. Paths with `..` are never shortened, because they may lead out of the
 * folder.
 */
export function shortPath(path: string, folder: string | undefined): string {
  if (folder === undefined || folder === '') return path;
  const inside = path.startsWith(folder) ? path.slice(folder.length) : '';
  const rest = /[\\/]$/.test(folder) ? inside : /^[\\/]/.test(inside) ? inside.slice(1) : '';
  return rest === '' || /(?:^|[\\/])\.\.(?:[\\/]|$)/.test(rest) ? path : rest;
}
