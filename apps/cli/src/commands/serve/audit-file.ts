import { createWriteStream, type WriteStream } from 'node:fs';
import type { AuditEntry } from '@turnwire/gateway';
import { complain } from '../../failure.ts';

/** A file of one JSON object per line, for its owner alone, to which entries are added as long as it can be written. */
export class AuditFile {
  readonly #stream: WriteStream;

  constructor(path: string) {
    this.#stream = createWriteStream(path, { flags: 'a', mode: 0o600 });
    this.#stream.on('error', ({ message }) => complain(`the audit file ${path} cannot be written: ${message}`));
  }

  add({ at, ...entry }: AuditEntry): void {
    this.#stream.write(`${JSON.stringify({ at: new Date(at).toISOString(), ...entry })}\n`);
  }

  /** Resolves when everything is written. */
  close(): Promise<void> {
    return new Promise((resolve) => this.#stream.end(() => resolve()));
  }
}
