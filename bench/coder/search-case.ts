import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { rgPath } from '@vscode/ripgrep';
import { median } from '../median.ts';
import { timeToolCalls } from './tool-calls.ts';

const clone = fileURLToPath(new URL('../../..', import.meta.url));
const runs = 25;
const always = ['--no-config', '--hidden', '--glob=!.git', '--line-number', '--fixed-strings'];
/** A text that occurs in few files. */
const text = 'realpathOfDeepest';

/** All searches differ, because the coder stops a model that repeats a call. */
const searches = Array.from({ length: runs }, (_, index) => ({
  text: text.slice(0, text.length - (index % 5)),
  context: Math.floor(index / 5),
}));

/** The tool `search` in this repository. */
export async function coderSearch(): Promise<number> {
  return timeToolCalls(
    clone,
    searches.map((input) => ({ tool: 'search', input })),
  );
}

/** ripgrep without an agent: a Node process starts it and collects its output. */
export async function bareSearch(...options: readonly string[]): Promise<number> {
  const times: number[] = [];
  for (const search of searches) {
    const start = performance.now();
    const args = [...always, ...options, `--context=${search.context}`, search.text, '.'];
    await promisify(execFile)(rgPath, args, { cwd: clone });
    times.push(performance.now() - start);
  }
  return median(times.slice(5));
}
