import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { sessionFixture } from './session-fixture.ts';

/** Mebibytes: what Node takes with what is on its way, and less than the flood comes to in memory. */
const modest = 300;

/** The most memory a process ever held, in mebibytes. */
async function mostMemory(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Math.round(Number(/^VmHWM:\s+(\d+)/m.exec(status)?.[1]) / 1024);
}

test.skipIf(process.platform !== 'linux')(
  'a session host stores a long turn on disk and keeps none of it in memory',
  async () => {
    const { run, hostPid, state } = await sessionFixture();
    await run(['sessions', 'new']);
    // Nobody listens, so nothing but the disk holds the agent back.
    await run(['--no-wait', 'flood 200000 600']);
    const { stdout } = await run(['say done']);
    const most = await mostMemory(await hostPid());
    const { size } = await stat(join(state, 'turnwire', 'sessions.sqlite'));
    expect({ stdout, isWhole: size > 120_000_000, isModest: most < modest }).toEqual({
      stdout: 'done\n',
      isWhole: true,
      isModest: true,
    });
  },
);
