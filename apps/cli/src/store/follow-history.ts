import { type FileHandle, open, stat } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { LineSplitter, undefinedIfMissing } from '@turnwire/machine';
import { longestLine } from './history.ts';

/** How often to look for new lines, in milliseconds. */
const pause = 100;

/** How a history is followed. */
export interface FollowOptions {
  /** Ends it. */
  readonly signal: AbortSignal;
  /** The byte to start from. */
  readonly from: number;
}

/** The length of a history in bytes; 0 if there is none. */
export async function historySize(path: string): Promise<number> {
  return stat(path).then(
    ({ size }) => size,
    () => 0,
  );
}

/** The lines added to a history, as they come; waits for the file if there is none. Ends when the file is deleted. */
export async function* followHistory(path: string, { signal, from }: FollowOptions): AsyncGenerator<string, void> {
  const file = await whenThere(path, signal);
  if (!file) return;
  await using _file = file;
  const splitter = new LineSplitter(longestLine);
  const buffer = Buffer.alloc(2 ** 16);
  for (let at = from; !signal.aborted;) {
    const { bytesRead } = await file.read(buffer, 0, buffer.length, at);
    at += bytesRead;
    yield* splitter
      .push(buffer.subarray(0, bytesRead))
      .filter((line) => typeof line === 'string' && line !== '') as string[];
    if (bytesRead > 0) continue;
    if ((await file.stat()).nlink === 0) return;
    await soon(signal);
  }
}

async function whenThere(path: string, signal: AbortSignal): Promise<FileHandle | undefined> {
  while (!signal.aborted) {
    const file = await open(path, 'r').catch(undefinedIfMissing);
    if (file) return file;
    await soon(signal);
  }
  return undefined;
}

async function soon(signal: AbortSignal): Promise<void> {
  await sleep(pause, undefined, { signal }).catch(() => undefined);
}
