// node tools/record-quotes.mjs DOCS: compares the quotes in the requirements of the conformance kit with the official documentation, and
// records their digests in conformance/test/quoted-pages.json, which the tests compare with the quotes. Needs a build. DOCS is the folder
// `docs` of agentclientprotocol/agent-client-protocol, checked out at the commit that `sourceCommit` of the kit names.
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { requirements, sourceCommit, sourcePage } from '@turnwire/conformance';
import { root } from './run.mjs';

const [docs] = process.argv.slice(2);
if (docs === undefined) throw new Error('Name the folder `docs` of the repository of the protocol.');

const site = 'https://agentclientprotocol.com/';
const quoting = requirements.filter(({ quote }) => quote !== undefined && !quote.source.endsWith('schema'));
const pages = {};
const missing = [];
for (const source of [...new Set(quoting.map(({ quote }) => quote.source))].toSorted()) {
  const path = `${(sourcePage(source) ?? '').replace(site, '')}.mdx`;
  const text = readFileSync(join(docs, path), 'utf8');
  const quotes = {};
  for (const { id, quote } of quoting.filter((each) => each.quote.source === source)) {
    const headings = headingsOver(quote.text, text);
    if (headings.includes(quote.anchor ?? '')) quotes[id] = digest(`${quote.anchor ?? ''}\n${quote.text}`);
    else
      missing.push(
        `${id}: ${path} has this sentence ${headings.map((each) => `under #${each}`).join(', ') || 'nowhere'}`,
      );
  }
  pages[source] = { path, sha256: createHash('sha256').update(text).digest('hex'), quotes };
}
for (const line of missing) console.error(line);
if (missing.length > 0) process.exitCode = 1;
else
  writeFileSync(
    join(root, 'conformance/test/quoted-pages.json'),
    `${JSON.stringify({ repository: 'agentclientprotocol/agent-client-protocol', commit: sourceCommit, pages }, undefined, 2)}\n`,
  );

/** The anchors of the headings under which a page has a sentence; '' stands for the text before the first heading. */
function headingsOver(sentence, text) {
  const [head, ...rest] = text.split(/^#{1,6} +(.+)$/m);
  const found = plain(head).includes(sentence) ? [''] : [];
  for (let index = 0; index < rest.length; index += 2)
    if (plain(rest[index + 1]).includes(sentence)) found.push(anchorOf(rest[index]));
  return found;
}

function anchorOf(heading) {
  return plain(heading)
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(/\s+/g, '-');
}

/** A text without markup, and with its white space as single spaces. */
function plain(text) {
  return text
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(/[*`\\]|<\/?[A-Za-z][^>]*>/g, '')
    .replaceAll(/\s+/g, ' ');
}

function digest(text) {
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}
