import { cleanText } from './clean-text.ts';

/**
 * The lines that a command's output leaves on a screen. Text before a carriage return is dropped, because a progress bar overwrites it.
 */
export function printedLines(output: string): readonly string[] {
  const lines = output.replaceAll('\r\n', '\n').split('\n');
  return cleanText(lines.map(lastVersion).join('\n')).split('\n');
}

function lastVersion(line: string): string {
  if (line.length < 2 || !line.includes('\r')) return line;
  return line.slice(line.lastIndexOf('\r', line.length - 2) + 1);
}
