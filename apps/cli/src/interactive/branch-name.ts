import { gitBranch } from '@turnwire/machine';

/** How long a name is cached, in milliseconds. A command may change the branch. */
const freshness = 2_000;

/** The branch of a folder, cached because every frame shows it. */
export class BranchName {
  readonly #folder: string;
  #name: string | undefined;
  #readAt = -Infinity;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** The name of the branch; undefined outside a repository. @param now in milliseconds */
  at(now: number): string | undefined {
    if (now - this.#readAt >= freshness) {
      this.#name = gitBranch(this.#folder);
      this.#readAt = now;
    }
    return this.#name;
  }
}
