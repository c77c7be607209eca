import { findProgram, lineWithInput, type SpawnRule, type ProgramContext } from '@turnwire/machine';
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

/** Spaces and shell syntax. */
const shellSyntax = /[\s|&;<>()$`\\"'*?[\]#~={}!%^]/;

/**
 * The command of a request. With arguments, or when the command is the name of a program, it is started directly. Otherwise, if it contains
 * spaces or shell syntax, it is a line for the shell: agents send both forms.
 * @throws ProtocolError -32602 if there is no such program
 */
export function terminalCommand(
  { command, args = [] }: Pick<CreateTerminalRequest, 'command' | 'args'>,
  context: ProgramContext,
  shell: string,
): TerminalCommand {
  if (command.trim() === '') throw invalidParams('The command is empty');
  if ([command, ...args].some((word) => word.includes('\0')))
    throw invalidParams('A command must not contain a NUL character');
  const isProgram = findProgram(command, context) !== undefined;
  const isLine = args.length === 0 && !isProgram && shellSyntax.test(command);
  if (!isLine && !isProgram) throw invalidParams(noSuchProgram(command));
  const line = isLine ? command : (scriptOf([command, ...args]) ?? commandLine([command, ...args]));
  return {
    line: lineWithInput(line),
    rule: isLine ? lineRule(command, context, shell) : programRule([command, ...args], context),
  };
}

function programRule(words: CommandWords, context: ProgramContext): SpawnRule {
  return context.platform === 'win32' ? spawnRule(words, context) : onOnePipe(words);
}

function lineRule(line: string, context: ProgramContext, shell: string): SpawnRule {
  return context.platform === 'win32' ? windowsShellRule(line, context) : onOnePipe([shell, '-c', line]);
}

/**
 * Joins stdout and stderr in one pipe, so that the output stays in order, and then becomes the program. Node by itself can only use two
 * pipes, whose relative order is lost.
 */
function onOnePipe(words: CommandWords): SpawnRule {
  return { file: '/bin/sh', args: ['-c', 'exec "$@" 2>&1', 'sh', ...words], windowsVerbatimArguments: false };
}

function noSuchProgram(command: string): string {
  return command.includes('/')
    ? `${command} does not exist, or is not executable`
    : `There is no program "${command}" on the PATH`;
}
