import { heldByDescriptor, worksByDescriptor } from './held-by-descriptor.ts';
import { heldByPath } from './held-by-path.ts';
import type { Holding } from './holding.ts';

let best: Promise<Holding> | undefined;

/** The best method of this machine: by descriptor if `/proc` shows them, otherwise by path with a second check. */
export function holdingHere(): Promise<Holding> {
  best ??= worksByDescriptor().then((works) => (works ? heldByDescriptor : heldByPath));
  return best;
}
