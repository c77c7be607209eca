import type { SessionUpdate, ToolCallUpdate } from '@turnwire/protocol/v2';
import type { RunningCommands } from './running-commands.ts';

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

/**
 * Separates the terminal of a command from its tool call: version 2 has updates for it.
 * @returns the updates of the terminal, which come first, and of the call, if it has changed
 */
export function terminalUpdates(
  update: Call,
  commands: RunningCommands,
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
    commands.terminalOpens(terminalId, update.toolCallId);
    const isCancellable = commands.has(update.toolCallId);
    terminals.push({
      sessionUpdate: 'terminal_update',
      terminalId,
      cwd,
      ...(isCancellable && { capabilities: { cancel: {} } }),
    });
  }
  if (output) {
    const data = base64(output.data);
    terminals.push({ sessionUpdate: 'terminal_output_chunk', terminalId: output.terminal_id, data });
  }
  if (exit) {
    const { terminal_id: terminalId, exit_code: exitCode, signal } = exit;
    commands.terminalEnds(terminalId);
    terminals.push({
      sessionUpdate: 'terminal_update',
      terminalId,
      exitStatus: { exitCode, signal },
      capabilities: null,
    });
  }
  const hasChanged = Object.keys(call).length > 2;
  return { terminals, ...(hasChanged && { call }) };
}

/** The text in UTF-8, as base64. */
function base64(text: string): string {
  const bytes = new TextEncoder().encode(text);
  let binary = '';
  for (let at = 0; at < bytes.length; at += 8192) binary += String.fromCharCode(...bytes.subarray(at, at + 8192));
  return btoa(binary);
}
