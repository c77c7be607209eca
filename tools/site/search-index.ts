import type { Document } from './markdown.ts';
import type { Page } from './page.ts';

/**
 * What is searched, as a script: one entry for each section of a page. A script, and no data, so that the site can be searched when it is
 * opened from a disk, where pages may not read files.
 */
export function searchIndex(pages: readonly (Page & Document)[]): string {
  const entries = pages.flatMap(({ url, group, headings, sections }) =>
    sections.map(({ heading, text }) => [
      heading.depth === 1 ? url : `${url}#${heading.anchor}`,
      heading.text,
      heading.depth === 1 ? group : headings[0]?.text,
      // What an export does is said in its first sentences; all of its members would be as much again as all other pages.
      group === 'API' ? text.slice(0, 200) : text,
    ]),
  );
  return `globalThis.searchIndex = ${JSON.stringify(entries)};\n`;
}
