import type { Page } from '../../terminal/page.ts';
import { markdownLines } from './markdown-lines.ts';

/** Emphasis, code or a link that may still be closed, and a row that may become a table. */
const open = /(?:^|[\s([{"'])(?:[*_]{1,3}|~~)(?=\S)|`|\[[^\]]*$|\]\([^)]*$|\|/;

/** A word that begins a list, a heading or another block if a paragraph is cut before it. */
const blockStart = /^(?:[-+*_](?:[-+*_\s]|$)|#{1,6}(?:\s|$)|[>|<=]|```|~~~|\d{1,9}(?:[.)]|$))/;

/** So many lines wait for the end of what {@link open} finds. */
const mostWaiting = 8;

/** Where the first full lines of a growing paragraph end, none of which changes with what follows: an index, or 0. */
export function fullLinesEnd(text: string, page: Page): number {
  const all = markdownLines(text, page);
  if (all.length < 2) return 0;
  for (const { index, 0: blank } of text.slice(0, page.width * 2 * mostWaiting).matchAll(/\s+/g)) {
    const end = index + blank.length;
    const head = markdownLines(text.slice(0, index), page);
    if (end === text.length || head.some((line, place) => line !== all[place])) continue;
    if (blockStart.test(text.slice(end)) || (all.length <= mostWaiting && open.test(head.join('\n')))) continue;
    const lines = [...head, ...markdownLines(text.slice(end), page)];
    if (lines.length === all.length && lines.every((line, place) => line === all[place])) return end;
  }
  return 0;
}
