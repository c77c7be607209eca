import { cleanText } from './clean-text.ts';

/**
 * The lines that a command's output leaves on a screen. A carriage return starts a line over, as a progress bar does: what it overwrote is
 * dropped.
 */
export function printedLines(output: string): readonly string[] {
  const lines = output.replaceAll('\r\n', '\n').split('\n');
  return cleanText(lines.map(lastVersion).join('\n')).split('\n');
}

function lastVersion(line: string): string {
  if (line.length < 2 || !line.includes('\r')) return line;
  return line.slice(line.lastIndexOf('\r', line.length - 2) + 1);
}
