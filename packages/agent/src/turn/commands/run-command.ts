import { join } from 'node:path';
import type { ClientTerminals } from '../client-terminals.ts';
import type { OpenToolCall } from '../tool-report.ts';
import { runInClient } from './client-command.ts';
import { DisplayTerminal } from './display-terminal.ts';
import { runLocally } from './local-command.ts';
import type { CommandOutcome, CommandRequest } from './turn-commands.ts';

/** Where a command runs and who is told. */
export interface CommandPlace {
  readonly cwd: string;
  readonly signal: AbortSignal;
  /** The client's. Absent: it has none, and the command runs here. */
  readonly terminals?: ClientTerminals | undefined;
  /** The client shows output that comes in pieces, with the `terminal_output` convention. */
  readonly showsPieces: boolean;
  /** Told what a terminal came to show, for those who cannot look at it any more. */
  readonly shown: (terminalId: string, output: string) => void;
}

/** Runs a command and shows what it prints in its tool call, each piece once. */
export async function runCommand(
  tool: OpenToolCall,
  { cwd: asked, ...command }: CommandRequest,
  { cwd: base, signal, terminals, showsPieces, shown }: CommandPlace,
): Promise<CommandOutcome> {
  const request = { ...command, cwd: asked ?? join(base) };
  await tool.start();
  if (terminals) {
    const { terminalId, ...outcome } = await runInClient(terminals, tool, request);
    shown(terminalId, outcome.output);
    signal.throwIfAborted();
    return outcome;
  }
  if (!showsPieces) {
    const outcome = await runLocally(request, { signal, onOutput: () => undefined });
    if (outcome.output !== '') await tool.progress(outcome.output);
    return outcome;
  }
  return runDisplayed(tool, request, { signal, shown });
}

async function runDisplayed(
  tool: OpenToolCall,
  request: CommandRequest & { readonly cwd: string },
  { signal, shown }: Pick<CommandPlace, 'signal' | 'shown'>,
): Promise<CommandOutcome> {
  const terminal = new DisplayTerminal(tool, request.cwd);
  await terminal.show();
  try {
    const outcome = await runLocally(request, { signal, onOutput: (text) => terminal.print(text) });
    shown(terminal.id, outcome.output);
    await terminal.exit(outcome.exitCode, outcome.signal);
    return outcome;
  } catch (error) {
    await terminal.exit(null, null);
    throw error;
  }
}
