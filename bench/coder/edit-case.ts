import { mkdtemp, open, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { median } from '../median.ts';
import { timeToolCalls } from './tool-calls.ts';

const edits = 25;

/** Edits one line of a file of `size` bytes at a time with the tool `edit`. */
export async function coderEdit(size: number): Promise<number> {
  return inFolder(size, async (folder) => {
    const calls = Array.from({ length: edits }, (_, index) => ({
      tool: 'edit',
      input: { path: 'file.txt', oldText: lineAt(size, index), newText: `${lineAt(size, index)} edited` },
    }));
    return timeToolCalls(folder, [{ tool: 'read', input: { path: 'file.txt', limit: 1 } }, ...calls]);
  });
}

/** The same edits without an agent: read, replace, write a second file, flush, rename. */
export async function bareEdit(size: number): Promise<number> {
  return inFolder(size, async (folder) => {
    const path = join(folder, 'file.txt');
    const times: number[] = [];
    for (let index = 0; index < edits; index++) {
      const start = performance.now();
      const text = await readFile(path, 'utf8');
      await replace(path, text.replace(lineAt(size, index), `${lineAt(size, index)} edited`));
      times.push(performance.now() - start);
    }
    return median(times.slice(5));
  });
}

async function replace(path: string, text: string): Promise<void> {
  const file = await open(`${path}.tmp`, 'wx');
  await file.writeFile(text);
  await file.sync();
  await file.close();
  await rename(`${path}.tmp`, path);
}

async function inFolder(size: number, work: (folder: string) => Promise<number>): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), 'bench-edit-'));
  try {
    const lines = Array.from({ length: linesOf(size) }, (_, index) => `line ${index} of this file`);
    await writeFile(join(folder, 'file.txt'), `${lines.join('\n')}\n`);
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function linesOf(size: number): number {
  return Math.ceil(size / 24);
}

/** A line that occurs once in the file, a different one for each index. */
function lineAt(size: number, index: number): string {
  return `line ${Math.floor((index * linesOf(size)) / edits)} of`;
}
