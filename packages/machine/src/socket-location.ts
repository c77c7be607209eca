import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { chmod, lstat, mkdir, mkdtemp, rm, rmdir, stat } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir, userInfo } from 'node:os';
import { dirname, isAbsolute, join } from 'node:path';
import { type EnvironmentVariables, stateFolder } from './own-folders.ts';

/** The longest path of a socket, in bytes: 104 on BSD and macOS, 108 on Linux, with the zero at the end. */
const longestPath = 103;

/** The location where the process of a session listens. */
export interface SocketLocation {
  /** A socket in a folder only we can enter, or a named pipe on Windows. */
  readonly path: string;
  /** Folders that should belong to us and do not, with advice. */
  readonly warnings: readonly string[];
  /** Removes the folder if it was created for this socket alone. */
  readonly remove: () => Promise<void>;
}

/**
 * Finds a path for the socket of a session. A folder that other users may change is never used, and never blocks a session: the next one
 * is tried, and finally a folder with an unpredictable name.
 * @param folders best first; one that ends with `-` is the prefix of a name
 */
export async function socketLocation(
  sessionFolder: string,
  folders: readonly string[] = socketFolders(),
): Promise<SocketLocation> {
  const key = createHash('sha256').update(sessionFolder).digest('hex').slice(0, 16);
  const nothing = (): Promise<void> => Promise.resolve();
  if (process.platform === 'win32') return { path: pipeName(userInfo().username, key), warnings: [], remove: nothing };
  const problems: Problem[] = [];
  for (const folder of folders) {
    const found = await folderAt(folder);
    if ('what' in found) problems.push(found);
    else {
      const warnings = problems.filter(({ isTheirs }) => isTheirs).map((problem) => warning(problem, found.folder));
      const remove = found.isTemporary ? () => rm(found.folder, { recursive: true, force: true }) : nothing;
      return { path: join(found.folder, socketName(key)), warnings, remove };
    }
  }
  const all = problems.map(({ folder, what }) => `${folder} ${what}`).join('; ');
  throw new Error(`there is no folder for the socket of the session: ${all}. Set XDG_RUNTIME_DIR to one`);
}

/**
 * Folders for sockets, best first: the user's own, then one per user in the shared temporary folders. There
 * any user can take any name, so the last one is only the prefix of a name.
 */
export function socketFolders(env: EnvironmentVariables = process.env): readonly string[] {
  const runtime = absolute(env['XDG_RUNTIME_DIR']);
  const temporary = absolute(env['TMPDIR']) ?? tmpdir();
  const shared = `turnwire-${userInfo().uid}`;
  const own = [...(runtime ? [join(runtime, 'turnwire')] : []), join(stateFolder(env), 'run')];
  return [...new Set([...own, join(temporary, shared), join('/tmp', shared), join(temporary, `${shared}-`)])];
}

/** The XDG specification demands that relative values are ignored. */
function absolute(path: string | undefined): string | undefined {
  return path && isAbsolute(path) ? path : undefined;
}

/** The name of a pipe: all users of a machine share one namespace, and a backslash would end the name. */
export function pipeName(user: string, key: string): string {
  return `\\\\.\\pipe\\turnwire-${user.replace(/[^\w.-]/g, '_')}-${key}`;
}

interface Problem {
  readonly folder: string;
  readonly what: string;
  /** Another user owns it, or may take it. */
  readonly isTheirs: boolean;
}

function warning({ folder, what }: Problem, used: string): string {
  return `${folder} ${what}, so the socket of the session is in ${used}. Remove the first, or set XDG_RUNTIME_DIR to a folder of yours`;
}

function socketName(key: string): string {
  return `${key}.sock`;
}

const longestName = socketName('0123456789abcdef');

/** The folder, created if necessary; or the reason why it is not used. */
async function folderAt(wanted: string): Promise<{ readonly folder: string; readonly isTemporary: boolean } | Problem> {
  const isTemporary = wanted.endsWith('-');
  const refused = (what: string, isTheirs = false): Problem => ({ folder: wanted, what, isTheirs });
  if (Buffer.byteLength(join(`${wanted}${isTemporary ? 'XXXXXX' : ''}`, longestName)) > longestPath)
    return refused('is too long a path');
  try {
    const folder = isTemporary ? await mkdtemp(wanted) : await ensureFolder(wanted);
    const whose = await folderProblem(folder);
    if (whose !== undefined && isTemporary) await rmdir(folder);
    if (whose !== undefined) return refused(whose, true);
    await chmod(folder, 0o700);
    // Not every file system has sockets.
    await tryToListen(join(folder, socketName(randomBytes(8).toString('hex'))));
    return { folder, isTemporary };
  } catch (error) {
    return refused(`cannot be used (${(error as NodeJS.ErrnoException).code ?? (error as Error).message})`);
  }
}

async function ensureFolder(folder: string): Promise<string> {
  await mkdir(folder, { mode: 0o700 }).catch((error: unknown) => {
    // An existing folder is checked next.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  });
  return folder;
}

/**
 * The reason why a folder is not safe for files that only this user may reach: its owner, or other users who may replace it. Undefined for a safe
 * folder.
 */
export async function folderProblem(folder: string): Promise<string | undefined> {
  const { uid } = userInfo();
  const [found, above] = await Promise.all([lstat(folder), stat(dirname(folder))]);
  if (found.uid !== uid) return `belongs to another user (uid ${found.uid})`;
  if (!found.isDirectory()) return 'is not a folder';
  if (above.uid !== uid && above.uid !== 0) return `is in a folder of another user (uid ${above.uid})`;
  const isShared = (above.mode & 0o022) !== 0 && (above.mode & 0o1000) === 0;
  return isShared ? 'is in a folder other users may change' : undefined;
}

async function tryToListen(path: string): Promise<void> {
  const server = createServer().listen(path);
  await once(server, 'listening');
  server.close();
  await once(server, 'close');
}
