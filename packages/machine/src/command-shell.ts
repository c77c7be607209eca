import { accessSync, constants } from 'node:fs';

/** A shell that runs command lines, called with `-c`. */
export interface CommandShell {
  /** Absolute path of the program; on Windows the name `cmd.exe`. */
  readonly path: string;
  /**
   * What is known of how it reads a line. `bash`: as Bash 4 or later. `posix`: as some POSIX shell, so only what all of them read
   * alike is certain. `cmd`: as the shell of Windows.
   */
  readonly reads: 'bash' | 'posix' | 'cmd';
}

/** Places of Bash that no project and no variable can change. */
const places = [
  '/bin/bash',
  '/usr/bin/bash',
  '/usr/local/bin/bash',
  '/opt/homebrew/bin/bash',
  '/run/current-system/sw/bin/bash',
];

let found: CommandShell | undefined;

/**
 * The shell for command lines on this machine: Bash where it is in one of its usual places, else `/bin/sh`, on Windows `cmd.exe`.
 * Permission rules read a line for exactly this shell. It is looked for once, never on the PATH, which a project may have a say in.
 */
export function commandShell(): CommandShell {
  if (process.platform === 'win32') return { path: 'cmd.exe', reads: 'cmd' };
  return (found ??= shellAt(places.find(isProgram) ?? '/bin/sh'));
}

/**
 * A shell by its path, with what its name says of how it reads. The Bash that macOS ships is version 3, which knows less.
 * @param path of a shell that takes `-c`
 */
export function shellAt(path: string): CommandShell {
  const isBash = /(?:^|\/)bash$/.test(path) && !(process.platform === 'darwin' && path === '/bin/bash');
  return { path, reads: isBash ? 'bash' : 'posix' };
}

const closesInput = 'exec </dev/null; ';

/** A line for a POSIX shell with its input closed, for a terminal of somebody else: a command that reads would wait for its user. */
export function withoutInput(line: string): string {
  return `${closesInput}${line}`;
}

/** The line that {@link withoutInput} was given. Any other line stays as it is. */
export function lineWithInput(line: string): string {
  return line.startsWith(closesInput) ? line.slice(closesInput.length) : line;
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
