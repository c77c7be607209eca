import { diffSize, patchText } from '@turnwire/client/changes';
import type { Diff } from '@turnwire/protocol';
import { visibleLine, visibleText } from './clean-text.ts';
import type { Paint } from './paint.ts';

/** A diff as the lines of a unified patch, with control characters escaped. */
export function diffLines(diff: Diff, paint: Paint): string[] {
  const lines = patchText({ ...diff, path: visibleLine(diff.path) })
    .replace(/\n$/, '')
    .split('\n');
  return lines.map((line, index) => (index < 2 ? paint('bold', line) : painted(line, paint)));
}

/** How many lines a diff adds and removes: `+3 −1`. */
export function diffSizeText(diff: Diff): string {
  const { added, removed } = diffSize(diff);
  return `+${added} −${removed}`;
}

/** A line of a unified patch, with control characters escaped. */
export function painted(line: string, paint: Paint): string {
  const text = visibleText(line);
  if (line.startsWith('+')) return paint('green', text);
  if (line.startsWith('-')) return paint('red', text);
  return line.startsWith('@@') ? paint('cyan', text) : text;
}
