import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import type { ReadStream } from 'node:tty';
import type { Output } from './output.ts';

/** How long to discard keys that were typed before a question, in milliseconds. */
const typedBefore = 50;

/** The user's answer: a line, Ctrl-C, or Ctrl-D. */
export type Answer = { readonly line: string } | 'interrupted' | 'ended';

/** The input and output of a terminal. */
export interface Terminal {
  readonly input: ReadStream;
  readonly output: Output;
}

/**
 * Reads answers of the user, with line editing. The terminal is in raw mode only while a line is being read: during a turn
 * Ctrl-C is an ordinary signal, and the terminal is always restored.
 */
export class TypedLines {
  readonly #terminal: Terminal;

  constructor(terminal: Terminal) {
    this.#terminal = terminal;
  }

  /** Shows a question and waits for a line. Aborting the signal counts as Ctrl-C. */
  ask(question: string, signal: AbortSignal): Promise<Answer> {
    const { input, output } = this.#terminal;
    const reader = output.lineEditor(input, question);
    let answer: Answer = 'ended';
    const finish = (given: Answer): void => {
      answer = given;
      reader.close();
    };
    const abort = (): void => finish('interrupted');
    signal.addEventListener('abort', abort, { once: true });
    reader.once('line', (line) => finish({ line }));
    reader.on('SIGINT', abort);
    reader.prompt();
    return new Promise((resolve) => {
      reader.once('close', () => {
        signal.removeEventListener('abort', abort);
        resolve(answer);
      });
      if (signal.aborted) abort();
    });
  }

  /** Discards keys that were typed earlier: a line meant for something else must not answer the next question. */
  async discardTyped(): Promise<void> {
    const { input } = this.#terminal;
    const discard = (): void => undefined;
    input.setRawMode(true).on('data', discard).resume();
    await delay(typedBefore);
    input.off('data', discard).pause().setRawMode(false);
  }
}

/** Lines of a pipe or a file. */
export class PipedLines {
  readonly #lines: AsyncIterator<string>;

  constructor(input: NodeJS.ReadableStream) {
    this.#lines = createInterface({ input, crlfDelay: Infinity })[Symbol.asyncIterator]();
  }

  /** Waits for a line. Aborting the signal counts as Ctrl-C. */
  read(signal: AbortSignal): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const abort = (): void => resolve('interrupted');
      signal.addEventListener('abort', abort, { once: true });
      const take = (next: IteratorResult<string, unknown>): void => {
        signal.removeEventListener('abort', abort);
        resolve(next.done ? 'ended' : { line: next.value });
      };
      this.#lines.next().then(take, reject);
    });
  }
}
