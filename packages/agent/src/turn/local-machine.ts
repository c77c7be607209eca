import type { LineRange } from './line-range.ts';
import type { OpenToolCall } from './tool-report.ts';
import type { CommandOutcome, CommandRequest } from './turn-commands.ts';

/** The access of turns to the machine that runs the agent. Absent in a page. */
export interface LocalMachine {
  /** Resolves a path relative to a folder to an absolute one. */
  resolve(folder: string, path: string): string;
  /** Rejects with ProtocolError -32002 for a missing file. */
  readTextFile(path: string, range: LineRange): Promise<string>;
  /** Creates the file and its folders if necessary. */
  writeTextFile(path: string, content: string): Promise<void>;
  /** The program and arguments that run a line in the shell of this machine. */
  shellCommand(line: string): { readonly command: string; readonly args?: readonly string[] };
  /** Runs a command here and shows its output in the tool call, each chunk once. */
  run(tool: OpenToolCall, command: ResolvedCommand, display: CommandDisplay): Promise<CommandOutcome>;
}

/** A command and the absolute folder it runs in. */
export type ResolvedCommand = CommandRequest & { readonly cwd: string };

/** How the output of a command is shown. */
export interface CommandDisplay {
  readonly signal: AbortSignal;
  /** Aborts when the client ends the command, which then ends as a command that was killed. */
  readonly stopped?: AbortSignal | undefined;
  /** The client shows output in chunks, by the `terminal_output` convention. */
  readonly showsChunks: boolean;
  /** Receives the output of a terminal, for clients that can no longer read it. */
  readonly shown: (terminalId: string, output: string) => void;
}
