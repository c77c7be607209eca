import type { TerminalSnapshot } from '@turnwire/client';
import type { SessionUpdate } from '@turnwire/protocol/v2';

/** Terminals of this machine as terminals of the agent: version 2 has no others. */
export class TerminalSnapshots {
  /** The output that the client has, by terminal. */
  readonly #shown = new Map<string, string>();

  /** Returns the changes of a terminal since its last snapshot. */
  updatesOf({ terminalId, command, output, exitStatus }: TerminalSnapshot): readonly SessionUpdate[] {
    const shown = this.#shown.get(terminalId);
    this.#shown.set(terminalId, output);
    const changed = { sessionUpdate: 'terminal_update', terminalId } as const;
    // The client may have the beginning of the output, from an earlier connection: all of it replaces that.
    const begun = { ...changed, command, ...(output !== '' && { output: { data: base64(output) } }) };
    return [
      ...(shown === undefined ? [begun] : []),
      ...(shown === undefined || output === shown ? [] : [outputUpdate(terminalId, shown, output)]),
      ...(exitStatus ? [{ ...changed, exitStatus }] : []),
    ];
  }
}

/** The beginning of long output is dropped; then all of it is sent again. */
function outputUpdate(terminalId: string, shown: string, output: string): SessionUpdate {
  if (!output.startsWith(shown))
    return { sessionUpdate: 'terminal_update', terminalId, output: { data: base64(output) } };
  return { sessionUpdate: 'terminal_output_chunk', terminalId, data: base64(output.slice(shown.length)) };
}

function base64(text: string): string {
  return Buffer.from(text).toString('base64');
}
