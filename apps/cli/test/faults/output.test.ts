import { execFileSync } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { faultyRoom } from './faulty.ts';

/** Mebibytes a process holds. */
function memoryOf(pid: number): number {
  return Math.round(Number(execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' })) / 1024);
}

/** The most it holds while a promise is pending. */
async function mostMemory(pid: number, until: Promise<unknown>): Promise<number> {
  let most = 0;
  let isOver = false;
  void until.finally(() => (isOver = true));
  while (!isOver) {
    try {
      most = Math.max(most, memoryOf(pid));
    } catch {
      break;
    }
    await delay(50);
  }
  return most;
}

/** Mebibytes: what Node takes and a connection may hold, and less than what the flood comes to. */
const modest = 500;

describe('a flood', () => {
  test.each([
    ['text', 10_000_000],
    ['json', 1_000_002],
    ['quiet', 10_000_000],
  ])(
    'of a million updates is printed as %s in little memory',
    async (format, size) => {
      const room = await faultyRoom();
      const { child } = room.start(['exec', '--format', format, 'flood 1000000']);
      let count = 0;
      child.stdout?.on('data', (chunk: Buffer) => {
        if (format !== 'json') count += chunk.length;
        else for (const byte of chunk) if (byte === 0x0a) count++;
      });
      const closed = new Promise<number | null>((resolve) => child.once('close', resolve));
      const most = await mostMemory(child.pid ?? 0, closed);
      expect({ code: await closed, isWhole: count >= size }).toEqual({ code: 0, isWhole: true });
      expect(most).toBeLessThan(modest);
    },
    60_000,
  );

  test.each(['text', 'json'])(
    'waits for a reader that takes its time: %s',
    async (format) => {
      const room = await faultyRoom();
      const { child } = room.start(['exec', '--format', format, 'flood 1000000 600']);
      const most = await mostMemory(child.pid ?? 0, delay(3_000));
      child.stdout?.resume();
      const code = await new Promise((resolve) => child.once('close', resolve));
      expect(code).toBe(0);
      expect(most).toBeLessThan(modest);
    },
    60_000,
  );
});

describe('somebody at the other end who', () => {
  test.each([
    ['takes a few characters and leaves', '"$@" | head -c 9'],
    ['leaves at once', '"$@" | true'],
    ['has closed stderr', '"$@" 2>&- | head -c 9'],
    ['has closed stdin', '"$@" <&- | head -c 9'],
    ['has closed everything', '"$@" <&- >&- 2>&-'],
  ])('%s ends the command and the agent', async (_, shell) => {
    const seen = [];
    for (const format of ['text', 'json']) {
      const room = await faultyRoom();
      const run = room.start(['exec', '--format', format, 'stream'], {
        shell: shell.includes('>&- 2') ? `${shell} & sleep 1; kill $!; wait` : shell,
      });
      const { stderr } = await run.outcome();
      seen.push({ stderr, left: await room.left() });
    }
    expect(seen).toEqual(seen.map(() => ({ stderr: '', left: [] })));
  });

  test('does not read cannot keep the command from being stopped', async () => {
    const room = await faultyRoom();
    const seen = [];
    for (const format of ['text', 'json']) {
      const { child } = room.start(['exec', '--timeout', '1', '--format', format, 'stream']);
      const code = await new Promise((resolve) => child.once('exit', resolve));
      seen.push({ code, left: await room.left() });
    }
    expect(seen).toEqual([
      { code: 3, left: [] },
      { code: 3, left: [] },
    ]);
  });
});
