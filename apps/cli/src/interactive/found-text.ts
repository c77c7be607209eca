import type { Paint } from '../terminal/paint.ts';

// oxlint-disable-next-line no-control-regex -- only our own styles and links
const unseen = /(\u001b\[[0-9;]*m|\u001b\]8;[^\u0007\u001b]*(?:\u0007|\u001b\\))/g;

/** Whether a line shows a text, ignoring case. */
export function showsText(line: string, text: string): boolean {
  return line.replaceAll(unseen, '').toLowerCase().includes(text.toLowerCase());
}

/** A line with each place of a text reversed, ignoring case; its own styles stay. */
export function withTextMarked(line: string, text: string, paint: Paint): string {
  if (text === '' || !showsText(line, text)) return line;
  const places = placesOf(text.toLowerCase(), line.replaceAll(unseen, '').toLowerCase());
  let at = 0;
  const parts = line.split(unseen).map((part, index) => {
    // Each second one is a sequence.
    if (index % 2 === 1) return part;
    const from = at;
    at += part.length;
    const inside = places.map(([start, end]) => [Math.max(start, from) - from, Math.min(end, at) - from] as const);
    return marked(
      part,
      inside.filter(([start, end]) => start < end),
      paint,
    );
  });
  return parts.join('');
}

function placesOf(text: string, shown: string): readonly (readonly [start: number, end: number])[] {
  const places: [number, number][] = [];
  for (let start = shown.indexOf(text); start !== -1; start = shown.indexOf(text, start + text.length))
    places.push([start, start + text.length]);
  return places;
}

function marked(part: string, places: readonly (readonly [start: number, end: number])[], paint: Paint): string {
  let at = 0;
  const pieces = places.map(([start, end]) => {
    const piece = part.slice(at, start) + paint('inverse', part.slice(start, end));
    at = end;
    return piece;
  });
  return pieces.join('') + part.slice(at);
}
