import { StringDecoder } from 'node:string_decoder';
import { OutputTail } from '@turnwire/machine';

/** The end of what a command printed: always whole characters, and never more bytes than the limit. */
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
   * Takes one stream of the command, and with undefined its end; true if that showed anything. Each stream has its own: half a
   * character waits for its other half, whatever comes from the other stream.
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
