/** The last part of a path. */
export function folderName(path: string): string {
  return path.split('/').findLast((part) => part !== '') ?? path;
}
