import { appendFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** UTF-16 units buffered before a file is created; most commands never get there. */
const bufferLimit = 64 * 1024;
/** Bytes written to one file, about. */
const longest = 256 * 1024 * 1024;

/** The complete outputs of a session's commands, in a temporary folder for its owner alone (0700) that is deleted with the session. */
export class CommandLogs {
  #folder: Promise<string> | undefined;
  #count = 0;
  #isOver = false;

  begin(): CommandLog {
    return new CommandLog(() => this.#newPath());
  }

  /** Removes the logs. Nothing more is written. */
  async clear(): Promise<void> {
    this.#isOver = true;
    const folder = await this.#folder?.catch(() => undefined);
    if (folder !== undefined) await rm(folder, { recursive: true, force: true });
  }

  async #newPath(): Promise<string> {
    if (this.#isOver) throw new Error('The session is over');
    this.#folder ??= mkdtemp(join(tmpdir(), 'turnwire-coder-'));
    return join(await this.#folder, `command-${++this.#count}.log`);
  }
}

/**
 * The output of one command: in memory while it is short, then in a file (0600). It never fails; without a writable folder its path is
 * undefined.
 */
export class CommandLog {
  readonly #newPath: () => Promise<string>;
  #buffered = '';
  #path: Promise<string | undefined> | undefined;
  #length = 0;
  #last: Promise<void> = Promise.resolve();

  constructor(newPath: () => Promise<string>) {
    this.#newPath = newPath;
  }

  /** Appends text. A returned promise is pending while it is written. */
  append(text: string): void | Promise<void> {
    this.#buffered += text;
    return this.#buffered.length > bufferLimit ? this.#write() : undefined;
  }

  /** Ensures a file with all of it. Undefined if that is impossible. */
  async path(): Promise<string | undefined> {
    await this.#write();
    return this.#path;
  }

  /** One write after the other: two pipes may have output at once. */
  #write(): Promise<void> {
    const text = this.#buffered;
    this.#buffered = '';
    this.#last = this.#last.then(() => this.#append(text));
    return this.#last;
  }

  async #append(text: string): Promise<void> {
    const isFull = this.#length >= longest;
    this.#length += Buffer.byteLength(text);
    this.#path ??= this.#newPath().catch(() => undefined);
    const path = await this.#path;
    if (path === undefined || isFull || text === '') return;
    const end = this.#length >= longest ? '\n[The log ends here: it is full.]\n' : '';
    await appendFile(path, text + end, { mode: 0o600 }).catch(() => void (this.#path = Promise.resolve(undefined)));
  }
}
