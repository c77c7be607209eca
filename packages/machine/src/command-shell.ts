import { accessSync, constants } from 'node:fs';

/** A shell that runs command lines, called with `-c`. */
export interface CommandShell {
  /** Absolute path of the program; on Windows the name `cmd.exe`. */
  readonly path: string;
  /**
   * How it parses a line. `bash`: as Bash 4 or later. `posix`: as some POSIX shell, so only constructs that all of them parse alike are
   * certain. `cmd`: as the shell of Windows.
   */
  readonly reads: 'bash' | 'posix' | 'cmd';
}

/** Paths of Bash that no project and no variable can change. */
const locations = [
  '/bin/bash',
  '/usr/bin/bash',
  '/usr/local/bin/bash',
  '/opt/homebrew/bin/bash',
  '/run/current-system/sw/bin/bash',
];

let found: CommandShell | undefined;

/**
 * The shell for command lines on this machine: Bash if it is in one of its usual locations, else `/bin/sh`, on Windows `cmd.exe`. Permission
 * rules parse a line for exactly this shell. It is searched for once, and never on the PATH, which a project may change.
 */
export function commandShell(): CommandShell {
  if (process.platform === 'win32') return { path: 'cmd.exe', reads: 'cmd' };
  return (found ??= shellAt(locations.find(isProgram) ?? '/bin/sh'));
}

/**
 * A shell by its path, with its dialect derived from its name. The Bash of macOS is version 3, which supports less.
 * @param path of a shell that takes `-c`
 */
export function shellAt(path: string): CommandShell {
  const isBash = /(?:^|\/)bash$/.test(path) && !(process.platform === 'darwin' && path === '/bin/bash');
  return { path, reads: isBash ? 'bash' : 'posix' };
}

const closesInput = 'exec </dev/null; ';

/** A line for a POSIX shell with its input closed, for a client's terminal: a command that reads would wait for the user. */
export function withoutInput(line: string): string {
  return `${closesInput}${line}`;
}

/** Undoes {@link withoutInput}. Any other line stays as it is. */
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
