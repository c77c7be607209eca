import type { RawMessage } from '../../wire/journal.ts';
import { asMessage } from '../../wire/messages.ts';
import type { Wire } from '../../wire/wire.ts';

/** What the client that we play offers, and where. */
export interface HostOptions {
  readonly capabilities: RawMessage;
  /** The folder that files and commands are kept in. */
  readonly folder: string;
}

/** Answers what an agent asks of its client: permission is given once, whatever it is for. */
export function playHost(wire: Wire, _options: HostOptions): void {
  wire.handle('session/request_permission', ({ options }) => ({
    outcome: { outcome: 'selected', optionId: chosen(options, 'allow_once') },
  }));
}

/** The id of the first option of a kind, else of the first there is. */
export function chosen(options: unknown, kind: string): unknown {
  const offered = Array.isArray(options) ? options.map(asMessage) : [];
  return (offered.find((option) => option?.['kind'] === kind) ?? offered[0])?.['optionId'];
}
