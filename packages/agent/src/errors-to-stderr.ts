import { inspect } from 'node:util';
import type { LogEntry } from '@turnwire/protocol';

/** Writes what went wrong on this side to stderr, which is where clients look for an agent's last words. */
export function errorsToStderr({ level, event, method, detail, error }: LogEntry): void {
  if (level !== 'error') return;
  const facts = [event, method, detail].filter((fact) => fact !== undefined).join(': ');
  process.stderr.write(error === undefined ? `${facts}\n` : `${facts}\n${inspect(error)}\n`);
}
