import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { rgPath } from '@vscode/ripgrep';
import { median } from '../median.ts';
import { timeToolCalls } from './tool-calls.ts';

const clone = fileURLToPath(new URL('../../..', import.meta.url));
const runs = 25;
const always = ['--no-config', '--hidden', '--glob=!.git', '--line-number', '--fixed-strings'];
/** Something that a few files have. */
const text = 'realpathOfDeepest';

/** No two are the same: an agent that asks for one thing again and again is stopped. */
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

/** ripgrep alone, started from a Node process, what it prints collected. */
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
