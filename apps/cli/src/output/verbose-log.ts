import type { LogEntry } from '@turnwire/protocol';
import { warn } from '../failure.ts';

/** Logs the messages on the wire to stderr: what each message is, never its content. */
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
