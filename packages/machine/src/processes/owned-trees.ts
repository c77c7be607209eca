import { Watchdog } from './watchdog.ts';
import type { ProcessTree } from './process-tree.ts';

/** Rounds at the exit: processes started during a round are found by the next one, or by the watchdog. */
const rounds = 3;

const trees = new Set<ProcessTree>();
let watchdog: Watchdog | undefined;

/** Registers a tree that must not outlive this process, however it ends, until {@link disown}. */
export function own(tree: ProcessTree): void {
  if (trees.size === 0) process.on('exit', killAll);
  trees.add(tree);
  // Deferred: work that waits for the tree, such as the first message to an agent, goes first.
  setImmediate(updateWatchdog);
}

/** Unregisters a tree that has ended. */
export function disown(tree: ProcessTree): void {
  if (!trees.delete(tree)) return;
  if (trees.size === 0) process.off('exit', killAll);
  updateWatchdog();
}

function updateWatchdog(): void {
  if (trees.size === 0) {
    watchdog?.dismiss();
    watchdog = undefined;
    return;
  }
  if (watchdog?.isGone !== false) watchdog = Watchdog.start();
  watchdog?.watch([...trees]);
}

function killAll(): void {
  let left = [...trees];
  for (let round = 0; round < rounds; round++) left = left.filter((tree) => tree.signal('SIGKILL'));
}
