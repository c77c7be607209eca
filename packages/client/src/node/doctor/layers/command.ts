import { existsSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import type { ProcessContext } from '@turnwire/machine';
import { AgentProcess } from '../../launch/agent-process.ts';
import { type CommandWords, commandLine, commandWords } from '../../launch/command-words.ts';
import { commandInAdvice, type Finding, since } from '../finding.ts';
import { programPath } from '../program-path.ts';
import { reasonOf } from '../reason.ts';

/**
 * Finds the program.
 * @returns the words of the command; undefined if it cannot be started
 */
export function* findCommand(
  command: string | readonly string[],
  context: ProcessContext,
): Generator<Finding, CommandWords | undefined> {
  const words = yield* split(command);
  if (words === undefined) return undefined;
  const [program] = words;
  if (!isFolder(context.cwd)) {
    yield failed(`The folder ${context.cwd} does not exist.`, 'Choose another working folder, or create this one.');
    return undefined;
  }
  const path = programPath(program, context);
  if (path === undefined) {
    yield missing(program, context);
    return undefined;
  }
  yield {
    layer: 'command',
    verdict: 'ok',
    message: path === program ? `There is ${path}.` : `${program} is ${path}.`,
    details: { command: [...words], path },
  };
  return words;
}

/**
 * Starts the program.
 * @returns the process; undefined if the system refuses
 */
export async function* startProcess(
  words: CommandWords,
  context: ProcessContext,
): AsyncGenerator<Finding, AgentProcess | undefined> {
  const began = performance.now();
  try {
    const started = await AgentProcess.start(words, context);
    yield {
      layer: 'launch',
      verdict: 'ok',
      message: 'It starts.',
      milliseconds: since(began),
      details: { pid: started.pid },
    };
    return started;
  } catch (error) {
    yield launchFailed(error, words, context);
    return undefined;
  }
}

function launchFailed(error: unknown, words: CommandWords, context: ProcessContext): Finding {
  const { code } = ((error as Error).cause ?? {}) as NodeJS.ErrnoException;
  // The program was found, so its interpreter is missing.
  if (code === 'ENOENT')
    return {
      layer: 'launch',
      verdict: 'failed',
      message: `${programPath(words[0], context) ?? words[0]} exists, but a program or library that it needs does not.`,
      advice: 'Check the interpreter in its first line (#!), and the platform it was built for.',
    };
  const advice = `Run it yourself to see the error of the system:${commandInAdvice(commandLine(words))}`;
  return { layer: 'launch', verdict: 'failed', message: `${reasonOf(error)}.`, advice };
}

function* split(command: string | readonly string[]): Generator<Finding, CommandWords | undefined> {
  try {
    return commandWords(command);
  } catch (error) {
    yield failed(`${reasonOf(error)}.`, "Write it as in a shell, such as 'my-agent --acp'.");
    return undefined;
  }
}

function missing(program: string, { cwd }: ProcessContext): Finding {
  const isPath = /[\\/]/.test(program);
  const path = resolve(cwd, program);
  if (isPath && isFolder(path)) return failed(`${path} is a folder.`, 'Specify the program in it.');
  if (isPath && existsSync(path))
    return failed(
      `${path} exists, but is not executable.`,
      `Make it executable:${commandInAdvice(`chmod +x ${commandLine([path])}`)}`,
    );
  if (isPath) return failed(`There is no file ${path}.`, `Check the spelling. Paths are relative to ${cwd}.`);
  return failed(
    `There is no program "${program}".`,
    'Check the spelling, that it is installed, and that its folder is on your PATH.',
  );
}

function failed(message: string, advice: string): Finding {
  return { layer: 'command', verdict: 'failed', message, advice };
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}
