import { type BigIntStats } from 'node:fs';
import { lstat } from 'node:fs/promises';
import { type HeldFolder, undefinedIfMissing } from '@turnwire/machine';

/** Where a file is or would be: a name in a folder that is held on to and known to be inside the roots. */
export class ConfinedPlace implements AsyncDisposable {
  readonly folder: HeldFolder;
  readonly #name: string;

  constructor(folder: HeldFolder, name: string) {
    this.folder = folder;
    this.#name = name;
  }

  /** The path to use. Only operations that do not follow a symbolic link at its end are confined. */
  get entry(): string {
    return this.folder.entry(this.#name);
  }

  /** What is there, a symbolic link being one; undefined for nothing. */
  async stats(): Promise<BigIntStats | undefined> {
    return lstat(this.entry, { bigint: true }).catch(undefinedIfMissing);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.folder[Symbol.asyncDispose]();
  }
}
