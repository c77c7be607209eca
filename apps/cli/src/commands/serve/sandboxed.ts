import { spawnSync } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { homedir } from 'node:os';
import { configFolder, dataFolder, findProgram, programContext, stateFolder } from '@turnwire/machine';
import type { AgentCommand } from '../../driving/agent-command.ts';
import { connectedWords } from '../../driving/remote-agent.ts';
import { exitCodes } from '../../exit-codes.ts';
import { CommandError } from '../../failure.ts';

/**
 * The agent of a command in a sandbox of Linux: it sees the whole disk, and writes in these folders and a `/tmp` of its own. It sees neither other processes and their sockets nor
 * what Turnwire stores, but for the keys and settings of the built-in agent, which needs them; the network is there. Rejects with CommandError if there can be no sandbox: the agent is not started without it.
 */
export async function sandboxed(command: AgentCommand, writable: readonly string[]): Promise<AgentCommand> {
  if (connectedWords(command.words)) throw refused('an agent on another machine cannot be put into it');
  const program = findProgram('bwrap', programContext(homedir(), process.env));
  if (program === undefined) throw refused('it needs bubblewrap (bwrap), which is not on the PATH');
  const hidden = command.isBuiltIn ? [stateFolder()] : [stateFolder(), dataFolder(), configFolder()];
  await Promise.all(hidden.map((folder) => mkdir(folder, { recursive: true, mode: 0o700 })));
  const view = [
    ...['--die-with-parent', '--new-session', '--unshare-pid', '--unshare-ipc', '--unshare-uts'],
    ...['--ro-bind', '/', '/', '--dev', '/dev', '--proc', '/proc', '--tmpfs', '/tmp'],
    // Sockets of other programs are reached on a disk that is read alone, too. What finds addresses by names is there.
    ...['--tmpfs', '/run', '--ro-bind-try', '/run/systemd/resolve', '/run/systemd/resolve'],
    ...writable.flatMap((folder) => ['--bind', folder, folder]),
    ...hidden.flatMap((folder) => ['--tmpfs', folder]),
  ];
  const { status, stderr, error } = spawnSync(program, [...view, '--', 'true'], { encoding: 'utf8' });
  if (status !== 0) throw refused(`bubblewrap cannot make one here: ${error?.message ?? stderr.trim()}`);
  return { ...command, words: [program, ...view, '--', ...command.words] };
}

function refused(why: string): CommandError {
  return new CommandError(`--sandbox: ${why}`, exitCodes.usage);
}
