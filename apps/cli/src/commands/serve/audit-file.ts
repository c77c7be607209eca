import { createWriteStream, type WriteStream } from 'node:fs';
import type { AuditEntry } from '@turnwire/gateway';
import { warn } from '../../failure.ts';
import { stderr } from '../../terminal/output.ts';

/** A log of audit entries. */
export interface AuditLog {
  add(entry: AuditEntry): void;
  /** Resolves when everything is written. */
  close(): Promise<void>;
}

/** Opens an audit log in a file, or on stderr for `-`, with one JSON object per line. */
export function openAudit(path: string): AuditLog {
  if (path !== '-') return new AuditFile(path);
  return {
    add: (entry) => stderr.printJson(auditLine(entry)),
    close: () => Promise.resolve(),
  };
}

/** An audit log in a file that only its owner can read. Write errors are reported and lose entries. */
class AuditFile implements AuditLog {
  readonly #stream: WriteStream;

  constructor(path: string) {
    this.#stream = createWriteStream(path, { flags: 'a', mode: 0o600 });
    this.#stream.on('error', ({ message }) => warn(`the audit file ${path} cannot be written: ${message}`));
  }

  add(entry: AuditEntry): void {
    this.#stream.write(`${auditLine(entry)}\n`);
  }

  close(): Promise<void> {
    return new Promise((resolve) => this.#stream.end(() => resolve()));
  }
}

function auditLine({ at, ...entry }: AuditEntry): string {
  return JSON.stringify({ at: new Date(at).toISOString(), ...entry });
}
