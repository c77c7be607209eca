import type { ChangedFile, ChosenChange, Hunk } from '@turnwire/machine/folder-record';
import { exitCodes } from '../../exit-codes.ts';
import { CommandError } from '../../failure.ts';

/**
 * Finds the changes that words name: `FILE`, `FILE:2` for its second hunk, or the id of a hunk. Throws CommandError for a word that names none.
 */
export function chosenChanges(files: readonly ChangedFile[], words: readonly string[]): readonly ChosenChange[] {
  const chosen = new Map<ChangedFile, Set<Hunk> | undefined>();
  for (const word of words) {
    const { file, hunks } = named(files, word);
    if (!hunks) chosen.set(file, undefined);
    else if (!chosen.has(file) || chosen.get(file)) chosen.set(file, new Set([...(chosen.get(file) ?? []), ...hunks]));
  }
  return Array.from(chosen, ([file, hunks]) => ({ file, ...(hunks && { hunks }) }));
}

function named(files: readonly ChangedFile[], word: string): ChosenChange {
  const whole = files.find(({ path }) => path === word.replace(/^\.\//, ''));
  if (whole) return { file: whole };
  const [, path, number] = /^(?:\.\/)?(.+):(\d+)$/.exec(word) ?? [];
  for (const file of files) {
    const hunk = file.path === path ? file.hunks[Number(number) - 1] : file.hunks.find(({ id }) => id === word);
    if (hunk) return { file, hunks: new Set([hunk]) };
  }
  const known = files.find((file) => file.path === path);
  const why = known
    ? `${known.path} has ${known.hunks.length} ${known.hunks.length === 1 ? 'hunk' : 'hunks'}`
    : 'no change has this name; turnwire review lists them';
  throw new CommandError(`${word}: ${why}`, exitCodes.usage);
}
