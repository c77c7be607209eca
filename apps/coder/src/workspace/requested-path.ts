import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { homeFolder, isWindowsDevice } from '@turnwire/machine';
import { ToolError } from '../tool-error.ts';

/**
 * The absolute path that is meant: `~` is the home folder, a `file:` URI its path, and a relative path starts at the working
 * directory. Whether it exists is not checked.
 * @throws ToolError if it is not a file path of this machine, or names a device
 */
export function requestedPath(requested: string, cwd: string, platform: NodeJS.Platform = process.platform): string {
  const path = requested.startsWith('file:') ? pathOfUri(requested) : requested.replace(/^~(?=[/\\]|$)/u, homeFolder);
  const problem = pathProblem(path, platform);
  if (problem !== undefined) throw new ToolError(`${JSON.stringify(requested)} cannot be used: ${problem}.`);
  return resolve(cwd, path);
}

function pathOfUri(uri: string): string {
  try {
    return fileURLToPath(uri);
  } catch {
    throw new ToolError(`${uri} is not the URI of a file of this machine. Give the path.`);
  }
}

function pathProblem(path: string, platform: NodeJS.Platform): string | undefined {
  if (path === '') return 'the path is empty';
  if (path.includes('\0')) return 'the path contains a NUL character';
  if (platform === 'win32')
    return isWindowsDevice(path) ? 'it names a device or a hidden stream, not a file' : undefined;
  // Elsewhere it would be a file of that odd name in the working directory.
  return /^[a-z]:[\\/]/iu.test(path) ? 'it is a Windows path, and this machine does not run Windows' : undefined;
}
