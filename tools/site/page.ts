import { posix } from 'node:path';

/** A page of the site before it is drawn. */
export interface Page {
  /** Its file in the repository, from the root: what its links are relative to. Pages that are generated name a place that has no file. */
  readonly path: string;
  /** Its address, from the root of the site. */
  readonly url: string;
  /** What it says, in Markdown. */
  readonly text: string;
  /** The part of the navigation it is listed in. Absent: it is reached by links only. */
  readonly group?: string;
}

/** The address of a file of the repository that is a page. */
export function urlOf(path: string): string {
  return path
    .toLowerCase()
    .replace(/^docs\//, '')
    .replace(/(^|\/)readme\.md$/, '$1index.md')
    .replace(/\.md$/, '.html');
}

/** How one page of the site names another one, or a file beside the pages. */
export function relativeUrl(from: string, to: string): string {
  return posix.relative(posix.dirname(from), to);
}
