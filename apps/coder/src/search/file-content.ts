import type { FileHandle } from 'node:fs/promises';

/** How much is read to detect a binary file. */
const sample = 64 * 1024;

/** Whether a file is binary by its beginning: a NUL byte, unless it begins with a UTF-16 byte order mark. */
export async function isBinary(file: FileHandle): Promise<boolean> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(sample), 0, sample, 0);
  const bytes = buffer.subarray(0, bytesRead);
  return encodingOf(bytes) === 'utf-8' && bytes.includes(0);
}

/** The whole file as text, without a byte order mark. Invalid bytes are replaced. */
export async function readWhole(file: FileHandle): Promise<{ readonly text: string; readonly hasNul: boolean }> {
  const bytes = await file.readFile();
  const text = new TextDecoder(encodingOf(bytes)).decode(bytes);
  return { text, hasNul: text.includes('\0') };
}

function encodingOf(bytes: Buffer): 'utf-8' | 'utf-16le' | 'utf-16be' {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  return bytes[0] === 0xfe && bytes[1] === 0xff ? 'utf-16be' : 'utf-8';
}
