import type { LineReceiver } from './line.ts';

const newline = 0x0a;
/** Longest line that is kept, in bytes. */
const longest = 64 * 1024 * 1024;

/** Cuts bytes into lines, and tells of each what is wrong with its bytes. */
export class LineSplitter {
  readonly #receiver: LineReceiver;
  #parts: Uint8Array[] = [];
  #length = 0;

  constructor(receiver: LineReceiver) {
    this.#receiver = receiver;
  }

  take(chunk: Uint8Array): void {
    let start = 0;
    for (let end = chunk.indexOf(newline); end !== -1; end = chunk.indexOf(newline, start)) {
      this.#keep(chunk.subarray(start, end));
      this.#deliver();
      start = end + 1;
    }
    this.#keep(chunk.subarray(start));
  }

  /** The bytes are over. */
  end(): void {
    if (this.#length > 0) this.#deliver('cut off');
    this.#receiver.end();
  }

  #keep(bytes: Uint8Array): void {
    this.#length += bytes.length;
    if (bytes.length > 0 && this.#length <= longest) this.#parts.push(bytes);
  }

  #deliver(flaw?: 'cut off'): void {
    const bytes = Buffer.concat(this.#parts);
    const isOversize = this.#length > longest;
    this.#parts = [];
    this.#length = 0;
    const text = decoded(bytes);
    const found = flaw ?? (isOversize ? 'oversize' : undefined);
    if (text === undefined) this.#receiver.text(bytes.toString('utf8'), found ?? 'not UTF-8');
    else this.#receiver.text(text, found);
  }
}

function decoded(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
