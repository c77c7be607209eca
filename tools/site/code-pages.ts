import { readFileSync, readdirSync, statSync } from 'node:fs';
import { extname, join, posix } from 'node:path';
import { root } from '../run.mjs';
import type { Page } from './page.ts';

/** Files of the repository that pages link to and that are no pages themselves are shown as code, folders as lists. */
export function codePage(path: string): Page {
  const isFolder = statSync(join(root, path)).isDirectory();
  const url = isFolder ? `code/${path}/index.html` : `code/${path}.html`;
  return { path, url, text: `# ${path}\n\n${isFolder ? folderList(path) : fileText(path)}` };
}

function folderList(path: string): string {
  const entries = readdirSync(join(root, path), { withFileTypes: true })
    .filter(({ name }) => !/^(node_modules|dist|.+\.tsbuildinfo)$/.test(name))
    .toSorted((one, other) => Number(one.isFile()) - Number(other.isFile()) || (one.name < other.name ? -1 : 1));
  return entries
    .map((entry) => `- [${entry.name}${entry.isFile() ? '' : '/'}](${baseName(path)}/${entry.name})`)
    .join('\n');
}

/** Links are relative to the file or folder's own place, whose last part they repeat. */
const baseName = (path: string): string => posix.basename(path);

function fileText(path: string): string {
  const fence = '`````';
  return `${fence}${languages[extname(path)] ?? ''}\n${readFileSync(join(root, path), 'utf8').trimEnd()}\n${fence}`;
}

const languages: Readonly<Record<string, string>> = {
  '.ts': 'ts',
  '.tsx': 'ts',
  '.mjs': 'js',
  '.js': 'js',
  '.json': 'json',
  '.yml': 'yaml',
  '.yaml': 'yaml',
  '.sh': 'sh',
};
