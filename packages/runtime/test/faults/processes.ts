import { setTimeout as delay } from 'node:timers/promises';
import { within } from '../../../../tools/pace.ts';
import { processRows } from '../../../transports/test/process-life.ts';

/** The command lines of processes with a word in them. */
export function processesWith(word: string): readonly string[] {
  return processRows().flatMap(({ command }) => (command.includes(word) ? command : []));
}

/** The same, once they had time to leave. */
export async function lastingWith(word: string): Promise<readonly string[]> {
  const end = performance.now() + within(5_000);
  let left = processesWith(word);
  for (; left.length > 0 && performance.now() < end; left = processesWith(word)) await delay(50);
  return left;
}
