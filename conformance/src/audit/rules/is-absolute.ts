/** Whether a text is an absolute path, on whatever system: `/…`, `C:\…`, `\\server\…`. */
export function isAbsolute(path: string): boolean {
  return /^(?:\/|[A-Za-z]:[\\/]|\\\\)/.test(path);
}
