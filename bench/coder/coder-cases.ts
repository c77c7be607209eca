import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Case } from '../case.ts';
import { medianOfStarts, timeInitialize } from '../wire/start-cases.ts';
import { bareEdit, coderEdit } from './edit-case.ts';
import { bareSearch, coderSearch } from './search-case.ts';

/** The coder's start, edits and searches, compared with the minimum that each needs: the first contender. */
export const coderCases: readonly Case<string>[] = [
  timed('start', {
    node: timeNode,
    floor: () => timeInitialize('turnwire', [pathTo('../wire/agent-process.js'), 'floor']),
    coder: () => timeInitialize('turnwire', [pathTo('../../../apps/coder/dist/main.js')]),
    'turnwire coder': () => timeInitialize('turnwire', [pathTo('../../../apps/cli/bin/turnwire.js'), 'coder']),
  }),
  timed('edit-small', { files: () => bareEdit(2_000), coder: () => coderEdit(2_000) }),
  timed('edit-1m', { files: () => bareEdit(1_000_000), coder: () => coderEdit(1_000_000) }),
  timed('search', {
    ripgrep: () => bareSearch(),
    'ripgrep, in order': () => bareSearch('--sort=path'),
    coder: coderSearch,
  }),
];

/** @param contenders a function for each that measures its time, in milliseconds */
function timed(name: string, contenders: Readonly<Record<string, () => Promise<number>>>): Case<string> {
  return {
    name,
    unit: 'ms',
    higherIsBetter: false,
    contenders: Object.keys(contenders),
    measure: async ({ contender }) => ({ figures: { [name]: (await contenders[contender]?.()) ?? Number.NaN } }),
  };
}

/** The time from the start to the end of an empty Node process. */
function timeNode(): Promise<number> {
  return medianOfStarts(async () => {
    const start = performance.now();
    await once(spawn(process.execPath, ['-e', '0'], { stdio: 'ignore' }), 'exit');
    return performance.now() - start;
  });
}

function pathTo(path: string): string {
  return fileURLToPath(new URL(path, import.meta.url));
}
