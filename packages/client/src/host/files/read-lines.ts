import type { FileHandle } from 'node:fs/promises';
import { type LineRange, LineWindow } from './line-window.ts';

/** How much to read, and until when. */
export interface ReadBounds {
  /** In bytes. */
  readonly limit: number;
  readonly signal: AbortSignal;
}

const pieceSize = 256 * 1024;

/**
 * Reads some lines of a file of any size. Memory holds the lines and one piece; what comes after them is not read.
 * @returns undefined when the lines are longer than the limit
 */
export async function readLines(
  file: FileHandle,
  range: LineRange,
  { limit, signal }: ReadBounds,
): Promise<Uint8Array | undefined> {
  const window = new LineWindow(range);
  const piece = Buffer.allocUnsafe(pieceSize);
  while (window.wantsMore) {
    signal.throwIfAborted();
    const { bytesRead } = await file.read(piece, 0, piece.length, null);
    if (bytesRead === 0) break;
    window.add(piece.subarray(0, bytesRead));
    if (window.size > limit) return undefined;
  }
  return window.bytes();
}
