import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, test } from 'vitest';
import { untilEnded } from '../../../transports/test/process-life.ts';
import { takeLock } from '../../src/store/session-lock.ts';

test.skipIf(process.platform === 'win32')(
  'a process that ended holds no session, also where nobody asks how it ended',
  async () => {
    const folder = await mkdtemp(join(tmpdir(), 'ended-holder-'));
    // What takes the shell's place has a child it knows nothing of, so the system keeps that child's end for ever.
    const parent = spawn('sh', ['-c', 'true & echo $!; exec sleep 60'], { stdio: ['ignore', 'pipe', 'inherit'] });
    try {
      const [pid] = (await once(createInterface({ input: parent.stdout }), 'line')) as [string];
      await untilEnded(Number(pid));
      const path = join(folder, 'session.lock');
      await writeFile(path, JSON.stringify({ pid: Number(pid), started: '', token: 'other' }));
      const lock = await takeLock(path);
      expect(lock).toEqual({ release: expect.any(Function) });
    } finally {
      parent.kill('SIGKILL');
      await rm(folder, { recursive: true });
    }
  },
);
