import {
  findProgram,
  lineWithInput,
  onOnePipe,
  type ProgramContext,
  shellRule,
  type SpawnRule,
  spawnRule,
} from '@turnwire/machine';
import { type CreateTerminalRequest, invalidParams } from '@turnwire/protocol';
import { commandLine } from '../launch/command-words.ts';
import { scriptOf } from '../../transcript/tool-call-data.ts';

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
  const programRule = context.platform === 'win32' ? spawnRule : onOnePipe;
  return {
    line: lineWithInput(line),
    rule: isLine ? shellRule(command, shell, context) : programRule([command, ...args], context),
  };
}

function noSuchProgram(command: string): string {
  return command.includes('/')
    ? `${command} does not exist, or is not executable`
    : `There is no program "${command}" on the PATH`;
}
