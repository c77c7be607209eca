import { spawn } from 'node:child_process';
import { readdir } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';

/** Files that are offered at most. */
const mostFiles = 30_000;
/** How long a program may take to list them, in milliseconds. */
const listingTimeout = 5_000;
/** Folders a walk leaves out, since nobody means to name what is in them. */
const skipped = new Set(['.git', 'node_modules', '.venv', '__pycache__', 'target', 'dist']);

/** The programs that know what a project ignores, best first. */
const listings: readonly (readonly [string, ...string[]])[] = [
  ['git', 'ls-files', '--cached', '--others', '--exclude-standard', '-z'],
  ['rg', '--files', '--hidden', '--glob', '!.git', '--null'],
];

/** The files of a folder that its project does not ignore, with paths relative to it; where there is no git and no rg, all but a few. */
export async function listFiles(folder: string): Promise<readonly string[]> {
  for (const command of listings) {
    const files = await listedBy(command, folder);
    if (files) return files;
  }
  return walked(folder);
}

/** Undefined if the program is not there, or does not know the folder. */
function listedBy([program, ...words]: readonly [string, ...string[]], folder: string): Promise<string[] | undefined> {
  return new Promise((resolve) => {
    const child = spawn(program, words, { cwd: folder, stdio: ['ignore', 'pipe', 'ignore'] });
    const chunks: Buffer[] = [];
    const timer = setTimeout(() => child.kill('SIGKILL'), listingTimeout);
    child.on('error', () => resolve(undefined));
    child.stdout.on('data', (chunk: Buffer) => void chunks.push(chunk));
    child.on('close', (code) => {
      clearTimeout(timer);
      const names = Buffer.concat(chunks).toString('utf8').split('\0');
      resolve(code === 0 ? [...new Set(names.filter((name) => name !== ''))].slice(0, mostFiles) : undefined);
    });
  });
}

/** Breadth first, so that what is near is found even in a huge folder. */
async function walked(root: string): Promise<string[]> {
  const files: string[] = [];
  const folders = [root];
  for (let folder = folders.shift(); folder !== undefined && files.length < mostFiles; folder = folders.shift()) {
    const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
    for (const entry of entries) {
      const path = join(folder, entry.name);
      if (entry.isFile()) files.push(relative(root, path).split(sep).join('/'));
      else if (entry.isDirectory() && !skipped.has(entry.name)) folders.push(path);
    }
  }
  return files.slice(0, mostFiles);
}
