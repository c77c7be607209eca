import { TurnwireError } from '@turnwire/protocol';
import { win32 } from 'node:path';
import { environmentVariable, findProgram, type SpawnRule, type ProgramContext } from '@turnwire/machine';
import type { CommandWords } from './command-words.ts';

/**
 * How a command is started. Except on Windows: unchanged. There the file is resolved, since `npx` is `npx.cmd`, and a batch file is run by
 * `cmd.exe`, which Node refuses to do by itself; its arguments are passed unchanged, whatever they contain.
 * @throws TurnwireError `launch-failed` for arguments that cannot be passed to a batch file: with a line break or a NUL
 */
export function spawnRule(words: CommandWords, context: ProgramContext): SpawnRule {
  const [program, ...args] = words;
  if (context.platform !== 'win32') return { file: program, args, windowsVerbatimArguments: false };
  const file = findProgram(program, context) ?? program;
  return isBatchFile(file) ? batchRule([file, ...args], context) : { file, args, windowsVerbatimArguments: false };
}

/** How a line is run by the Windows shell: unchanged, since it was written for it. */
export function windowsShellRule(line: string, context: ProgramContext): SpawnRule {
  return {
    file: commandProcessor(context),
    args: ['/d', '/s', '/c', `"${line}"`],
    windowsVerbatimArguments: true,
  };
}

/** Windows ignores dots and spaces at the end of a name. */
function isBatchFile(file: string): boolean {
  return /\.(?:bat|cmd)[. ]*$/i.test(file);
}

function batchRule(words: CommandWords, context: ProgramContext): SpawnRule {
  if (words.some((word) => /[\r\n\0]/.test(word))) throw unquotable(words[0]);
  const line = words.map(quotedForBatch).join(' ');
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

function unquotable(file: string): TurnwireError {
  return new TurnwireError(
    'launch-failed',
    `${file} is a batch file, which cannot receive an argument with a line break; use the program it starts instead`,
  );
}
