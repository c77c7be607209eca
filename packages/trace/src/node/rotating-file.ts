import { type FileHandle, lstat, open, rename, rm } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { makeFolder } from '@turnwire/machine';

/** Options of a rotating file. */
export interface RotatingFileOptions {
  readonly path: string;
  /** Maximum size of a file, in bytes. */
  readonly maximumBytes: number;
  /** How many full files to keep; `path.1` is the newest. */
  readonly keep: number;
  /** The first line of the file with a number, counted from 0. */
  readonly header: (part: number) => string;
}

/** A file of lines that is rotated when it is full. An existing file is rotated at the start too, so nothing is overwritten. */
export class RotatingFile {
  readonly #options: RotatingFileOptions;
  #handle: FileHandle | undefined;
  #bytes = 0;
  #part = 0;
  /** Whether the path is a device such as /dev/null, which is never rotated. */
  #isDevice = false;

  constructor(options: RotatingFileOptions) {
    this.#options = options;
  }

  /** The maximum size of a line that fits in a file, in bytes. */
  get longestLine(): number {
    return this.#options.maximumBytes - Buffer.byteLength(this.#options.header(this.#part)) - 2;
  }

  /** Writes lines, in as many files as necessary. Rejects with errors of the file system. */
  async write(lines: readonly string[]): Promise<void> {
    this.#handle ??= await this.#begin();
    let ready: string[] = [];
    for (const line of lines) {
      const bytes = Buffer.byteLength(line) + 1;
      if (this.#bytes + bytes > this.#options.maximumBytes && !this.#isDevice) {
        await this.#flush(ready);
        ready = [];
        await this.#next();
      }
      ready.push(line);
      this.#bytes += bytes;
    }
    await this.#flush(ready);
  }

  async close(): Promise<void> {
    const handle = this.#handle;
    this.#handle = undefined;
    await handle?.close();
  }

  async #flush(lines: readonly string[]): Promise<void> {
    if (lines.length > 0) await this.#handle?.appendFile(lines.map((line) => `${line}\n`).join(''));
  }

  async #next(): Promise<void> {
    await this.close();
    this.#part++;
    this.#handle = await this.#begin();
  }

  async #begin(): Promise<FileHandle> {
    const { path, header } = this.#options;
    await makeFolder(dirname(resolve(path)));
    const kind = await kindOf(path);
    if (kind === 'other') throw new Error(`${path} is not a file`);
    this.#isDevice = kind === 'device';
    if (kind === 'file') await this.#rotate();
    // Create a new file and do not follow links: no file of another user is written, and no other user can read it.
    const handle = await open(path, this.#isDevice ? 'a' : 'wx', 0o600);
    const line = `${header(this.#part)}\n`;
    this.#bytes = Buffer.byteLength(line);
    try {
      await handle.appendFile(line);
    } catch (error) {
      await handle.close();
      throw error;
    }
    return handle;
  }

  async #rotate(): Promise<void> {
    const { path, keep } = this.#options;
    if (keep === 0) return rm(path);
    for (let number = keep; number > 0; number--) {
      const from = number === 1 ? path : `${path}.${number - 1}`;
      await rename(from, `${path}.${number}`).catch(unlessMissing);
    }
  }
}

async function kindOf(path: string): Promise<'none' | 'file' | 'device' | 'other'> {
  const found = await lstat(path).catch(unlessMissing);
  if (found === undefined) return 'none';
  if (found.isFile() || found.isSymbolicLink()) return 'file';
  return found.isCharacterDevice() ? 'device' : 'other';
}

function unlessMissing(error: unknown): undefined {
  if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
}
