import { createHash } from 'node:crypto';
import { chmod, lstat, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { userInfo } from 'node:os';
import { socketFolders } from '../places.ts';

/** The longest path of a socket, in bytes: 104 on BSD and macOS, 108 on Linux, with the zero at the end. */
const longestPath = 103;

/** Where the owner of a session listens: a socket in a folder nobody else can enter, or a named pipe on Windows. */
export async function socketPath(sessionFolder: string): Promise<string> {
  const key = createHash('sha256').update(sessionFolder).digest('hex').slice(0, 16);
  return process.platform === 'win32'
    ? pipeName(userInfo().username, key)
    : join(await ownFolder(key), socketName(key));
}

/** The name of a pipe: all users of a machine share one room for them, and a backslash would end the name. */
export function pipeName(user: string, key: string): string {
  return `\\\\.\\pipe\\turnwire-${user.replace(/[^\w.-]/g, '_')}-${key}`;
}

function socketName(key: string): string {
  return `${key}.sock`;
}

async function ownFolder(key: string): Promise<string> {
  const problems: string[] = [];
  for (const folder of socketFolders()) {
    const problem = await problemWith(folder, key);
    if (problem === undefined) return folder;
    problems.push(`${folder} ${problem}`);
  }
  throw new Error(
    `there is no folder for the socket of the session: ${problems.join('; ')}. Set XDG_RUNTIME_DIR to one`,
  );
}

/** Makes the folder if it has to. A folder of somebody else under a name of ours is not used. */
async function problemWith(folder: string, key: string): Promise<string | undefined> {
  if (Buffer.byteLength(join(folder, socketName(key))) > longestPath) return 'is too long a path';
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const found = await lstat(folder);
    if (!found.isDirectory()) return 'is not a folder';
    if (found.uid !== userInfo().uid) return 'belongs to somebody else';
    await chmod(folder, 0o700);
    return undefined;
  } catch (error) {
    return `cannot be used (${(error as NodeJS.ErrnoException).code})`;
  }
}
