import { escaped } from './escaped.ts';
import type { Document } from './markdown.ts';
import { type Page, relativeUrl } from './page.ts';

/** What a page is drawn with. */
export interface Frame {
  /** The page's own content, as HTML. */
  readonly content: string;
  /** All pages of the navigation, in its order. */
  readonly pages: readonly (Page & Document)[];
}

/** A page of the site, whole. It can be read, and every page be reached, without a script. */
export function drawPage(page: Page & Document, { content, pages }: Frame): string {
  const title = titleOf(page);
  const to = (url: string): string => relativeUrl(page.url, url);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(page.url === 'index.html' ? title : `${title} · Turnwire`)}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${to('assets/site.css')}">
<script src="${to('assets/site.js')}" data-root="${to('.') || '.'}" defer></script>
</head>
<body>
<a class="skip" href="#content">Skip to the content</a>
<header>
<a class="home" href="${to('index.html')}">Turnwire</a>
<button type="button" class="menu" aria-expanded="false" aria-controls="pages" hidden>Menu</button>
<form class="search" role="search" hidden>
<label><span class="unseen">Search the documentation</span>
<input type="search" placeholder="Search" autocomplete="off" aria-controls="found"></label>
</form>
</header>
<section id="found" class="found" aria-label="Search results" hidden></section>
<div class="columns">
<nav id="pages" aria-label="Pages">
${navigation(page, pages)}
</nav>
<main id="content" tabindex="-1">
${content}</main>
${contents(page)}
</div>
</body>
</html>
`;
}

function titleOf({ headings }: Document): string {
  return headings[0]?.text ?? '';
}

function navigation(page: Page, pages: readonly (Page & Document)[]): string {
  const groups = [...new Set(pages.map(({ group = '' }) => group))];
  return groups
    .map((group) => navigationGroup(page, { group, pages: pages.filter((each) => each.group === group) }))
    .join('\n');
}

function navigationGroup(page: Page, { group, pages }: Pick<Frame, 'pages'> & { readonly group: string }): string {
  const links = pages.map((each) => {
    const here = each.path === page.path ? ' aria-current="page"' : '';
    return `<li><a href="${relativeUrl(page.url, each.url)}"${here}>${escaped(each.url === 'index.html' ? 'Overview' : titleOf(each))}</a></li>`;
  });
  const isOpen = group === page.group || group === 'Start' || group === 'Use' || group === 'Build';
  return `<details${isOpen ? ' open' : ''}><summary>${escaped(group)}</summary><ul>\n${links.join('\n')}\n</ul></details>`;
}

function contents({ headings }: Document): string {
  const inner = headings.filter(({ depth }) => depth === 2 || depth === 3);
  if (inner.length < 2) return '';
  const links = inner.map(
    ({ depth, text, anchor }) => `<li class="depth-${depth}"><a href="#${anchor}">${escaped(text)}</a></li>`,
  );
  return `<nav class="contents" aria-label="On this page"><p>On this page</p><ul>\n${links.join('\n')}\n</ul></nav>`;
}
