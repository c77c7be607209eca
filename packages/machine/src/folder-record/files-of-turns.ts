import { changedEntries, type ChangedEntry, type TreeEntry } from './changed-files.ts';
import type { Git } from './git.ts';
import type { RecordedTurn } from './recorded-turns.ts';

/** A tree without files, which git knows in every repository. */
export const emptyTree = '4b825dc642cb6eb9a060e54bf8d69288fbee4904';

/**
 * The entries that a tree has for the files that turns changed and that were not undone. Undefined: there is no such file.
 * @param isAccepted the tree is the one that was accepted last: files of which nothing was accepted are left out
 */
export async function filesOfTurns(
  git: Git,
  turns: readonly RecordedTurn[],
  { tree, isAccepted }: { readonly tree: string; readonly isAccepted: boolean },
): Promise<ReadonlyMap<string, TreeEntry | undefined>> {
  const found = new Map<string, TreeEntry | undefined>();
  const entries = new Map((await entriesBetween(git, emptyTree, tree)).map(({ path, after }) => [path, after]));
  const last = new Map<string, TreeEntry | undefined>();
  for (const { before, after, isUndone } of turns) {
    if (after === undefined || isUndone) continue;
    for (const changed of await entriesBetween(git, before, after)) {
      const { path } = changed;
      const entry = entries.get(path);
      // With the state before a turn, nothing of the turn was accepted.
      if (!isAccepted || !isSame(entry, changed.before)) found.set(path, entry);
      // The user has changed it since the previous turn.
      else if (!isSame(entry, last.get(path))) found.delete(path);
      last.set(path, changed.after);
    }
  }
  return found;
}

function isSame(one: TreeEntry | undefined, other: TreeEntry | undefined): boolean {
  return one?.id === other?.id && one?.mode === other?.mode;
}

async function entriesBetween(git: Git, before: string, after: string): Promise<readonly ChangedEntry[]> {
  return changedEntries(await git.text(['diff-tree', '-r', '-z', '--raw', '--no-renames', before, after]));
}
