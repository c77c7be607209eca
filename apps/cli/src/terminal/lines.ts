import { createInterface, type Interface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import type { ReadStream, WriteStream } from 'node:tty';

/** How long to look for what was typed before a question, in milliseconds. */
const typedBefore = 50;

/** What a person answered: a line, or Ctrl-C, or Ctrl-D. */
export type Answer = { readonly line: string } | 'interrupted' | 'ended';

/** Where the lines of a chat come from. */
export interface Lines {
  /** Shows a prompt and waits for a line; an aborted signal is an interruption. */
  read(prompt: string, signal: AbortSignal): Promise<Answer>;
}

/** The two ends of a terminal. */
export interface Terminal {
  readonly input: ReadStream;
  readonly output: WriteStream;
}

/**
 * Lines a person types, with editing and history. The terminal is in raw mode only while a line is being read: during a turn
 * Ctrl-C is the signal it always is, and whatever happens the terminal is left as it was.
 */
export class TypedLines implements Lines {
  readonly #terminal: Terminal;
  #history: string[] = [];
  #pasted: string[] = [];
  #begun = '';

  constructor(terminal: Terminal) {
    this.#terminal = terminal;
  }

  async read(prompt: string, signal: AbortSignal): Promise<Answer> {
    const pasted = this.#pasted.shift();
    if (pasted === undefined) return this.#type(prompt, signal);
    this.#terminal.output.write(`${prompt}${pasted}\n`);
    return { line: pasted };
  }

  /** Like {@link read}, for a question: nothing that was pasted before answers it, and the answer is not remembered. */
  async ask(question: string, signal: AbortSignal): Promise<Answer> {
    const kept = [this.#pasted, this.#begun, this.#history] as const;
    [this.#begun, this.#history] = ['', []];
    const answer = await this.#type(question, signal);
    [this.#pasted, this.#begun, this.#history] = kept;
    return answer;
  }

  /** Throws away what was typed while nobody read: a line meant for something else must not answer the next question. */
  async discardTyped(): Promise<void> {
    const { input } = this.#terminal;
    const discard = (): void => undefined;
    input.setRawMode(true).on('data', discard).resume();
    await delay(typedBefore);
    input.off('data', discard).pause().setRawMode(false);
  }

  #type(prompt: string, signal: AbortSignal): Promise<Answer> {
    const reader = createInterface({ ...this.#terminal, terminal: true, history: [...this.#history], prompt });
    const lines: string[] = [];
    let end: Answer = 'ended';
    const finish = (answer: Answer): void => {
      end = answer;
      reader.close();
    };
    const abort = (): void => finish('interrupted');
    signal.addEventListener('abort', abort, { once: true });
    // Lines pasted together arrive together: they are all read before the reader goes.
    reader.on('line', (line) => void (lines.push(line) === 1 && setImmediate(() => this.#stop(reader))));
    reader.on('history', (history) => (this.#history = history));
    reader.on('SIGINT', abort);
    reader.prompt();
    reader.write(this.#takeBegun());
    return new Promise((resolve) => {
      reader.once('close', () => {
        signal.removeEventListener('abort', abort);
        const [line, ...rest] = lines;
        this.#pasted.push(...rest);
        resolve(line === undefined ? end : { line });
      });
      if (signal.aborted) abort();
    });
  }

  /** Closes a reader; the line that was begun is taken off the screen, for the next reader to show. */
  #stop(reader: Interface): void {
    this.#begun = reader.line;
    if (reader.line !== '') for (const name of ['e', 'u']) reader.write(null, { ctrl: true, name });
    reader.close();
  }

  #takeBegun(): string {
    const begun = this.#begun;
    this.#begun = '';
    return begun;
  }
}

/** Lines of a pipe or a file; no prompt is shown. */
export class PipedLines implements Lines {
  readonly #lines: AsyncIterator<string>;

  constructor(input: NodeJS.ReadableStream) {
    this.#lines = createInterface({ input, crlfDelay: Infinity })[Symbol.asyncIterator]();
  }

  read(_: string, signal: AbortSignal): Promise<Answer> {
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
