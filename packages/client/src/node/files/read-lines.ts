import type { FileHandle } from 'node:fs/promises';
import { type LineRange, LineWindow } from './line-window.ts';

/** Limits of reading. */
export interface ReadBounds {
  /** The most bytes of the lines. */
  readonly limit: number;
  /** The most bytes read to find the first line. */
  readonly searchLimit: number;
  readonly signal: AbortSignal;
}

const pieceSize = 256 * 1024;

/**
 * Reads lines of a file of any size. Memory holds the lines and one chunk; the rest of the file is not read.
 * @returns `too-long` when the lines exceed the limit, `too-far` when the first was not found within the limit
 */
export async function readLines(
  file: FileHandle,
  range: LineRange,
  { limit, searchLimit, signal }: ReadBounds,
): Promise<Uint8Array | 'too-long' | 'too-far'> {
  const window = new LineWindow(range);
  const chunk = Buffer.allocUnsafe(pieceSize);
  let read = 0;
  while (window.wantsMore) {
    signal.throwIfAborted();
    const { bytesRead } = await file.read(chunk, 0, chunk.length, null);
    if (bytesRead === 0) break;
    window.add(chunk.subarray(0, bytesRead));
    if (window.size > limit) return 'too-long';
    read += bytesRead;
    if (window.size === 0 && read >= searchLimit) return 'too-far';
  }
  return window.bytes();
}
