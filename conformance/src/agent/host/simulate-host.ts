import { dirname } from 'node:path';
import { asMessage, at, quoted, type RawMessage } from '../../wire/messages.ts';
import { type Wire, WireError } from '../../wire/wire.ts';
import { HostFiles } from './host-files.ts';
import { HostTerminals } from './host-terminals.ts';

/** The files and terminals of the simulated client, for scenarios to inspect. */
export interface Host {
  readonly files: HostFiles;
  readonly terminals: HostTerminals;
  close(): Promise<void>;
}

/**
 * Answers the requests of an agent to its client, as far as the client offers them; others are refused with -32601. Every permission is
 * granted once and every question is declined; scenarios may replace these answers with `wire.handle`. Files are accessible in the parent
 * folder of the scenario, so that sessions may also work next to it.
 */
export function simulateHost(
  wire: Wire,
  { capabilities, folder }: { readonly capabilities: RawMessage; readonly folder: string },
): Host {
  const files = new HostFiles(dirname(folder));
  const terminals = new HostTerminals(folder);
  wire.handle('session/request_permission', ({ options }) => selected(chosen(options, 'allow_once')));
  const { readTextFile, writeTextFile } = asMessage(capabilities['fs']) ?? {};
  if (readTextFile === true) wire.handle('fs/read_text_file', (params) => files.read(params));
  if (writeTextFile === true) wire.handle('fs/write_text_file', (params) => files.write(params));
  if (capabilities['terminal'] === true) offerTerminals(wire, terminals);
  const modes = asMessage(capabilities['elicitation']);
  if (modes !== undefined)
    wire.handle('elicitation/create', ({ mode }) => {
      // A client must refuse modes that it does not offer.
      if (asMessage(modes[String(mode)]) === undefined)
        throw new WireError(-32602, `the mode ${quoted(mode)} is not offered here`);
      return { action: 'decline' };
    });
  return { files, terminals, close: () => terminals.close() };
}

/** The id of the first option of a kind. Falls back to the other duration of the same answer (once or always), then to the first option. */
export function chosen(options: unknown, kind: string): unknown {
  const offered = Array.isArray(options) ? options.map(asMessage) : [];
  const of = (wanted: string): RawMessage | undefined =>
    offered.find((option) => String(option?.['kind']).startsWith(wanted));
  return (of(kind) ?? of(kind.replace(/_.*/, '_')) ?? offered[0])?.['optionId'];
}

export function selected(optionId: unknown): RawMessage {
  return { outcome: { outcome: 'selected', optionId } };
}

/** The tool call that a permission request is about. Version 2 has it in the subject. */
export function toolCallIn({ toolCall, subject }: RawMessage): RawMessage {
  return asMessage(toolCall ?? at(subject, 'toolCall')) ?? {};
}

export const cancelled: RawMessage = { outcome: { outcome: 'cancelled' } };

function offerTerminals(wire: Wire, terminals: HostTerminals): void {
  wire.handle('terminal/create', (params) => terminals.create(params));
  wire.handle('terminal/output', (params) => terminals.output(params));
  wire.handle('terminal/wait_for_exit', (params) => terminals.wait(params));
  wire.handle('terminal/kill', (params) => terminals.kill(params));
  wire.handle('terminal/release', (params) => terminals.release(params));
}
