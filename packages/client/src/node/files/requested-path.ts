import { isAbsolute, join, resolve } from 'node:path';
import { isWindowsDevice } from '@turnwire/machine';
import { invalidParams } from '@turnwire/protocol';

/**
 * The path of a request, with `.` and `..` resolved by name. Does not access the file system.
 * @throws ProtocolError -32602 if it is not an absolute path
 */
export function requestedPath(path: string, roots: readonly string[]): string {
  const problem = pathProblem(path);
  if (problem === undefined) return resolve(path);
  const example = roots[0] === undefined ? '' : `, such as ${join(roots[0], 'file.txt')}`;
  throw invalidParams(`path: ${problem}. Use an absolute path${example}.`);
}

/** Why a path cannot be used, as the end of a sentence; undefined if it can. */
export function pathProblem(path: string, platform: NodeJS.Platform = process.platform): string | undefined {
  if (path === '') return 'it is empty';
  if (path.includes('\0')) return 'it contains a NUL character';
  if (platform === 'win32' && isWindowsDevice(path)) return `${path} names a device or a stream, not a file`;
  return isAbsolute(path) ? undefined : `${path} is relative`;
}
