import { Buffer } from 'node:buffer';
import type { TransportWarning } from '@turnwire/protocol';
import { excerptOf } from './excerpt.ts';

/** Chunks are joined by this many, so that a line trickling in byte by byte costs memory by its length. */
const looseChunks = 1024;
/** Enough for an excerpt of four-byte characters. */
const headBytes = 320;
const empty = Buffer.alloc(0);

/** The start of a line whose newline has not arrived yet. Past the limit only its length and an excerpt are kept. */
export class PartialLine {
  readonly #limit: number;
  #joined: Buffer[] = [];
  #loose: Buffer[] = [];
  /** The first bytes of a line that is too long. */
  #head: Buffer = empty;
  #bytes = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  get isEmpty(): boolean {
    return this.#bytes === 0;
  }

  get isOversize(): boolean {
    return this.#bytes > this.#limit;
  }

  /** How much memory the line holds on to. */
  get retainedBytes(): number {
    return [...this.#joined, ...this.#loose].reduce((total, chunk) => total + chunk.length, 0);
  }

  add(chunk: Buffer): void {
    if (this.#skip(chunk)) return;
    this.#bytes += chunk.length;
    this.#loose.push(chunk);
    if (this.#loose.length < looseChunks) return;
    this.#joined.push(Buffer.concat(this.#loose));
    this.#loose = [];
  }

  /** The line as text. */
  read(): string {
    return this.#join().toString('utf8');
  }

  /** The line as text. What comes next is a new line. */
  take(): string {
    const text = this.read();
    this.clear();
    return text;
  }

  /** The line as a report, for a line that is no frame. What comes next is a new line. */
  takeWarning(kind: TransportWarning['kind']): TransportWarning {
    if (!this.isOversize) this.#extendHead();
    const excerpt = excerptOf(this.#head.toString('utf8'));
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

  #skip(chunk: Buffer): boolean {
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
      this.#head = Buffer.concat([this.#head, chunk.subarray(0, headBytes - this.#head.length)]);
    }
  }

  #join(): Buffer {
    const [only] = this.#loose;
    if (this.#joined.length === 0 && this.#loose.length === 1 && only !== undefined) return only;
    return Buffer.concat([...this.#joined, ...this.#loose]);
  }
}
