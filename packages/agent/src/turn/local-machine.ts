import type { LineRange } from './line-range.ts';
import type { OpenToolCall } from './tool-report.ts';
import type { CommandOutcome, CommandRequest } from './turn-commands.ts';

/** What turns use of the machine the agent runs on. In a page there is none. */
export interface LocalMachine {
  /** The absolute path a path stands for in a folder. */
  resolve(folder: string, path: string): string;
  /** Rejects with ProtocolError -32002 if there is no such file. */
  readTextFile(path: string, range: LineRange): Promise<string>;
  /** Makes the file and its folders if need be. */
  writeTextFile(path: string, content: string): Promise<void>;
  /** What runs a line in the shell of this machine. */
  shellCommand(line: string): { readonly command: string; readonly args?: readonly string[] };
  /** Runs a command here and shows what it prints in its tool call, each piece once. */
  run(tool: OpenToolCall, command: PlacedCommand, display: CommandDisplay): Promise<CommandOutcome>;
}

/** A command and the absolute folder it runs in. */
export type PlacedCommand = CommandRequest & { readonly cwd: string };

/** How the output of a command is shown. */
export interface CommandDisplay {
  readonly signal: AbortSignal;
  /** The client shows output that comes in pieces, with the `terminal_output` convention. */
  readonly showsPieces: boolean;
  /** Given what a terminal came to show, for those who cannot look at it any more. */
  readonly shown: (terminalId: string, output: string) => void;
}
