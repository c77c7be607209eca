import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../run.mjs';

/** A fenced block of a page that `tools/sync-snippets.mjs` does not write. */
export interface DocumentedBlock {
  /** The path of the page, from the root of the repository. */
  readonly page: string;
  /** The number of its first line, from 1. */
  readonly line: number;
  /** The word after the fence; empty for blocks that cannot run, such as output. */
  readonly language: string;
  readonly text: string;
}

/** A command of a shell block. */
export interface DocumentedCommand {
  readonly page: string;
  readonly line: number;
  /** The text without a comment at its end; lines that a backslash joins are one line. */
  readonly text: string;
}

const fenced = /^(<!-- snippet: .* -->\n)?```([^\n]*)\n([^]*?)^```$/gm;
const shells = ['sh', 'bash', 'console'];

/** The README and the guides. */
export const documentedPages: readonly string[] = [
  'README.md',
  ...readdirSync(join(root, 'docs/guide'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/guide/${name.replaceAll('\\', '/')}`)
    .toSorted(),
];

/** All blocks, in the order of the pages. */
export const documentedBlocks: readonly DocumentedBlock[] = documentedPages.flatMap((page) => {
  const content = readFileSync(join(root, page), 'utf8');
  return [...content.matchAll(fenced)]
    .filter(([, snippet]) => snippet === undefined)
    .map(({ 2: language = '', 3: text = '', index }) => ({
      page,
      line: content.slice(0, index).split('\n').length + 1,
      language,
      text,
    }));
});

/** The commands of all shell blocks, in the order in which a reader of their page runs them. */
export const documentedCommands: readonly DocumentedCommand[] = documentedBlocks
  .filter(({ language }) => shells.includes(language))
  .flatMap(commandsOf);

/** The only block of a page in a language. */
export function onlyBlock(page: string, language: string): DocumentedBlock {
  const [only, ...others] = documentedBlocks.filter((block) => block.page === page && block.language === language);
  if (only === undefined || others.length > 0) throw new Error(`${page} has no block, or several, of ${language}`);
  return only;
}

function commandsOf({ page, line, text }: DocumentedBlock): readonly DocumentedCommand[] {
  const commands: DocumentedCommand[] = [];
  let begun = '';
  for (const [at, part] of text.split('\n').entries()) {
    begun += withoutComment(part);
    if (begun.endsWith('\\')) begun = begun.slice(0, -1);
    else {
      if (begun !== '') commands.push({ page, line: line + at, text: begun.replaceAll(/(?<=\s)\s+/g, '') });
      begun = '';
    }
  }
  return commands;
}

/** `#` starts a comment at the start of a word. No argument of our commands starts with it. */
function withoutComment(line: string): string {
  return line.replace(/(?:^|\s+)#\s.*$/, '').trimEnd();
}
