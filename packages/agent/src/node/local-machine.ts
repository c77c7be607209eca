import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { commandShell, withoutInput } from '@turnwire/machine';
import { resourceNotFound } from '@turnwire/protocol';
import type { CommandDisplay, LocalMachine, ResolvedCommand } from '../turn/local-machine.ts';
import type { LineRange } from '../turn/line-range.ts';
import type { OpenToolCall } from '../turn/tool-report.ts';
import type { CommandOutcome, CommandRequest } from '../turn/turn-commands.ts';
import { DisplayTerminal } from './commands/display-terminal.ts';
import { runLocally } from './commands/local-command.ts';
import { OutputProgress } from './commands/output-progress.ts';

/** The machine this process runs on. */
export const localMachine: LocalMachine = {
  resolve,
  readTextFile,
  writeTextFile: async (path, content) => {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, content);
  },
  shellCommand: (line) => {
    const shell = commandShell();
    return shell.reads === 'cmd' ? { command: line } : { command: shell.path, args: ['-c', withoutInput(line)] };
  },
  run: (tool, command, display) =>
    display.showsChunks ? runDisplayed(tool, command, display) : runShown(tool, command, display),
};

async function readTextFile(path: string, { line = 1, limit }: LineRange): Promise<string> {
  try {
    const text = await readFile(path, 'utf8');
    if (line <= 1 && limit === undefined) return text;
    const start = Math.max(line, 1) - 1;
    return text
      .split(/(?<=\n)/)
      .slice(start, limit === undefined ? undefined : start + limit)
      .join('');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT')
      throw resourceNotFound(`There is no file ${path}`, { uri: path });
    throw error;
  }
}

/** Shows the end of the output as text. */
async function runShown(
  tool: OpenToolCall,
  command: ResolvedCommand,
  { signal, stopped }: CommandDisplay,
): Promise<CommandOutcome> {
  const progress = new OutputProgress((end) => tool.progress(stripVTControlCharacters(end)));
  try {
    const onOutput = showAndForward(command, (text) => progress.print(text));
    const outcome = await runLocally({ ...command, signal, stopped, onOutput });
    await progress.stop();
    if (outcome.output !== '') await tool.progress(stripVTControlCharacters(outcome.output));
    return outcome;
  } catch (error) {
    await progress.finish();
    throw error;
  }
}

/** Shows the output in a display-only terminal of the client. */
async function runDisplayed(
  tool: OpenToolCall,
  command: ResolvedCommand,
  { signal, stopped, shown }: CommandDisplay,
): Promise<CommandOutcome> {
  const terminal = new DisplayTerminal(tool, { cwd: command.cwd, shown });
  await terminal.show();
  try {
    const onOutput = showAndForward(command, (text) => terminal.print(text));
    const outcome = await runLocally({ ...command, signal, stopped, onOutput });
    shown(terminal.id, outcome.output);
    await terminal.exit(outcome.exitCode, outcome.signal);
    return outcome;
  } catch (error) {
    await terminal.exit(null, null);
    throw error;
  }
}

function showAndForward(
  { onOutput }: CommandRequest,
  show: (text: string) => void,
): (text: string) => void | Promise<void> {
  return (text) => {
    show(text);
    return onOutput?.(text);
  };
}
