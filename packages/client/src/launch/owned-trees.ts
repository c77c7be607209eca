import { Guardian } from './guardian.ts';
import type { ProcessTree } from './process-tree.ts';

/** At the exit: what is being started while all is killed is found by the next round, or by the guardian. */
const rounds = 3;

const trees = new Set<ProcessTree>();
let guardian: Guardian | undefined;

/** Takes note of a tree that must not outlive this process, however it ends, before {@link disown}. */
export function own(tree: ProcessTree): void {
  if (trees.size === 0) process.on('exit', killAll);
  trees.add(tree);
  if (guardian?.isGone !== false) guardian = Guardian.start();
  guardian?.watch([...trees]);
}

/** The tree has ended. */
export function disown(tree: ProcessTree): void {
  if (!trees.delete(tree)) return;
  if (trees.size > 0) guardian?.watch([...trees]);
  else forgetAll();
}

function forgetAll(): void {
  process.off('exit', killAll);
  guardian?.dismiss();
  guardian = undefined;
}

function killAll(): void {
  let left = [...trees];
  for (let round = 0; round < rounds; round++) left = left.filter((tree) => tree.signal('SIGKILL'));
}
