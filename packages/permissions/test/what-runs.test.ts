import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import { within } from '../../../tools/pace.ts';
import { hasManyRuns, randomRuns } from '../../../tools/random-runs.ts';
import { type ComparedShell, compareLines } from './lines/compare-lines.ts';

/** The number of lines for all shells together, including the known ones. */
const count = randomRuns({ usual: 800, whole: 10_000 });
// The same lines in each normal run, so that a failure points to the change; a long run varies them.
const seed = Number(process.env['TURNWIRE_FUZZ_SEED'] ?? (hasManyRuns ? Date.now() % 1_000_000_000 : 424_242));

const shells: readonly ComparedShell[] = [
  { reads: 'bash', path: '/bin/bash' },
  { reads: 'posix', path: '/bin/sh' },
].filter((each): each is ComparedShell => existsSync(each.path));

test.each(shells)(
  'known and random lines in $path do nothing that the rules do not allow or did not detect',
  async (shell) => {
    const { misses, ...figures } = await compareLines(shell, Math.ceil(count / shells.length), seed);
    process.stdout.write(`${JSON.stringify({ shell: shell.path, seed, ...figures, misses: misses.length })}\n`);
    expect(misses).toEqual([]);
  },
  within(20_000 + count * 25),
);
