import { pause } from '@turnwire/machine/waits';

/** How long to wait before a node is tried again that could not be reached, and how often to look whether it is one still, in milliseconds. */
const retryAfter = 2_000;
const lookEvery = 50;

/** How a node is tried. */
export interface AwayNode {
  readonly number: string;
  /** Whether it is a node still. */
  readonly isThere: () => boolean;
  /** Tries to reach it, or gives up: true ends the trying. */
  readonly isOver: () => Promise<boolean>;
}

/** Nodes that could not be reached. Thousands of clients may wait for one: one of them tries, and the others wait for how that ends. */
export class AwayNodes {
  readonly #trying = new Map<string, Promise<void>>();

  /** Resolves when a node may be reached again, or is none any more; undefined if nobody waits for that. */
  until(number: string): Promise<void> | undefined {
    return this.#trying.get(number);
  }

  /** Tries a node that could not be reached, unless somebody does: resolves as {@link until}. */
  async try(node: AwayNode): Promise<void> {
    const known = this.#trying.get(node.number);
    if (known) return known;
    const trying = tried(node).finally(() => this.#trying.delete(node.number));
    this.#trying.set(node.number, trying);
    return trying;
  }
}

async function tried({ isThere, isOver }: AwayNode): Promise<void> {
  do {
    const again = performance.now() + retryAfter;
    do await pause(lookEvery);
    while (performance.now() < again && isThere());
  } while (isThere() && !(await isOver()));
}
