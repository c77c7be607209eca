import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import type { ClientTerminals } from '../client-terminals.ts';
import type { OpenToolCall } from '../tool-report.ts';
import { runInClient } from './client-command.ts';
import { DisplayTerminal } from './display-terminal.ts';
import { runLocally } from './local-command.ts';
import { OutputProgress } from './output-progress.ts';
import type { CommandOutcome, CommandRequest } from './turn-commands.ts';

/** Where a command runs, and how its output is shown. */
export interface CommandPlace {
  readonly cwd: string;
  readonly signal: AbortSignal;
  /** The client's terminals. Absent: it has none, and the command runs here. */
  readonly terminals?: ClientTerminals | undefined;
  /** The client supports the `terminal_output` convention. */
  readonly showsPieces: boolean;
  /** Receives the output of a terminal, to store it for later replay. */
  readonly shown: (terminalId: string, output: string) => void;
}

/** Runs a command and shows its output in its tool call, each chunk once. */
export async function runCommand(
  tool: OpenToolCall,
  { cwd: asked, ...command }: CommandRequest,
  { cwd: base, signal, terminals, showsPieces, shown }: CommandPlace,
): Promise<CommandOutcome> {
  const request = { ...command, cwd: asked ?? join(base) };
  await tool.start();
  if (terminals) {
    const outcome = await runInClient(terminals, tool, request);
    signal.throwIfAborted();
    return outcome;
  }
  return showsPieces ? runDisplayed(tool, request, { signal, shown }) : runShown(tool, request, signal);
}

type PlacedCommand = CommandRequest & { readonly cwd: string };

/** Shows the end of the output as text. */
async function runShown(tool: OpenToolCall, command: PlacedCommand, signal: AbortSignal): Promise<CommandOutcome> {
  const progress = new OutputProgress((end) => tool.progress(stripVTControlCharacters(end)));
  try {
    const onOutput = showAndForward(command, (text) => progress.print(text));
    const outcome = await runLocally({ ...command, signal, onOutput });
    await progress.stop();
    if (outcome.output !== '') await tool.progress(stripVTControlCharacters(outcome.output));
    return outcome;
  } finally {
    await progress.stop();
  }
}

/** Shows the output in a display-only terminal of the client. */
async function runDisplayed(
  tool: OpenToolCall,
  command: PlacedCommand,
  { signal, shown }: Pick<CommandPlace, 'signal' | 'shown'>,
): Promise<CommandOutcome> {
  const terminal = new DisplayTerminal(tool, { cwd: command.cwd, shown });
  await terminal.show();
  try {
    const onOutput = showAndForward(command, (text) => terminal.print(text));
    const outcome = await runLocally({ ...command, signal, onOutput });
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
