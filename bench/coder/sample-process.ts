// node sample-process.js CASE CONTENDER: takes one sample in this process and prints it in milliseconds.
import { bareEdit, coderEdit } from './edit-case.ts';
import { bareSearch, coderSearch } from './search-case.ts';
import { timeInitialize, timeNode } from './start-case.ts';
import type { CoderContender, CoderCase } from './coder-bench.ts';

const samples: Readonly<Record<CoderCase, Partial<Readonly<Record<CoderContender, () => Promise<number>>>>>> = {
  start: {
    node: timeNode,
    floor: () => timeInitialize('floor'),
    coder: () => timeInitialize('coder'),
    'turnwire coder': () => timeInitialize('turnwire coder'),
  },
  'edit-small': { files: () => bareEdit(2_000), coder: () => coderEdit(2_000) },
  'edit-1m': { files: () => bareEdit(1_000_000), coder: () => coderEdit(1_000_000) },
  search: { ripgrep: () => bareSearch(), 'ripgrep, in order': () => bareSearch('--sort=path'), coder: coderSearch },
};

const [name, contender] = process.argv.slice(2) as [CoderCase, CoderContender];
const milliseconds = await samples[name][contender]?.();
process.stdout.write(`${JSON.stringify(milliseconds)}\n`, () => process.exit());
