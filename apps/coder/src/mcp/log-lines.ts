import { stripVTControlCharacters } from 'node:util';
import type { OutputTail } from '@turnwire/machine';

const longestLine = 500;

/** The last lines of a server's output and log, without control characters, oldest first. */
export function logLines(log: OutputTail, most = 50): readonly string[] {
  return log
    .text()
    .split('\n')
    .map(clean)
    .filter((line) => line !== '')
    .slice(-most);
}

function clean(line: string): string {
  const text = stripVTControlCharacters(line)
    .replaceAll(/\p{Cc}+/gu, ' ')
    .trim();
  return text.length > longestLine ? `${text.slice(0, longestLine)}…` : text;
}
