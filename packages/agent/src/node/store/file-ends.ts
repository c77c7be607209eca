import { type FileHandle, open } from 'node:fs/promises';
import { parseHeader, titleIn } from '../../store/session-lines.ts';
import type { SessionHeader } from '../../store/session-store.ts';

const chunk = 64 * 1024;
const lineEnd = 0x0a;

/** Reads only the header of a session's file. Undefined for a missing file or header. */
export async function readHeader(path: string): Promise<SessionHeader | undefined> {
  return withFile(path, async (file) => {
    const read: Buffer[] = [];
    for (let at = 0; ;) {
      const part = await readPart(file, at, chunk);
      const end = part.indexOf(lineEnd);
      read.push(end < 0 ? part : part.subarray(0, end));
      if (end >= 0 || part.length === 0) return parseHeader(Buffer.concat(read).toString());
      at += part.length;
    }
  });
}

/** Reads the latest title from the end of a session's file. Undefined if no entry has one; null if it was removed. */
export async function readTitle(path: string): Promise<string | null | undefined> {
  return withFile(path, async (file) => {
    const { size } = await file.stat();
    for (let length = chunk; ; length *= 4) {
      const start = Math.max(0, size - length);
      const end = await readPart(file, start, size - start);
      // The first line may be incomplete.
      const whole = start === 0 ? end : end.subarray(end.indexOf(lineEnd) + 1);
      const title = latestTitle(whole.toString());
      if (title !== undefined || start === 0) return title;
    }
  });
}

function latestTitle(text: string): string | null | undefined {
  for (const line of text.split('\n').toReversed()) {
    const title = titleIn(line);
    if (title !== undefined) return title;
  }
  return undefined;
}

async function withFile<Value>(
  path: string,
  work: (file: FileHandle) => Promise<Value | undefined>,
): Promise<Value | undefined> {
  let file: FileHandle;
  try {
    file = await open(path, 'r');
  } catch {
    return undefined;
  }
  try {
    return await work(file);
  } finally {
    await file.close();
  }
}

async function readPart(file: FileHandle, position: number, length: number): Promise<Buffer> {
  const { bytesRead, buffer } = await file.read(Buffer.alloc(length), 0, length, position);
  return buffer.subarray(0, bytesRead);
}
