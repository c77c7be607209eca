import { existsSync } from 'node:fs';
import { join, posix } from 'node:path';
import { root } from '../run.mjs';
import { codePage } from './code-pages.ts';
import { drawPage } from './layout.ts';
import { type Document, drawDocument, readDocument } from './markdown.ts';
import { type Page, relativeUrl, urlOf } from './page.ts';
import { searchIndex } from './search-index.ts';

/** A site as it is written to a folder. */
export interface Site {
  /** Its files with their text, by their address. */
  readonly files: ReadonlyMap<string, string>;
  /** Its pictures: address, and file in the repository. */
  readonly pictures: ReadonlyMap<string, string>;
  /** What is wrong in its pages, each with the page it is in: links that lead nowhere, most of all. */
  readonly problems: readonly string[];
}

interface ReadPage extends Page, Document {}

/** Where a link of a page leads to: a page of ours and a place in it, or an address elsewhere. */
type Target = { readonly page: ReadPage; readonly anchor: string } | { readonly elsewhere: string } | undefined;

/** Draws the pages. What they link to in the repository becomes a page too. */
export function drawSite(pages: readonly Page[]): Site {
  const problems = new Set<string>();
  const pictures = new Map<string, string>();
  const known = new Map<string, ReadPage>();
  const addPage = (page: Page): ReadPage => {
    const read = { ...page, ...readDocument(page.text) };
    known.set(page.path, read);
    return read;
  };
  for (const page of pages) addPage(page);

  const targetOf = (page: Page, href: string): Target => {
    if (href.startsWith('https:')) return { elsewhere: href };
    const [path = '', anchor = ''] = href.split('#', 2);
    const place =
      path === ''
        ? page.path
        : posix.normalize(posix.join(posix.dirname(page.path), decodeURI(path))).replace(/\/$/, '');
    const target =
      known.get(`${place}/README.md`) ?? known.get(place) ?? (isFile(place) ? addPage(pageOf(place)) : undefined);
    if (target === undefined) return undefined;
    if (anchor !== '' && !target.headings.some((heading) => heading.anchor === anchor)) return undefined;
    return { page: target, anchor };
  };
  const draw = (page: ReadPage): string =>
    drawDocument(page, {
      link: (href) => {
        const target = targetOf(page, href);
        if (target === undefined) problems.add(`${page.path}: the link ${href} leads nowhere`);
        if (target === undefined || 'elsewhere' in target) return href;
        const anchor = target.anchor === '' ? '' : `#${target.anchor}`;
        return target.page === page && anchor !== '' ? anchor : `${relativeUrl(page.url, target.page.url)}${anchor}`;
      },
      picture: (href) => {
        const place = posix.join(posix.dirname(page.path), href);
        if (!isFile(place)) problems.add(`${page.path}: there is no picture ${href}`);
        const url = place.replace(/^docs\//, '');
        pictures.set(url, place);
        return relativeUrl(page.url, url);
      },
    });

  const files = new Map<string, string>();
  // Drawing a page may add pages, which are drawn in their turn: a map is read in the order of its entries, new ones included.
  for (const page of known.values()) {
    const [first] = page.headings;
    if (first?.depth !== 1) problems.add(`${page.path}: it does not begin with a title`);
    if (files.has(page.url)) problems.add(`${page.path}: another page has its address, ${page.url}`);
    files.set(
      page.url,
      drawPage(page, { content: draw(page), pages: [...known.values()].filter(({ group }) => group) }),
    );
  }
  files.set('assets/search-index.js', searchIndex([...known.values()].filter(({ group }) => group)));
  return { files, pictures, problems: [...problems] };
}

const isFile = (place: string): boolean => !place.startsWith('..') && existsSync(join(root, place));

function pageOf(place: string): Page {
  return place.endsWith('.md') ? { ...codePage(place), url: urlOf(place) } : codePage(place);
}
