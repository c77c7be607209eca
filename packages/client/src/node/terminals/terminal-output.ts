import { StringDecoder } from 'node:string_decoder';
import { OutputTail } from '@turnwire/machine';

/** The end of a command's output: whole characters, up to the limit in bytes. */
export class TerminalOutput {
  readonly #tail: OutputTail;

  /** @param limit in bytes of UTF-8 */
  constructor(limit: number) {
    this.#tail = new OutputTail(limit);
  }

  get text(): string {
    return this.#tail.text();
  }

  /** True if the beginning was dropped. */
  get isTruncated(): boolean {
    return this.#tail.isCut;
  }

  /**
   * Adds a stream of the command. The returned function takes its chunks, and undefined at its end; it returns true if the text changed.
   * Streams are decoded separately: an incomplete character waits for its rest, whatever comes from the other stream.
   */
  input(): (chunk?: Buffer) => boolean {
    const decoder = new StringDecoder('utf8');
    return (chunk) => {
      const text = chunk === undefined ? decoder.end() : decoder.write(chunk);
      this.#tail.write(Buffer.from(text));
      return text !== '';
    };
  }
}
