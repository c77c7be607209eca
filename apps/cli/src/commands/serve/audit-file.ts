import { createWriteStream, type WriteStream } from 'node:fs';
import type { AuditEntry } from '@turnwire/gateway';
import { warn } from '../../failure.ts';
import { stderr } from '../../terminal/output.ts';

/** Takes what is noted of a server. */
export interface AuditLog {
  add(entry: AuditEntry): void;
  /** Resolves when everything is written. */
  close(): Promise<void>;
}

/** Notes to a file, or for `-` to stderr: one JSON object a line. */
export function openAudit(path: string): AuditLog {
  if (path !== '-') return new AuditFile(path);
  return {
    add: (entry) => stderr.printJson(auditLine(entry)),
    close: () => Promise.resolve(),
  };
}

/** A file for its owner alone, to which entries are added as long as it can be written. */
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
