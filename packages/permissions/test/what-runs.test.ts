import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import { within } from '../../../tools/pace.ts';
import { type ComparedShell, compareLines } from './lines/compare-lines.ts';

/** Lines of all shells together: as many as take ten seconds. More of them, and those of a seed seen before, are asked for here. */
const count = Number(process.env['TURNWIRE_FUZZ_LINES'] ?? 1_000);
// The same lines each time, so that a change fails for what it did; a longer run looks for more.
const isUsual = process.env['TURNWIRE_FUZZ_LINES'] === undefined;
const seed = Number(process.env['TURNWIRE_FUZZ_SEED'] ?? (isUsual ? 424_242 : Date.now() % 1_000_000_000));

const shells: readonly ComparedShell[] = [
  { reads: 'bash', path: '/bin/bash' },
  { reads: 'posix', path: '/bin/sh' },
].filter((each): each is ComparedShell => existsSync(each.path));

test.each(shells)(
  'known and random lines in $path do nothing that the rules do not allow or did not see',
  async (shell) => {
    const { misses, ...figures } = await compareLines(shell, Math.ceil(count / shells.length), seed);
    process.stdout.write(`${JSON.stringify({ shell: shell.path, seed, ...figures, misses: misses.length })}\n`);
    expect(misses).toEqual([]);
  },
  within(20_000 + count * 25),
);
