import { writeSync } from 'node:fs';
import { createInterface, type Interface } from 'node:readline';
import type { ReadStream, WriteStream } from 'node:tty';
import { cleanJson, visibleText } from './clean-text.ts';
import type { Frame } from './frame.ts';
import { type Paint, paintFor } from './paint.ts';
import { printable } from './printable.ts';

type TerminalStream = WriteStream & { readonly fd: number };

/**
 * One of the two streams this process prints to: the only way to it. Whatever is printed, only our own
 * styles and frames can control the terminal that may be at its end.
 */
export class Output {
  readonly #stream: () => TerminalStream;

  /** @param stream called on first use: opening it takes time */
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

  /** Whether printed text waits to be read. */
  get isBusy(): boolean {
    const { writableNeedDrain, destroyed } = this.#stream();
    return writableNeedDrain && !destroyed;
  }

  /** Whether writing fails: its reader is gone, or a disk is full. */
  get isBroken(): boolean {
    return this.#stream().errored !== null;
  }

  /** Prints a text for a user. Styles stay if colours are on. */
  print(text: string): void {
    const stream = this.#stream();
    const keepsStyles = text.includes('\u001b') && this.isTerminal && stream.hasColors();
    stream.write(printable(text, keepsStyles));
  }

  /** Prints a line for a user. */
  printLine(text: string): void {
    this.print(`${text}\n`);
  }

  /** Prints a line of JSON: the same JSON, with control and invisible characters as escapes. */
  printJson(json: string): void {
    this.#stream().write(`${cleanJson(json)}\n`);
  }

  /** Prints a text for a program or a file: unchanged. On a terminal, control and invisible characters are escaped. */
  printExactly(text: string): void {
    this.#stream().write(this.isTerminal ? visibleText(text) : text);
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

  /** Resolves when everything is written, or has failed. */
  async flushed(): Promise<void> {
    await new Promise((resolve) => this.#stream().write('', resolve));
  }

  /** Listens to the stream; returns a function that stops it. `drain`: the printed text was read. `error` may occur more than once. */
  on(event: 'drain' | 'error' | 'close' | 'resize', listener: (error: NodeJS.ErrnoException) => void): () => void {
    const stream = this.#stream();
    stream.on(event, listener);
    return () => void stream.off(event, listener);
  }
}

/** The result of a command. */
export const stdout: Output = new Output(() => process.stdout);

/** Messages besides the result. */
export const stderr: Output = new Output(() => process.stderr);
