import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join, posix } from 'node:path';

interface WrittenPage {
  readonly text: string;
  readonly anchors: ReadonlySet<string>;
}

/**
 * The links and pictures of a written site that lead to no file, or to no section of its page, each with the page it is in. VitePress looks
 * at links to pages only.
 * @param base - where the site is served, as `/` or `/docs/`
 */
export function deadLinksIn(folder: string, base: string): readonly string[] {
  const pages = new Map<string, WrittenPage>();
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    if (!name.endsWith('.html')) continue;
    const text = readFileSync(join(folder, name), 'utf8');
    pages.set(name, { text, anchors: new Set(matches(text, / id="([^"]*)"/g)) });
  }
  const isDead = (name: string, href: string): boolean => {
    const [path = '', anchor = ''] = href.split('#', 2);
    const place = path === '' ? name : placeOf(path, { name, base });
    const page = pages.get(place);
    if (page === undefined) return !existsSync(join(folder, place));
    return anchor !== '' && !page.anchors.has(decodeURIComponent(anchor));
  };
  return [...pages].flatMap(([name, { text }]) =>
    [...new Set(matches(text, / (?:href|src)="([^":]*)"/g))]
      .filter((href) => isDead(name, href.replaceAll('&amp;', '&')))
      .map((href) => `${name}: the link ${href} leads nowhere`),
  );
}

function matches(text: string, pattern: RegExp): readonly string[] {
  return Array.from(text.matchAll(pattern), ([, found = '']) => found);
}

/** The file of the site for the path of a link. A path outside of the base has none. */
function placeOf(path: string, { name, base }: { readonly name: string; readonly base: string }): string {
  if (path.startsWith('/') && !path.startsWith(base)) return `outside of ${base}`;
  const place = path.startsWith('/') ? path.slice(base.length) : posix.join(posix.dirname(name), path);
  return place === '' || place.endsWith('/') ? `${place}index.html` : place;
}
