import { heldByDescriptor, worksByDescriptor } from './held-by-descriptor.ts';
import { heldByPath } from './held-by-path.ts';
import type { Holding } from './holding.ts';

let best: Promise<Holding> | undefined;

/** The best way this machine has: by descriptor where `/proc` shows them, or else by path, looking twice. */
export function holdingHere(): Promise<Holding> {
  best ??= worksByDescriptor().then((works) => (works ? heldByDescriptor : heldByPath));
  return best;
}
