import { win32 } from 'node:path';
import { environmentVariable, findProgram, type ProgramContext } from '../find-program.ts';

/** The arguments of `spawn` for a command. */
export interface SpawnRule {
  readonly file: string;
  readonly args: readonly string[];
  /** The arguments form the command line unchanged: only on Windows, and only for its command processor. */
  readonly windowsVerbatimArguments: boolean;
}

type Command = readonly [program: string, ...args: string[]];

/**
 * The `spawn` arguments for a command. Except on Windows, the command is unchanged. On Windows the file is resolved, since `npx` is `npx.cmd`, and a
 * batch file is run by `cmd.exe`, which Node refuses to do by itself; its arguments are passed unchanged, with any content.
 * @throws Error for arguments that cannot be passed to a batch file: with a line break or a NUL
 */
export function spawnRule(command: Command, context: ProgramContext): SpawnRule {
  const [program, ...args] = command;
  if (context.platform !== 'win32') return { file: program, args, windowsVerbatimArguments: false };
  const file = findProgram(program, context) ?? program;
  return isBatchFile(file) ? batchRule([file, ...args], context) : { file, args, windowsVerbatimArguments: false };
}

/**
 * The `spawn` arguments for a line in a shell, with both outputs on one pipe; on Windows the line goes unchanged to `cmd.exe`, for which it was
 * written.
 * @param shell path of a shell that takes `-c`; unused on Windows
 */
export function shellRule(line: string, shell: string, context: ProgramContext): SpawnRule {
  if (context.platform !== 'win32') return onOnePipe([shell, '-c', line]);
  return {
    file: commandProcessor(context),
    args: ['/d', '/s', '/c', `"${line}"`],
    windowsVerbatimArguments: true,
  };
}

/**
 * Joins stdout and stderr in one pipe, so that the output stays in order, and then becomes the program. Node by itself can only use two
 * pipes, whose relative order is lost. Not for Windows.
 */
export function onOnePipe(command: Command): SpawnRule {
  return { file: '/bin/sh', args: ['-c', 'exec "$@" 2>&1', 'sh', ...command], windowsVerbatimArguments: false };
}

/** Windows ignores dots and spaces at the end of a name. */
function isBatchFile(file: string): boolean {
  return /\.(?:bat|cmd)[. ]*$/i.test(file);
}

function batchRule(command: Command, context: ProgramContext): SpawnRule {
  if (command.some((part) => /[\r\n\0]/.test(part)))
    throw new Error(
      `${command[0]} is a batch file, which cannot receive an argument with a line break; use the program it starts instead`,
    );
  const line = command.map(quotedForBatch).join(' ');
  return {
    file: commandProcessor(context),
    // No AutoRun, the extensions that the quoting relies on, no expansion of !NAME!; the outer quotes are removed.
    args: ['/d', '/e:on', '/v:off', '/s', '/c', `"${line}"`],
    windowsVerbatimArguments: true,
  };
}

function commandProcessor({ env, platform }: ProgramContext): string {
  const systemRoot = environmentVariable(env, 'SystemRoot', platform);
  if (systemRoot) return win32.join(systemRoot, 'System32', 'cmd.exe');
  return environmentVariable(env, 'ComSpec', platform) ?? 'cmd.exe';
}

/**
 * Quotes a word for cmd.exe and for the program behind a batch file. Within quotes cmd.exe interprets two characters: a quote, which is
 * doubled and so never ends the quoting, and a percent sign, which is followed by a variable that is always empty (no characters of %cd%),
 * so that no name can form between two of them.
 */
function quotedForBatch(word: string): string {
  if (/^[\w./:\\@#$+-]+$/.test(word)) return word;
  const escaped = word
    .replaceAll(/(\\*)("|$)/g, (_, backslashes: string, quote: string) => backslashes.repeat(2) + quote.repeat(2))
    .replaceAll('%', '%%cd:~,%');
  return `"${escaped}"`;
}
