import { execFileSync } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';

/** The command lines of processes with a word in them. */
export function processesWith(word: string): readonly string[] {
  return execFileSync('ps', ['-A', '-ww', '-o', 'stat=,args='], { encoding: 'utf8', maxBuffer: 2 ** 26 })
    .split('\n')
    .filter((row) => row.includes(word) && !row.startsWith('Z'));
}

/** The same, once they had time to leave. */
export async function lastingWith(word: string): Promise<readonly string[]> {
  for (let waits = 0; waits < 50 && processesWith(word).length > 0; waits++) await delay(50);
  return processesWith(word);
}
