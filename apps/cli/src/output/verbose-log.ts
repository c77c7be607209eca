import type { LogEntry } from '@turnwire/protocol';
import { warn } from '../failure.ts';

/** Logs messages on the wire to stderr: their metadata, but never their content. */
export function verboseLog({ level, event, direction, method, id, size, detail }: LogEntry): void {
  const arrow = direction === 'in' ? '<' : direction === 'out' ? '>' : '-';
  const facts = [
    method,
    id === undefined ? undefined : `#${String(id)}`,
    size === undefined ? undefined : `${size} characters`,
    detail,
  ];
  warn([`${level} ${arrow} ${event}`, ...facts.filter((fact) => fact !== undefined)].join(' '));
}
