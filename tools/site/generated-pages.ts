import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { root } from '../run.mjs';
import { codePage, codePagePath, entriesOf, isFolder } from './code-pages.ts';
import { linkedPath, isPage } from './links.ts';
import { pageGroups, titleOf } from './pages.ts';
import { protocolPages } from './protocol-pages.ts';

/**
 * Writes the generated pages: the reference of the protocol, the list of the API pages that typedoc wrote, and a page for each linked file
 * of the repository.
 */
export function generatePages(): void {
  for (const folder of ['docs/protocol', 'docs/code']) rmSync(join(root, folder), { recursive: true, force: true });
  for (const [name, text] of protocolPages()) write(`docs/protocol/${name}.md`, text);
  const { paths: apiPages = [] } = pageGroups().find(({ title }) => title === 'API') ?? {};
  if (apiPages.length > 0) write('docs/api/index.md', apiIndex(apiPages.map(titleOf)));
  for (const path of linkedCode()) write(codePagePath(path), codePage(path));
}

/**
 * The list of the API pages: `reference.md`, in which each import path is a link to its page.
 * @param titles - the titles of the pages that typedoc wrote
 */
export function apiIndex(titles: readonly string[]): string {
  const reference = readFileSync(new URL('reference.md', import.meta.url), 'utf8');
  const described = Array.from(reference.matchAll(/^\| `(@[^`]+)`/gm), ([, path = '']) => path);
  const missing = titles.filter((title) => title.startsWith('@') && !described.includes(title));
  if (missing.length > 0) throw new Error(`tools/site/reference.md does not describe ${missing.join(', ')}`);
  return reference.replaceAll(
    /(?<=^\| )`@turnwire\/([^`]+)`/gm,
    (quoted, path: string) => `[${quoted}](${path.replaceAll('/', '.')}.md)`,
  );
}

/** The files and folders that pages link to and that are not pages themselves, with the entries of these folders. */
function linkedCode(): ReadonlySet<string> {
  const found = new Set<string>();
  const add = (path: string): void => {
    if (found.has(path) || isPage(path)) return;
    found.add(path);
    if (isFolder(path)) entriesOf(path).forEach(add);
  };
  for (const page of pageGroups().flatMap(({ paths }) => paths)) {
    for (const [, href = ''] of readFileSync(join(root, page), 'utf8').matchAll(/[^!]\[[^\]]*\]\(([^)\s]+)\)/g)) {
      const path = linkedPath(page, href);
      if (path !== undefined && !path.startsWith('..') && existsSync(join(root, path))) add(path);
    }
  }
  return found;
}

function write(path: string, text: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
}
