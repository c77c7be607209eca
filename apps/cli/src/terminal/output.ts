import { writeSync } from 'node:fs';
import { createInterface, type Interface } from 'node:readline';
import type { ReadStream, WriteStream } from 'node:tty';
import { cleanJson, visibleText } from './clean-text.ts';
import type { Frame } from './frame.ts';
import { type Paint, paintFor } from './paint.ts';
import { printable } from './printable.ts';

type TerminalStream = WriteStream & { readonly fd: number };

/**
 * One of the two streams this process prints to: the only way to it. Whatever is printed, and whoever wrote it, nothing but our own
 * styles and frames steers the terminal that may be at its end.
 */
export class Output {
  readonly #stream: () => TerminalStream;

  /** @param stream found when it is used: it costs time to open */
  constructor(stream: () => TerminalStream) {
    this.#stream = stream;
  }

  get isTerminal(): boolean {
    // Absent on a pipe.
    return this.#stream().isTTY === true;
  }

  /** Its size in characters; a terminal that does not know it says 0. Undefined where there is no terminal. */
  get size(): { readonly columns: number; readonly rows: number } | undefined {
    const { columns, rows } = this.#stream();
    return this.isTerminal ? { columns, rows } : undefined;
  }

  /** Its colours: none where it has none, or with NO_COLOR. */
  get paint(): Paint {
    return paintFor(this.#stream());
  }

  /** Whether what was printed waits to be taken. */
  get isBusy(): boolean {
    const { writableNeedDrain, destroyed } = this.#stream();
    return writableNeedDrain && !destroyed;
  }

  /** Whether it can no longer be written to: its reader is gone, or a disk is full. */
  get isBroken(): boolean {
    return this.#stream().errored !== null;
  }

  /** Prints a text for a user. Styles stay where there are colours. */
  print(text: string): void {
    const stream = this.#stream();
    const keepsStyles = text.includes('\u001b') && this.isTerminal && stream.hasColors();
    stream.write(printable(text, keepsStyles));
  }

  /** Prints a text for a user, and ends the line. */
  printLine(text: string): void {
    this.print(`${text}\n`);
  }

  /** Prints JSON on a line of its own: the same JSON, with what steers a terminal or cannot be seen as escapes. */
  printJson(json: string): void {
    this.#stream().write(`${cleanJson(json)}\n`);
  }

  /** Prints a text for a program or a file: exactly. On a terminal, what would steer it or cannot be seen is spelled out. */
  printExactly(text: string): void {
    this.#stream().write(this.isTerminal ? visibleText(text) : text);
  }

  /** Draws on a terminal. */
  draw(frame: Frame): void {
    if (!frame.isEmpty) this.#stream().write(frame.text);
  }

  /** Draws at once, for a process that ends now. Throws if the terminal is gone. */
  drawNow(frame: Frame): void {
    if (!frame.isEmpty) writeSync(this.#stream().fd, frame.text);
  }

  /** Lets a user edit a line behind a question. */
  lineEditor(input: ReadStream, question: string): Interface {
    const prompt = printable(question, true);
    return createInterface({ input, output: this.#stream(), terminal: true, historySize: 0, prompt });
  }

  /** Resolves when everything is out, or cannot be. */
  async flushed(): Promise<void> {
    await new Promise((resolve) => this.#stream().write('', resolve));
  }

  /** Listens to the stream; returns how to stop. `drain`: what was printed is taken. `error` may come more than once. */
  on(event: 'drain' | 'error' | 'close' | 'resize', listener: (error: NodeJS.ErrnoException) => void): () => void {
    const stream = this.#stream();
    stream.on(event, listener);
    return () => void stream.off(event, listener);
  }
}

/** What a command is asked for. */
export const stdout: Output = new Output(() => process.stdout);

/** What there is to say besides. */
export const stderr: Output = new Output(() => process.stderr);
