import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { delimiter, dirname, isAbsolute, join } from 'node:path';
import {
  configFolder,
  dataFolder,
  findProgram,
  homeFolder,
  isInside,
  makeFolder,
  programContext,
  realPath,
  stateFolder,
} from '@turnwire/machine';
import type { AgentCommand } from '../../driving/agent-command.ts';
import { connectedWords } from '../../driving/remote-agent.ts';
import { exitCodes } from '../../exit-codes.ts';
import { CommandError } from '../../failure.ts';

/** The parts of the disk that an agent in a sandbox may use: absolute paths. */
export interface SandboxPaths {
  /** Folders that the agent may write to. */
  readonly writable: readonly string[];
  /** Files and folders in home folders that the agent may read. */
  readonly readable: readonly string[];
  /** Files with secrets of the server, which are hidden from the agent. They must not be in one of the folders above. */
  readonly secret: readonly string[];
  /** Folders in which the server creates such files while it runs. In them, an agent sees only the files and folders above. */
  readonly secretFolders: readonly string[];
}

/**
 * Wraps an agent's command in a Linux sandbox without capabilities. The agent sees the programs of the system, but of home folders only the
 * installation of its own program. It sees no other processes, no sockets in `/run`, `/tmp` and home folders, and no files of Turnwire,
 * except that the built-in agent sees its keys and settings. It can use the network, including abstract sockets. Rejects with CommandError
 * if the sandbox cannot be created, because the agent must not start without it.
 */
export async function sandboxed(command: AgentCommand, paths: SandboxPaths): Promise<AgentCommand> {
  if (connectedWords(command.words)) throw refused('a remote agent cannot run in a sandbox');
  if (command.place) throw refused('an agent with a place of its own runs there, and cannot run in a sandbox as well');
  const program = findProgram('bwrap', programContext(homeFolder(), process.env));
  if (program === undefined) throw refused('it needs bubblewrap (bwrap), which is not on the PATH');
  const kept = command.isBuiltIn ? [dataFolder(), configFolder()] : [];
  const hidden = [stateFolder(), dataFolder(), configFolder()].filter((folder) => !kept.includes(folder));
  await Promise.all([...kept, ...hidden].map((folder) => mkdir(folder, { recursive: true, mode: 0o700 })));
  const secretFolders = await hiddenFolders(paths);
  const homes = [...homeFolders(), ...secretFolders];
  const readable = [...installations(command, homes), ...paths.readable, ...kept];
  const secret = hiddenFiles(paths);
  const view = [
    ...['--unshare-user', '--disable-userns', '--cap-drop', 'ALL', '--unshare-cgroup-try'],
    ...['--die-with-parent', '--new-session', '--unshare-pid', '--unshare-ipc', '--unshare-uts'],
    ...['--ro-bind', '/', '/', '--dev', '/dev', '--proc', '/proc', '--tmpfs', '/tmp'],
    // Hide /run: sockets of other programs work even on a read-only disk. Name resolution needs one of its folders.
    ...['--tmpfs', '/run', '--ro-bind-try', '/run/systemd/resolve', '/run/systemd/resolve'],
    ...homes.flatMap((folder) => ['--tmpfs', folder]),
    ...readable.flatMap((path) => ['--ro-bind', path, path]),
    ...paths.writable.flatMap((folder) => ['--bind', folder, folder]),
    ...hidden.flatMap((folder) => ['--tmpfs', folder]),
    ...secret.flatMap((file) => ['--ro-bind', '/dev/null', file]),
  ];
  const trial = spawnSync(program, [...view, '--', 'cat', '/proc/self/status'], { encoding: 'utf8' });
  if (trial.status !== 0)
    throw refused(`bubblewrap cannot create a sandbox here: ${trial.error?.message ?? trial.stderr.trim()}`);
  if (!/^CapEff:\s*0+$/m.test(trial.stdout)) throw refused('bubblewrap does not drop all capabilities here');
  return { ...command, words: [program, ...view, '--', ...command.words] };
}

/**
 * The real paths of the secret files. Throws CommandError if one is in a folder that agents see: the server reads files in such folders for
 * them, and a replaced file would be visible again.
 */
function hiddenFiles({ secret, writable, readable }: SandboxPaths): readonly string[] {
  const files = secret.map((file) => realPath(file)).filter((file) => file !== undefined);
  const seen = [...writable, ...readable].map((path) => realPath(path) ?? path);
  const open = files.find((file) => seen.some((folder) => isInside(folder, file)));
  if (open !== undefined) throw refused(`agents could read ${open}: move it out of the folders that they see`);
  return files;
}

/** The real paths of the secret folders. Throws CommandError if one is in a folder that agents see, because they could rename it. */
async function hiddenFolders({ secretFolders, writable, readable }: SandboxPaths): Promise<readonly string[]> {
  await Promise.all(secretFolders.map((folder) => makeFolder(folder)));
  const real = (paths: readonly string[]): readonly string[] => paths.map((path) => realPath(path) ?? path);
  for (const folder of real(secretFolders)) {
    const seen = real([...writable, ...readable]).find((path) => isInside(path, folder));
    if (folder === '/' || seen !== undefined)
      throw refused(
        `agents could read the traces in ${folder}: give --trace a file in another folder, which is hidden from them`,
      );
  }
  return real(secretFolders);
}

function homeFolders(): readonly string[] {
  const folders = ['/home', '/root', homeFolder()].filter((folder) => folder !== '/' && existsSync(folder));
  return [...new Set(folders)];
}

/** The folders within home folders that contain the programs of the PATH and of a command. */
function installations({ words }: AgentCommand, homes: readonly string[]): readonly string[] {
  const paths = (process.env['PATH'] ?? '').split(delimiter).map((folder) => dirname(folder));
  const programs = [process.execPath, ...words].filter((word) => isAbsolute(word));
  const found = [...paths, ...programs.map(packageOf)].filter(
    (path) => existsSync(path) && homes.some((home) => path !== home && isInside(home, path)),
  );
  return [...new Set(found)];
}

/** The outermost parent folder of a file that contains `node_modules`; if there is none, the folder of the file. */
function packageOf(file: string): string {
  const real = realPath(file) ?? file;
  let found = dirname(real);
  for (let folder = found; folder !== dirname(folder); folder = dirname(folder))
    if (existsSync(join(folder, 'node_modules')) && folder !== homeFolder()) found = folder;
  return found;
}

function refused(why: string): CommandError {
  return new CommandError(`--sandbox: ${why}`, exitCodes.usage);
}
