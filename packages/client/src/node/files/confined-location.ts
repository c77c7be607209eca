import { type BigIntStats } from 'node:fs';
import { lstat } from 'node:fs/promises';
import { type HeldFolder, undefinedIfMissing } from '@turnwire/machine';

/** The location of an existing or future file: a name in a folder that is kept open and known to be inside the roots. */
export class ConfinedLocation implements AsyncDisposable {
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

  /** The status of the entry itself, even if it is a symbolic link; undefined if it does not exist. */
  async stats(): Promise<BigIntStats | undefined> {
    return lstat(this.entry, { bigint: true }).catch(undefinedIfMissing);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.folder[Symbol.asyncDispose]();
  }
}
