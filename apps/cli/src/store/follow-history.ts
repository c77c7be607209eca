import { type FileHandle, open, stat } from 'node:fs/promises';
import { StringDecoder } from 'node:string_decoder';

/** How often to look for more, in milliseconds. */
const pause = 100;

/** How a history is followed. */
export interface FollowOptions {
  /** Ends it. */
  readonly signal: AbortSignal;
  /** From which byte on. */
  readonly from: number;
}

/** How long a history is, in bytes; 0 if there is none. */
export async function historySize(path: string): Promise<number> {
  return stat(path).then(
    ({ size }) => size,
    () => 0,
  );
}

/** The lines that are added to a history, as they come; waits for the file if there is none. Ends when the file is deleted. */
export async function* followHistory(path: string, { signal, from }: FollowOptions): AsyncGenerator<string, void> {
  const file = await whenThere(path, signal);
  if (!file) return;
  await using _file = file;
  const decoder = new StringDecoder('utf8');
  const buffer = Buffer.alloc(2 ** 16);
  let rest = '';
  for (let at = from; !signal.aborted;) {
    const { bytesRead } = await file.read(buffer, 0, buffer.length, at);
    at += bytesRead;
    const lines = (rest + decoder.write(buffer.subarray(0, bytesRead))).split('\n');
    rest = lines.pop() ?? '';
    yield* lines.filter((line) => line !== '');
    if (bytesRead > 0) continue;
    if ((await file.stat()).nlink === 0) return;
    await soon(signal);
  }
}

async function whenThere(path: string, signal: AbortSignal): Promise<FileHandle | undefined> {
  while (!signal.aborted) {
    const file = await open(path, 'r').catch(undefinedIfAbsent);
    if (file) return file;
    await soon(signal);
  }
  return undefined;
}

function undefinedIfAbsent(error: unknown): undefined {
  if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
}

function soon(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, pause);
    signal.addEventListener('abort', done);
  });
}
