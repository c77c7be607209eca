import { TurnwireError } from '@turnwire/protocol';
import { win32 } from 'node:path';
import { environmentVariable, findProgram, type SpawnRule, type Surroundings } from '@turnwire/machine';
import type { CommandWords } from './command-words.ts';

/**
 * How a command is started. Everywhere but on Windows: as it is. There the file is looked up, since `npx` is `npx.cmd`, and a
 * batch file is run by `cmd.exe`, which Node refuses to do by itself; its arguments reach it unchanged, whatever is in them.
 * @throws TurnwireError `launch-failed` for what no batch file can be given: a line break or a NUL
 */
export function spawnRule(words: CommandWords, surroundings: Surroundings): SpawnRule {
  const [program, ...args] = words;
  if (surroundings.platform !== 'win32') return { file: program, args, windowsVerbatimArguments: false };
  const file = findProgram(program, surroundings) ?? program;
  return isBatchFile(file) ? batchRule([file, ...args], surroundings) : { file, args, windowsVerbatimArguments: false };
}

/** How a line is run by the shell of Windows: as it is, since it was written for it. */
export function windowsShellRule(line: string, surroundings: Surroundings): SpawnRule {
  return {
    file: commandProcessor(surroundings),
    args: ['/d', '/s', '/c', `"${line}"`],
    windowsVerbatimArguments: true,
  };
}

/** Windows ignores dots and spaces at the end of a name. */
function isBatchFile(file: string): boolean {
  return /\.(?:bat|cmd)[. ]*$/i.test(file);
}

function batchRule(words: CommandWords, surroundings: Surroundings): SpawnRule {
  if (words.some((word) => /[\r\n\0]/.test(word))) throw unspeakable(words[0]);
  const line = words.map(quotedForBatch).join(' ');
  return {
    file: commandProcessor(surroundings),
    // No AutoRun, the extensions that the quoting relies on, no expansion of !NAME!; the outer quotes are taken off.
    args: ['/d', '/e:on', '/v:off', '/s', '/c', `"${line}"`],
    windowsVerbatimArguments: true,
  };
}

function commandProcessor({ env, platform }: Surroundings): string {
  const systemRoot = environmentVariable(env, 'SystemRoot', platform);
  if (systemRoot) return win32.join(systemRoot, 'System32', 'cmd.exe');
  return environmentVariable(env, 'ComSpec', platform) ?? 'cmd.exe';
}

/**
 * A word as cmd.exe and then the program behind a batch file read it. Within quotes cmd.exe knows two things: a quote, which is
 * doubled and so never leaves it outside of them, and a percent sign, which is followed by a variable that is always empty (no
 * characters of %cd%), so that no name can form between two of them.
 */
function quotedForBatch(word: string): string {
  if (/^[\w./:\\@#$+-]+$/.test(word)) return word;
  const escaped = word
    .replaceAll(/(\\*)("|$)/g, (_, backslashes: string, quote: string) => backslashes.repeat(2) + quote.repeat(2))
    .replaceAll('%', '%%cd:~,%');
  return `"${escaped}"`;
}

function unspeakable(file: string): TurnwireError {
  return new TurnwireError(
    'launch-failed',
    `${file} is a batch file, and such a file cannot be given an argument with a line break; name the program it starts instead`,
  );
}
