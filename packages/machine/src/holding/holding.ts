import type { BigIntStats } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';

/** A folder one holds on to: where it really is was found out after taking hold of it. */
export interface HeldFolder extends AsyncDisposable {
  /** Absolute, without symbolic links. */
  readonly real: string;
  /** The path by which to reach an entry of this very folder. */
  entry(name: string): string;
  /** Rejects with a MovedError if it is no longer where it was. */
  confirm(): Promise<void>;
}

/** A file, folder or special file one holds on to without having opened it. */
export interface HeldFile extends AsyncDisposable {
  /** Absolute, without symbolic links. */
  readonly real: string;
  readonly stats: BigIntStats;
  /** Opens this very file for reading, without waiting for anything. Rejects with a MovedError if it is another one by now. */
  open(): Promise<FileHandle>;
}

/** A way to take hold of things by their path, symbolic links followed. Rejects with the errors of the system. */
export interface Holding {
  /** Takes hold of a folder. Rejects with ENOTDIR for anything else. */
  folder(path: string): Promise<HeldFolder>;
  /** Takes hold of whatever is there, opening nothing. */
  file(path: string): Promise<HeldFile>;
}

/** Something was exchanged for something else between looking at it and using it. */
export class MovedError extends Error {
  override readonly name = 'MovedError';
}
