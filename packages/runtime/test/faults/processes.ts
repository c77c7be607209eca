import { setTimeout as delay } from 'node:timers/promises';
import { processRows } from '../../../transports/test/process-life.ts';

/** The command lines of processes with a word in them. */
export function processesWith(word: string): readonly string[] {
  return processRows().flatMap(({ command }) => (command.includes(word) ? command : []));
}

/** The same, once they had time to leave. */
export async function lastingWith(word: string): Promise<readonly string[]> {
  for (let waits = 0; waits < 50 && processesWith(word).length > 0; waits++) await delay(50);
  return processesWith(word);
}
