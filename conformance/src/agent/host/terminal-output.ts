import { StringDecoder } from 'node:string_decoder';

/** The output of a command, of which the end is stored. */
export class TerminalOutput {
  readonly #limit: number;
  #bytes: Buffer = Buffer.alloc(0);
  #isCut = false;

  /** @param limit most bytes that are stored */
  constructor(limit: number) {
    this.#limit = limit;
  }

  add(chunk: Buffer): void {
    this.#bytes = Buffer.concat([this.#bytes, chunk]);
    if (this.#bytes.length <= this.#limit) return;
    this.#isCut = true;
    this.#bytes = fromCharacter(this.#bytes.subarray(this.#bytes.length - this.#limit));
  }

  /** The stored output, in whole characters. */
  get now(): { readonly output: string; readonly truncated: boolean } {
    return { output: new StringDecoder('utf8').write(this.#bytes), truncated: this.#isCut };
  }
}

/** Removes the rest of a character that was cut off. */
function fromCharacter(bytes: Buffer): Buffer {
  const isContinued = (byte: number | undefined): boolean => byte !== undefined && (byte & 0xc0) === 0x80;
  let start = 0;
  while (start < 4 && isContinued(bytes[start])) start += 1;
  return bytes.subarray(start);
}
