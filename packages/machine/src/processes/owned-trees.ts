import { Watchdog } from './watchdog.ts';
import type { ProcessTree } from './process-tree.ts';

/** At the exit: what is being started while all is killed is found by the next round, or by the watchdog. */
const rounds = 3;

const trees = new Set<ProcessTree>();
let watchdog: Watchdog | undefined;

/** Takes note of a tree that must not outlive this process, however it ends, before {@link disown}. */
export function own(tree: ProcessTree): void {
  if (trees.size === 0) process.on('exit', killAll);
  trees.add(tree);
  // A moment later: what waits for the tree, such as the first message to an agent, goes first.
  setImmediate(tellWatchdog);
}

/** The tree has ended. */
export function disown(tree: ProcessTree): void {
  if (!trees.delete(tree)) return;
  if (trees.size === 0) process.off('exit', killAll);
  tellWatchdog();
}

function tellWatchdog(): void {
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
