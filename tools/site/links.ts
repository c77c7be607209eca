import { posix } from 'node:path';
import { codePagePath } from './code-pages.ts';
import { addressOf, pageGroups } from './pages.ts';

const pages = new Set(pageGroups().flatMap(({ paths }) => paths));

/** Whether a file of the repository is a page of the site; generated files are, also before they are written. */
export function isPage(path: string): boolean {
  return pages.has(path) || /^docs\/(api|protocol)\//.test(path);
}

/**
 * The file or folder of the repository that a link leads to. A folder with a README stands for that. Undefined for an address, and for a
 * section of the page itself.
 * @param page - the page with the link, from the root of the repository
 */
export function linkedPath(page: string, href: string): string | undefined {
  if (/^([a-z]+:|#|\/)/.test(href)) return undefined;
  const [path = ''] = href.split('#', 1);
  const place = posix.join(posix.dirname(page), decodeURI(path)).replace(/\/$/, '');
  return pages.has(`${place}/README.md`) ? `${place}/README.md` : place;
}

/** The address on the site that a link of a page leads to. The address for a missing file leads nowhere, which `deadLinksIn` reports. */
export function linkAddress(page: string, href: string): string {
  const path = linkedPath(page, href);
  if (path === undefined) return href;
  const anchor = /#.*/.exec(href)?.[0] ?? '';
  return `${addressOf(isPage(path) ? path : codePagePath(path))}${anchor}`;
}
