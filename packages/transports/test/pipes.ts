import { execFileSync } from 'node:child_process';
import { constants, mkdtempSync, openSync, rmSync } from 'node:fs';
import { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';

/** Both ends of a pipe of the operating system. */
export interface Pipe {
  readonly read: Readable;
  readonly write: Writable;
}

/** Opens a pipe of the operating system through a named one, which is deleted at once. */
export function openPipe(): Pipe {
  const folder = mkdtempSync(join(tmpdir(), 'turnwire-pipe-'));
  const path = join(folder, 'pipe');
  execFileSync('mkfifo', [path]);
  const reading = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  const writing = openSync(path, constants.O_WRONLY | constants.O_NONBLOCK);
  rmSync(folder, { recursive: true });
  return {
    read: new Socket({ fd: reading, readable: true, writable: false }),
    write: new Socket({ fd: writing, readable: false, writable: true }),
  };
}
