import { findProgram, lineWithInput, type SpawnRule, type Surroundings } from '@turnwire/machine';
import { type CreateTerminalRequest, invalidParams } from '@turnwire/protocol';
import { type CommandWords, commandLine } from '../launch/command-words.ts';
import { scriptOf } from '../../transcript/tool-call-data.ts';
import { spawnRule, windowsShellRule } from '../launch/spawn-rules.ts';

/** A terminal's command, ready to start. */
export interface TerminalCommand {
  /** As a user would type it. */
  readonly line: string;
  readonly rule: SpawnRule;
}

/** Blanks and what a shell gives a meaning. */
const shellSyntax = /[\s|&;<>()$`\\"'*?[\]#~={}!%^]/;

/**
 * What a request asks to run. With arguments, or when the command is a program by itself, it is started as it is. Otherwise, if
 * it has blanks or shell syntax in it, it is a line for the shell: agents send both forms.
 * @throws ProtocolError -32602 if there is no such program
 */
export function terminalCommand(
  { command, args = [] }: Pick<CreateTerminalRequest, 'command' | 'args'>,
  surroundings: Surroundings,
  shell: string,
): TerminalCommand {
  if (command.trim() === '') throw invalidParams('The command is empty');
  if ([command, ...args].some((word) => word.includes('\0')))
    throw invalidParams('A command cannot have a NUL character in it');
  const isProgram = findProgram(command, surroundings) !== undefined;
  const isLine = args.length === 0 && !isProgram && shellSyntax.test(command);
  if (!isLine && !isProgram) throw invalidParams(noSuchProgram(command));
  const line = isLine ? command : (scriptOf([command, ...args]) ?? commandLine([command, ...args]));
  return {
    line: lineWithInput(line),
    rule: isLine ? lineRule(command, surroundings, shell) : programRule([command, ...args], surroundings),
  };
}

function programRule(words: CommandWords, surroundings: Surroundings): SpawnRule {
  return surroundings.platform === 'win32' ? spawnRule(words, surroundings) : onOnePipe(words);
}

function lineRule(line: string, surroundings: Surroundings, shell: string): SpawnRule {
  return surroundings.platform === 'win32' ? windowsShellRule(line, surroundings) : onOnePipe([shell, '-c', line]);
}

/**
 * Makes one pipe of stdout and stderr, so that what was printed stays in its order, and becomes the program. Node alone can
 * only give a process two pipes, of which nobody knows afterwards which was written to first.
 */
function onOnePipe(words: CommandWords): SpawnRule {
  return { file: '/bin/sh', args: ['-c', 'exec "$@" 2>&1', 'sh', ...words], windowsVerbatimArguments: false };
}

function noSuchProgram(command: string): string {
  return command.includes('/')
    ? `${command} does not exist, or is not a program that may be run`
    : `There is no program "${command}" on the PATH`;
}
