import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { sessionRoom } from './session-room.ts';

/** Mebibytes: what Node takes with what is on its way, and far less than the flood comes to in memory. */
const modest = 400;

/** The most memory a process ever held, in mebibytes. */
async function mostMemory(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Math.round(Number(/^VmHWM:\s+(\d+)/m.exec(status)?.[1]) / 1024);
}

test.skipIf(process.platform !== 'linux')(
  'the owner of a session keeps nothing of a long turn in memory',
  async () => {
    const { run, ownerPid } = await sessionRoom();
    await run(['sessions', 'new']);
    const { code, stdout } = await run(['prompt', 'flood 200000 600']);
    const most = await mostMemory(await ownerPid());
    expect({ code, length: stdout.trimEnd().length, isModest: most < modest }).toEqual({
      code: 0,
      length: 120_000_000,
      isModest: true,
    });
  },
  60_000,
);
