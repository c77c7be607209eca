import type { BigIntStats } from 'node:fs';
import { lstat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { holdingHere } from '../holding/holding-here.ts';
import { type HeldFolder, MovedError } from '../holding/holding.ts';
import { systemError, undefinedIfMissing } from '../system-reason.ts';
import { whereItLeads } from '../where-it-leads.ts';

/** A name in a folder that is kept open: even if the entry is replaced, the name cannot lead to another folder. */
export class HeldEntry implements AsyncDisposable {
  readonly folder: HeldFolder;
  readonly name: string;

  constructor(folder: HeldFolder, name: string) {
    this.folder = folder;
    this.name = name;
  }

  /** The entry of a path itself, also of a link. */
  static async at(path: string): Promise<HeldEntry> {
    const plain = path.replace(/(?<=.)\/+$/, '');
    const name = basename(plain);
    // `.` and `..` are not entries of the folder that the path names.
    if (name === '.' || name === '..') return HeldEntry.behind(plain);
    return new HeldEntry(await (await holdingHere()).folder(dirname(plain)), name);
  }

  /** The entry that a path leads to when links are followed, even if it does not exist yet. */
  static async behind(path: string): Promise<HeldEntry> {
    const real = await whereItLeads(path.replace(/(?<=.)\/+$/, ''));
    const folder = await (await holdingHere()).folder(dirname(real));
    if (folder.real === dirname(real)) return new HeldEntry(folder, basename(real));
    await folder[Symbol.asyncDispose]();
    throw new MovedError();
  }

  /** The path to use. Only operations that do not follow a link at its end are confined to the folder. */
  get path(): string {
    return this.folder.entry(this.name);
  }

  /** Absolute, the links above it resolved. */
  get real(): string {
    return join(this.folder.real, this.name);
  }

  /** Undefined if the entry does not exist. */
  async stats(): Promise<BigIntStats | undefined> {
    return lstat(this.path, { bigint: true }).catch(undefinedIfMissing);
  }

  /** The folder at this entry. Rejects if something else has replaced it, such as a link. */
  async asFolder(): Promise<HeldFolder> {
    const held = await (await holdingHere()).folder(this.path);
    if (held.real === this.real) return held;
    await held[Symbol.asyncDispose]();
    throw systemError('ELOOP');
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.folder[Symbol.asyncDispose]();
  }
}
