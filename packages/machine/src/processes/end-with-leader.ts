import type { ChildProcess } from 'node:child_process';
import { disown } from './owned-trees.ts';
import { systemTable } from './process-table.ts';
import type { ProcessTree } from './process-tree.ts';
import type { Started } from './start-tree.ts';

/** Milliseconds from the end of a leader until daemons are searched for. Reading all processes takes longer than many commands do. */
const searchDelay = 200;

/** Trees whose leaders have ended since the last search. */
const ended = new Set<ProcessTree>();

/** Kills the rest of a tree when its leader ends: its group at once, and processes that left the group soon after. Then disowns it. */
export function endWithLeader({ child, tree }: Started<ChildProcess>): void {
  child.once('exit', () => {
    tree.killGroup();
    // If this process ends before the search, it kills all owned trees.
    if (ended.size === 0) setTimeout(() => void endRest(), searchDelay).unref();
    ended.add(tree);
  });
}

async function endRest(): Promise<void> {
  const trees = [...ended];
  ended.clear();
  const rows = systemTable()?.rows();
  for (const tree of trees) {
    if (tree.readMembers(rows).length > 0) await tree.end({ terminate: 0, kill: 500 });
    disown(tree);
  }
}
