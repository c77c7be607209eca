import type { LogEntry } from '@turnwire/protocol';
import { complain } from '../failure.ts';

/** Says on stderr what passes on the wire: what each message is, never what it holds. */
export function verboseLog({ level, event, direction, method, id, size, detail }: LogEntry): void {
  const arrow = direction === 'in' ? '<' : direction === 'out' ? '>' : '-';
  const facts = [
    method,
    id === undefined ? undefined : `#${String(id)}`,
    size === undefined ? undefined : `${size} characters`,
    detail,
  ];
  complain([`${level} ${arrow} ${event}`, ...facts.filter((fact) => fact !== undefined)].join(' '));
}
