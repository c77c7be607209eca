import type { Paint } from '../terminal/paint.ts';

// oxlint-disable-next-line no-control-regex -- only our own styles and links
const unseen = /(\u001b\[[0-9;]*m|\u001b\]8;[^\u0007\u001b]*(?:\u0007|\u001b\\))/g;

/** Whether a line shows a text, ignoring case. */
export function showsText(line: string, text: string): boolean {
  return line.replaceAll(unseen, '').toLowerCase().includes(text.toLowerCase());
}

/** A line in which each occurrence of a text is reversed, ignoring case. Its own styles are kept. */
export function withTextMarked(line: string, text: string, paint: Paint): string {
  if (text === '' || !showsText(line, text)) return line;
  const ranges = rangesOf(text.toLowerCase(), line.replaceAll(unseen, '').toLowerCase());
  let at = 0;
  const parts = line.split(unseen).map((part, index) => {
    // Every second part is a sequence.
    if (index % 2 === 1) return part;
    const from = at;
    at += part.length;
    const inside = ranges.map(([start, end]) => [Math.max(start, from) - from, Math.min(end, at) - from] as const);
    return marked(
      part,
      inside.filter(([start, end]) => start < end),
      paint,
    );
  });
  return parts.join('');
}

function rangesOf(text: string, shown: string): readonly (readonly [start: number, end: number])[] {
  const ranges: [number, number][] = [];
  for (let start = shown.indexOf(text); start !== -1; start = shown.indexOf(text, start + text.length))
    ranges.push([start, start + text.length]);
  return ranges;
}

function marked(part: string, ranges: readonly (readonly [start: number, end: number])[], paint: Paint): string {
  let at = 0;
  const pieces = ranges.map(([start, end]) => {
    const piece = part.slice(at, start) + paint('inverse', part.slice(start, end));
    at = end;
    return piece;
  });
  return pieces.join('') + part.slice(at);
}
