import type { BigIntStats } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';

/** A held folder, whose real path was determined after it was opened. */
export interface HeldFolder extends AsyncDisposable {
  /** Absolute, without symbolic links. */
  readonly real: string;
  /** The path to an entry of exactly this folder. */
  entry(name: string): string;
  /** Rejects with a MovedError if the folder has been moved. */
  confirm(): Promise<void>;
}

/** A held file, folder or special file that has not been opened for reading. */
export interface HeldFile extends AsyncDisposable {
  /** Absolute, without symbolic links. */
  readonly real: string;
  readonly stats: BigIntStats;
  /** Opens exactly this file for reading, without blocking. Rejects with a MovedError if the file was replaced. */
  open(): Promise<FileHandle>;
}

/** A method to hold files and folders by path, which follows symbolic links. Rejects with the errors of the system. */
export interface Holding {
  /** Holds a folder. Rejects with ENOTDIR for anything else. */
  folder(path: string): Promise<HeldFolder>;
  /** Holds a file of any kind without opening it. */
  file(path: string): Promise<HeldFile>;
}

/** A file or folder was replaced between its check and its use. */
export class MovedError extends Error {
  override readonly name = 'MovedError';
}
