import { type ChildProcess, execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import type { Outcome } from '../command.ts';
import { faultyFixture } from './faulty.ts';

/** Mebibytes: what Node takes and a connection may hold, and less than what the floods come to in memory. */
const modest = 500;

/**
 * Runs the command with less memory than the text of a flood comes to: if it kept that, it would end with an error. It is several times
 * what a connection may hold for a reader that takes its time.
 */
const littleHeap = 'NODE_OPTIONS=--max-old-space-size=40 exec "$@"';

/** The most mebibytes a process holds while a promise is pending. */
async function mostMemory({ pid = 0 }: ChildProcess, until: Promise<unknown>): Promise<number> {
  let most = 0;
  let isOver = false;
  void until.finally(() => (isOver = true));
  for (; !isOver; await delay(50)) most = Math.max(most, memoryOf(pid));
  return most;
}

/** The mebibytes that a process holds, 0 if it is gone. */
function memoryOf(pid: number): number {
  try {
    const kibibytes =
      process.platform === 'linux'
        ? /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
        : execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' });
    return Math.round(Number(kibibytes ?? 0) / 1024);
  } catch {
    return 0;
  }
}

/** Counts what is printed: lines of JSON, or else characters. */
function counted({ stdout }: ChildProcess, format: string): () => number {
  let count = 0;
  stdout?.on('data', (chunk: Buffer) => {
    if (format !== 'json') count += chunk.length;
    else for (let at = chunk.indexOf('\n'); at !== -1; at = chunk.indexOf('\n', at + 1)) count++;
  });
  return () => count;
}

const ended = (child: ChildProcess): Promise<unknown> => new Promise((resolve) => child.once('close', resolve));

describe('a flood of updates', () => {
  test('a flood of updates is printed completely with bounded memory', async () => {
    const sizes = { text: 52_000_001, json: 2_006 };
    const seen = await Promise.all(
      Object.keys(sizes).map(async (format) => {
        const fixture = await faultyFixture();
        const { child } = fixture.start(['exec', '--format', format, 'flood 2000 26000'], { shell: littleHeap });
        const count = counted(child, format);
        const code = ended(child);
        const most = await mostMemory(child, code);
        return { format, code: await code, isModest: most < modest, count: count() };
      }),
    );
    expect(seen).toEqual(Object.entries(sizes).map(([format, count]) => ({ format, code: 0, isModest: true, count })));
  });

  test('a slow reader makes the agent wait', async () => {
    const sizes = { text: 40_000_001, json: 1_006 };
    const seen = await Promise.all(
      Object.keys(sizes).map(async (format) => {
        const fixture = await faultyFixture('tell');
        const { child } = fixture.start(['exec', '--format', format, 'flood 1000 40000']);
        const most = await mostMemory(child, delay(3_000));
        const isHeld = !existsSync(join(fixture.project, 'flood-is-over'));
        const count = counted(child, format);
        return { format, code: await ended(child), isHeld, isModest: most < modest, count: count() };
      }),
    );
    expect(seen).toEqual(
      Object.entries(sizes).map(([format, count]) => ({ format, code: 0, isHeld: true, isModest: true, count })),
    );
  });
});

test('a thousand permission requests at once are answered', async () => {
  const fixture = await faultyFixture();
  const answered = (flag: string, count: number): Promise<Outcome> =>
    fixture.run(['exec', flag, `permissions ${count}`]);
  const [allowed, refused] = await Promise.all([answered('--approve-all', 1_000), answered('--deny-all', 500)]);
  expect({ allowed, refused: { code: refused.code, stdout: refused.stdout } }).toEqual({
    allowed: { code: 0, stdout: '{"yes":1000}\n', stderr: '' },
    refused: { code: 5, stdout: '{"no":500}\n' },
  });
});

test('requests outside the session folders are refused even with --approve-all', async () => {
  const fixture = await faultyFixture();
  const requests = [
    ['fs/read_text_file', { path: '/etc/passwd' }],
    ['fs/write_text_file', { path: join(fixture.project, '..', 'escaped'), content: '' }],
    ['terminal/create', { command: 'pwd', cwd: '/' }],
    ['no/such_method', {}],
  ];
  const run = await fixture.run(['exec', '--approve-all', `ask ${JSON.stringify(requests)}`]);
  expect(run.stdout).toBe('[-32602,-32602,-32602,-32601]\n');
});

describe('a reader of stdout', () => {
  test.each([
    ['takes a few characters and leaves', '"$@" | head -c 9'],
    ['leaves at once', '"$@" | true'],
    ['has closed stderr', '"$@" 2>&- | head -c 9'],
    ['has closed stdin', '"$@" <&- | head -c 9'],
  ])('a reader that %s ends the command and the agent', async (_, shell) => {
    const seen = await Promise.all(
      ['text', 'json'].map(async (format) => {
        const fixture = await faultyFixture();
        const { stderr } = await fixture.start(['exec', '--format', format, 'stream'], { shell }).outcome();
        return { stderr, left: await fixture.left() };
      }),
    );
    expect(seen).toEqual(seen.map(() => ({ stderr: '', left: [] })));
  });

  test('a reader that never reads cannot keep the command from stopping', async () => {
    const seen = await Promise.all(
      ['text', 'json'].map(async (format) => {
        const fixture = await faultyFixture();
        const { child } = fixture.start(['exec', '--timeout', '1', '--format', format, 'stream']);
        const code = await new Promise((resolve) => child.once('exit', resolve));
        return { code, left: await fixture.left() };
      }),
    );
    expect(seen).toEqual(seen.map(() => ({ code: 3, left: [] })));
  });
});

test('a message beyond the size limit is reported, and its turn fails', async () => {
  const fixture = await faultyFixture();
  const lost = 'message of the agent of 65 MiB exceeds the limit and was dropped';
  const missing = `turnwire: Part of the turn is missing: a ${lost}\n`;
  expect(await fixture.run(['exec', 'huge 64'])).toEqual({
    code: 1,
    stdout: 'after it\n',
    stderr: `turnwire: A ${lost}\n${missing}`,
  });
  await fixture.run(['sessions', 'new']);
  const prompted = await fixture.run(['prompt', 'huge 64']);
  await fixture.run(['sessions', 'close']);
  expect(prompted).toEqual({ code: 1, stdout: 'after it\n', stderr: `turnwire: A ${lost}\n${missing}` });
});
