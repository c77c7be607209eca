import { pause } from '@turnwire/machine/waits';

/** The pause between attempts to reach a node, and the interval of checks whether it still exists, in milliseconds. */
const retryAfter = 500;
const checkInterval = 50;

/** A node that cannot be reached. */
export interface UnreachableNode {
  readonly number: string;
  /** Whether the node still exists. */
  readonly isThere: () => boolean;
  /** Tries to reach it; true ends the attempts. */
  readonly isOver: () => Promise<boolean>;
}

/** Nodes that could not be reached. Thousands of clients may wait for one: one client retries, and the others wait for the result. */
export class UnreachableNodes {
  readonly #retries = new Map<string, Promise<void>>();

  /** Resolves when a node can be reached again, or no longer exists; undefined if no attempt is under way. */
  until(number: string): Promise<void> | undefined {
    return this.#retries.get(number);
  }

  /** Retries a node that could not be reached, unless another client already does. Resolves like {@link until}. */
  async retry(node: UnreachableNode): Promise<void> {
    const known = this.#retries.get(node.number);
    if (known) return known;
    const attempt = retryUntilOver(node).finally(() => this.#retries.delete(node.number));
    this.#retries.set(node.number, attempt);
    return attempt;
  }
}

async function retryUntilOver({ isThere, isOver }: UnreachableNode): Promise<void> {
  do {
    const again = performance.now() + retryAfter;
    do await pause(checkInterval);
    while (performance.now() < again && isThere());
  } while (isThere() && !(await isOver()));
}
