import { writeSync } from 'node:fs';
import { createInterface, type Interface } from 'node:readline';
import type { ReadStream, WriteStream } from 'node:tty';
import { cleanJson, visibleText } from './clean-text.ts';
import type { Frame } from './frame.ts';
import { type Paint, paintFor } from './paint.ts';
import { printable } from './printable.ts';

type TerminalStream = WriteStream & { readonly fd: number };

/**
 * The only access to stdout or stderr of this process. It lets only our own styles and frames control a terminal, regardless of the printed
 * text.
 */
export class Output {
  readonly #stream: () => TerminalStream;

  /** @param stream called on first use, because opening the stream takes time */
  constructor(stream: () => TerminalStream) {
    this.#stream = stream;
  }

  get isTerminal(): boolean {
    // Undefined on a pipe.
    return this.#stream().isTTY === true;
  }

  /** Its size in characters; 0 if the terminal does not know it. Undefined without a terminal. */
  get size(): { readonly columns: number; readonly rows: number } | undefined {
    const { columns, rows } = this.#stream();
    return this.isTerminal ? { columns, rows } : undefined;
  }

  /** Its colours: none on a pipe, or with NO_COLOR. */
  get paint(): Paint {
    return paintFor(this.#stream());
  }

  /** Whether the reader is behind, so that printed text is buffered. */
  get isBusy(): boolean {
    const { writableNeedDrain, destroyed } = this.#stream();
    return writableNeedDrain && !destroyed;
  }

  /** Whether writing has failed: the reader is gone, or a disk is full. */
  get isBroken(): boolean {
    return this.#stream().errored !== null;
  }

  /** Prints a text for a user. Keeps styles if colours are on. */
  print(text: string): void {
    const stream = this.#stream();
    const keepsStyles = text.includes('\u001b') && this.isTerminal && stream.hasColors();
    stream.write(printable(text, keepsStyles));
  }

  /** Prints a line for a user. */
  printLine(text: string): void {
    this.print(`${text}\n`);
  }

  /** Prints a line of JSON, with control and invisible characters escaped. */
  printJson(json: string): void {
    this.#stream().write(`${cleanJson(json)}\n`);
  }

  /** Prints a text or bytes unchanged for a program or a file. On a terminal, control and invisible characters are escaped. */
  printExactly(text: string | Buffer): void {
    this.#stream().write(this.isTerminal ? visibleText(text.toString()) : text);
  }

  /** Draws on a terminal. */
  draw(frame: Frame): void {
    if (!frame.isEmpty) this.#stream().write(frame.text);
  }

  /** Draws synchronously, for a process that is exiting. Throws if the terminal is gone. */
  drawNow(frame: Frame): void {
    if (!frame.isEmpty) writeSync(this.#stream().fd, frame.text);
  }

  /** Lets the user edit a line after a question. */
  lineEditor(input: ReadStream, question: string): Interface {
    const prompt = printable(question, true);
    return createInterface({ input, output: this.#stream(), terminal: true, historySize: 0, prompt });
  }

  /** Resolves when everything has been written or has failed. */
  async flushed(): Promise<void> {
    await new Promise((resolve) => this.#stream().write('', resolve));
  }

  /** Adds a listener to the stream and returns a function that removes it. `drain`: the reader has caught up. `error` may occur more than once. */
  on(event: 'drain' | 'error' | 'close' | 'resize', listener: (error: NodeJS.ErrnoException) => void): () => void {
    const stream = this.#stream();
    stream.on(event, listener);
    return () => void stream.off(event, listener);
  }
}

/** The output for the result of a command. */
export const stdout: Output = new Output(() => process.stdout);

/** The output for all other messages. */
export const stderr: Output = new Output(() => process.stderr);
