import { type FileHandle, open, stat } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { type TraceItem, traceEvents } from '../trace-events.ts';

/** How often a file is looked at, in milliseconds. */
const lookEvery = 100;
const chunkSize = 64 * 1024;

/**
 * Reads a trace while it is written: all that is there, then what comes, until the signal is aborted. A file that is not there yet is
 * waited for; when the trace continues in a new file, so does this. Rejects with the errors of the file system.
 */
export async function* followTrace(path: string, signal: AbortSignal): AsyncGenerator<TraceItem, undefined> {
  while (!signal.aborted) {
    const file = await open(path, 'r').catch(unlessMissing);
    if (file === undefined) {
      await rest(signal);
      continue;
    }
    try {
      yield* traceEvents({ lines: linesOf(path, file, signal) });
    } finally {
      await file.close();
    }
  }
}

/** The lines of one file as they come. Ends when another file has taken its place. */
async function* linesOf(path: string, file: FileHandle, signal: AbortSignal): AsyncGenerator<string, undefined> {
  const decoder = new TextDecoder();
  const buffer = new Uint8Array(chunkSize);
  let begun = '';
  while (!signal.aborted) {
    const { bytesRead } = await file.read(buffer, 0, chunkSize);
    if (bytesRead > 0) {
      const [first = '', ...lines] = decoder.decode(buffer.subarray(0, bytesRead), { stream: true }).split('\n');
      begun += first;
      for (const line of lines) {
        yield begun;
        begun = line;
      }
    } else if (await isReplaced(path, file)) return;
    else await rest(signal);
  }
}

async function isReplaced(path: string, file: FileHandle): Promise<boolean> {
  const now = await stat(path).catch(unlessMissing);
  const { ino } = await file.stat();
  return now !== undefined && now.ino !== ino;
}

function rest(signal: AbortSignal): Promise<void> {
  return delay(lookEvery, undefined, { signal }).catch(() => undefined);
}

function unlessMissing(error: unknown): undefined {
  if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
}
