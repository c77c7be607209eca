import type { SessionUpdate, ToolCallUpdate } from '../generated/v2-types.ts';

type Call = { readonly sessionUpdate: 'tool_call_update' } & ToolCallUpdate;

/** The convention by which an agent of version 1 shows its own terminals in `_meta` of a tool call. */
interface DisplayedTerminal {
  readonly terminal_info?: { readonly terminal_id: string; readonly cwd: string };
  readonly terminal_output?: { readonly terminal_id: string; readonly data: string };
  readonly terminal_exit?: {
    readonly terminal_id: string;
    readonly exit_code: number | null;
    readonly signal: string | null;
  };
}

/** The commands whose terminals an update shows. */
export interface TerminalCommands {
  /** Whether the client may end the command of a tool call. */
  has(toolCallId: string): boolean;
  /** A terminal shows the command of a tool call. */
  terminalOpens(terminalId: string, toolCallId: string): void;
  /** The command of a terminal has ended. */
  terminalEnds(terminalId: string): void;
}

/**
 * Separates the terminal of a command from its tool call: version 2 has updates for it.
 * @returns the updates of the terminal, which come first, and of the call, if it has changed
 */
export function terminalUpdates(
  update: Call,
  commands?: TerminalCommands,
): { readonly terminals: readonly SessionUpdate[]; readonly call?: Call } {
  const {
    terminal_info: info,
    terminal_output: output,
    terminal_exit: exit,
    ...kept
  } = (update._meta ?? {}) as DisplayedTerminal;
  if (!info && !output && !exit) return { terminals: [], call: update };
  const { _meta, ...fields } = update;
  const call = { ...fields, ...(Object.keys(kept).length > 0 && { _meta: kept }) };
  const terminals: SessionUpdate[] = [];
  if (info) {
    const { terminal_id: terminalId, cwd } = info;
    commands?.terminalOpens(terminalId, update.toolCallId);
    terminals.push({ sessionUpdate: 'terminal_update', terminalId, cwd, ...cancellable(update.toolCallId, commands) });
  }
  if (output) {
    const data = base64(output.data);
    terminals.push({ sessionUpdate: 'terminal_output_chunk', terminalId: output.terminal_id, data });
  }
  if (exit) {
    commands?.terminalEnds(exit.terminal_id);
    terminals.push(ended(exit));
  }
  const hasChanged = Object.keys(call).length > 2;
  return { terminals, ...(hasChanged && { call }) };
}

function cancellable(toolCallId: string, commands: TerminalCommands | undefined): object {
  return commands?.has(toolCallId) === true ? { capabilities: { cancel: {} } } : {};
}

function ended({
  terminal_id: terminalId,
  exit_code: exitCode,
  signal,
}: DisplayedTerminal['terminal_exit'] & object): SessionUpdate {
  return { sessionUpdate: 'terminal_update', terminalId, exitStatus: { exitCode, signal }, capabilities: null };
}

/** The text in UTF-8, as base64. */
function base64(text: string): string {
  const bytes = new TextEncoder().encode(text);
  let binary = '';
  for (let at = 0; at < bytes.length; at += 8192) binary += String.fromCharCode(...bytes.subarray(at, at + 8192));
  return btoa(binary);
}
