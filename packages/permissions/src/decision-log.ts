import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { appendBounded } from '@turnwire/machine';
import { redact, redactText } from '@turnwire/protocol';
import type { DecisionRecord } from './permissions.ts';

/** Writes decisions to a file, one JSON object per line. */
export interface DecisionLog {
  /** The listener for `permissions.onDecision`. */
  readonly listener: (record: DecisionRecord) => void;
  /** Resolves when all decisions are written; rejects with the error that prevented it. */
  flush(): Promise<void>;
}

/**
 * A log of decisions that only the user can read, with secrets in command lines removed. Above `limit` bytes (default 5 MiB) the file
 * becomes `<file>.1`, replacing an older one, and a new one begins.
 */
export function decisionLog(file: string, { limit = 5 * 1024 * 1024 }: { readonly limit?: number } = {}): DecisionLog {
  let written: Promise<void> = mkdir(dirname(file), { recursive: true, mode: 0o700 }).then(() => undefined);
  written.catch(() => undefined);
  return {
    listener: (record) => {
      written = written.then(() => appendBounded(file, lineFor(record), limit));
      written.catch(() => undefined);
    },
    flush: () => written,
  };
}

function lineFor({ at, action, option, ...rest }: DecisionRecord): string {
  const entry = { at: new Date(at).toISOString(), ...rest, ...(option && { option: option.kind }), action };
  return `${JSON.stringify(redact(entry), (_, value: unknown) => (typeof value === 'string' ? redactText(value, []) : value))}\n`;
}
