import { gitBranch } from '@turnwire/machine';

/** How long a name is used before the repository is asked again, in milliseconds: a command may change the branch. */
const freshness = 2_000;

/** The branch of a folder, for every frame. */
export class BranchName {
  readonly #folder: string;
  #name: string | undefined;
  #readAt = -Infinity;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** The name at a time, in milliseconds. Undefined if the folder is in no repository. */
  at(now: number): string | undefined {
    if (now - this.#readAt >= freshness) {
      this.#name = gitBranch(this.#folder);
      this.#readAt = now;
    }
    return this.#name;
  }
}
