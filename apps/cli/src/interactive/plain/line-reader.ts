import { createInterface } from 'node:readline';
import type { ReadStream } from 'node:tty';

/** Receives the typed lines. */
interface LineListener {
  line(line: string): void;
  /** The input has ended. */
  end(): void;
}

/** Reads lines in the terminal's own line mode, in which only the user moves the cursor. */
export class LineReader implements Disposable {
  readonly #reader: ReturnType<typeof createInterface>;

  constructor(input: ReadStream, listener: LineListener) {
    this.#reader = createInterface({ input, terminal: false });
    this.#reader.on('line', (line) => listener.line(line));
    this.#reader.on('close', () => listener.end());
  }

  /** Stops reading until {@link resume}. */
  pause(): void {
    this.#reader.pause();
  }

  resume(): void {
    this.#reader.resume();
  }

  [Symbol.dispose](): void {
    this.#reader.removeAllListeners().close();
  }
}
