import type { TransportWarning } from '@turnwire/protocol';

/** Chunks that are joined together, so that a line that arrives byte by byte costs memory in proportion to its length. */
const looseChunks = 1024;
/** Enough for an excerpt of four-byte characters. */
const headBytes = 320;
/** Characters of an excerpt. */
const excerptLength = 80;
const empty = new Uint8Array(0);

/** Decodes a range of UTF-8 bytes. The Buffer of Node is faster at this than the decoder of browsers. */
export type Decode = (bytes: Uint8Array, start: number, end: number) => string;

/** The start of a line whose newline has not arrived yet. Beyond the limit, only its length and an excerpt are kept. */
export class PartialLine {
  readonly #limit: number;
  readonly #decode: Decode;
  #joined: Uint8Array[] = [];
  #loose: Uint8Array[] = [];
  /** The first bytes of a line that is too long. */
  #head: Uint8Array = empty;
  #bytes = 0;

  constructor(limit: number, decode: Decode) {
    this.#limit = limit;
    this.#decode = decode;
  }

  get isEmpty(): boolean {
    return this.#bytes === 0;
  }

  get isOversize(): boolean {
    return this.#bytes > this.#limit;
  }

  /** The memory that the line occupies, in bytes. */
  get retainedBytes(): number {
    return [...this.#joined, ...this.#loose].reduce((total, chunk) => total + chunk.length, 0);
  }

  add(chunk: Uint8Array): void {
    if (this.#skip(chunk)) return;
    this.#bytes += chunk.length;
    this.#loose.push(chunk);
    if (this.#loose.length < looseChunks) return;
    this.#joined.push(concatenated(this.#loose));
    this.#loose = [];
  }

  read(): string {
    const [only] = this.#loose;
    const isWhole = this.#joined.length === 0 && this.#loose.length === 1 && only !== undefined;
    const bytes = isWhole ? only : concatenated([...this.#joined, ...this.#loose]);
    return this.#decode(bytes, 0, bytes.length);
  }

  /** The line as text. Starts a new line. */
  take(): string {
    const text = this.read();
    this.clear();
    return text;
  }

  /** A warning about the line, which is not a frame. Starts a new line. */
  takeWarning(kind: TransportWarning['kind']): TransportWarning {
    if (!this.isOversize) this.#extendHead();
    const excerpt = excerptOf(this.#decode(this.#head, 0, this.#head.length));
    const warning: TransportWarning = { kind, bytes: this.#bytes, excerpt };
    this.clear();
    return warning;
  }

  clear(): void {
    this.#joined = [];
    this.#loose = [];
    this.#head = empty;
    this.#bytes = 0;
  }

  #skip(chunk: Uint8Array): boolean {
    if (this.#bytes + chunk.length <= this.#limit) return false;
    this.#bytes += chunk.length;
    this.#loose.push(chunk);
    this.#extendHead();
    this.#joined = [];
    this.#loose = [];
    return true;
  }

  #extendHead(): void {
    for (const chunk of [...this.#joined, ...this.#loose]) {
      if (this.#head.length === headBytes) return;
      this.#head = concatenated([this.#head, chunk.subarray(0, headBytes - this.#head.length)]);
    }
  }
}

/** The first characters of a line, to recognise it. Copies them, because a plain slice would keep the whole chunk in memory. */
export function excerptOf(text: string): string {
  return new TextDecoder().decode(new TextEncoder().encode(text.slice(0, excerptLength)));
}

function concatenated(chunks: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(chunks.reduce((total, chunk) => total + chunk.length, 0));
  let at = 0;
  for (const chunk of chunks) {
    whole.set(chunk, at);
    at += chunk.length;
  }
  return whole;
}
