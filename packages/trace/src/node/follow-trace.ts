import { type FileHandle, open, stat } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { type TraceItem, traceEvents } from '../trace-events.ts';

/** How often to check the file, in milliseconds. */
const checkEvery = 100;
const chunkSize = 64 * 1024;

/**
 * Reads a trace while it is being written: first its content, then everything that is added, until the signal is aborted. Waits for a
 * missing file, and follows a trace that continues in a new file. Rejects with errors of the file system.
 */
export async function* followTrace(path: string, signal: AbortSignal): AsyncGenerator<TraceItem, undefined> {
  while (!signal.aborted) {
    const file = await open(path, 'r').catch(unlessMissing);
    if (file === undefined) {
      await pause(signal);
      continue;
    }
    try {
      yield* traceEvents({ lines: linesOf(path, file, signal) });
    } finally {
      await file.close();
    }
  }
}

/** The lines of one file as they are written. Ends when another file has replaced it. */
async function* linesOf(path: string, file: FileHandle, signal: AbortSignal): AsyncGenerator<string, undefined> {
  const decoder = new TextDecoder();
  const buffer = new Uint8Array(chunkSize);
  let partial = '';
  while (!signal.aborted) {
    const { bytesRead } = await file.read(buffer, 0, chunkSize);
    if (bytesRead > 0) {
      const [first = '', ...lines] = decoder.decode(buffer.subarray(0, bytesRead), { stream: true }).split('\n');
      partial += first;
      for (const line of lines) {
        yield partial;
        partial = line;
      }
    } else if (await isReplaced(path, file)) return;
    else await pause(signal);
  }
}

async function isReplaced(path: string, file: FileHandle): Promise<boolean> {
  const now = await stat(path).catch(unlessMissing);
  const { ino } = await file.stat();
  return now !== undefined && now.ino !== ino;
}

function pause(signal: AbortSignal): Promise<void> {
  return delay(checkEvery, undefined, { signal }).catch(() => undefined);
}

function unlessMissing(error: unknown): undefined {
  if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
}
