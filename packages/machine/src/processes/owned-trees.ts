import { Watchdog } from './watchdog.ts';
import type { ProcessTree } from './process-tree.ts';

/** Rounds at the exit: processes started during a round are found by the next one, or by the watchdog. */
const rounds = 3;

const trees = new Set<ProcessTree>();
let watchdog: Watchdog | undefined;
let isExitWatched = false;

/** Registers a tree that must not outlive this process, however it ends, until {@link disown}. */
export function own(tree: ProcessTree): void {
  if (!isExitWatched)
    process.on('exit', () => {
      let left = [...trees];
      for (let round = 0; round < rounds; round++) left = left.filter((each) => each.signal('SIGKILL'));
      if (left.length === 0) watchdog?.dismiss();
    });
  isExitWatched = true;
  trees.add(tree);
  // Deferred: work that waits for the tree, such as the first message to an agent, goes first.
  setImmediate(() => {
    // The watchdog stays when no tree is left: starting one for every short command would take longer than many of these commands.
    if (trees.size === 0) return;
    if (watchdog?.isGone !== false) watchdog = Watchdog.start();
    watchdog?.watch([...trees]);
  });
}

/** Unregisters a tree that has ended. The watchdog is not informed: it identifies leaders by their start times too. */
export function disown(tree: ProcessTree): void {
  trees.delete(tree);
}
