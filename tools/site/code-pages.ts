import { existsSync, readFileSync, readdirSync, statSync } from 'node:fs';
import { extname, join, posix } from 'node:path';
import { root } from '../run.mjs';

/** The path of the generated page that shows a linked file or folder of the repository. */
export function codePagePath(path: string): string {
  return isFolder(path) ? `docs/code/${path}/index.md` : `docs/code/${path}.md`;
}

/** The text of such a page: a file as code, a folder as a list. */
export function codePage(path: string): string {
  return `# ${path}\n\n${isFolder(path) ? folderList(path) : fileText(path)}\n`;
}

/** The entries of a folder, without installed and built files. */
export function entriesOf(folder: string): readonly string[] {
  return readdirSync(join(root, folder))
    .filter((name) => !/^(node_modules|dist|.+\.tsbuildinfo)$/.test(name))
    .map((name) => `${folder}/${name}`);
}

export function isFolder(path: string): boolean {
  return existsSync(join(root, path)) && statSync(join(root, path)).isDirectory();
}

function folderList(folder: string): string {
  const entries = entriesOf(folder).toSorted((one, other) => Number(isFolder(other)) - Number(isFolder(one)));
  const page = codePagePath(folder);
  return entries
    .map((path) => {
      const name = `${posix.basename(path)}${isFolder(path) ? '/' : ''}`;
      return `- [${name}](${posix.relative(posix.dirname(page), path)})`;
    })
    .join('\n');
}

function fileText(path: string): string {
  const fence = '`````';
  return `${fence}${languages[extname(path)] ?? ''}\n${readFileSync(join(root, path), 'utf8').trimEnd()}\n${fence}`;
}

const languages: Readonly<Record<string, string>> = {
  '.ts': 'ts',
  '.tsx': 'tsx',
  '.mjs': 'js',
  '.js': 'js',
  '.json': 'json',
  '.yml': 'yaml',
  '.yaml': 'yaml',
  '.sh': 'sh',
};
