import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test, vi } from 'vitest';
import { within } from '../../../../tools/pace.ts';
import { CoderHome, coderCommand } from './coder-home.ts';

// Each step starts processes, more than one after the other.

/** The command that starts acpx, which needs a newer Node.js than we do: `/path/to/node /path/to/acpx/dist/cli.js`. */
const acpx = process.env['TURNWIRE_TEST_ACPX']?.split(' ') ?? [];

test('acpx goes through new, prompt, permission, edit, load, list and cancel', async ({ skip }) => {
  const [program, ...args] = acpx;
  if (program === undefined) return skip('TURNWIRE_TEST_ACPX does not say how acpx is started');
  await using home = await CoderHome.open({ files: { 'notes.txt': 'alpha\n' } });
  const env = { PATH: process.env['PATH'], HOME: home.folder, ...home.env };
  const run = async (...more: readonly string[]): Promise<string> => {
    const all = [...args, '--agent', coderCommand.join(' '), ...more];
    // It fails when every request was refused.
    const ended = promisify(execFile)(program, all, { cwd: home.work, env });
    const { stdout } = await ended.catch((error: unknown) => error as { readonly stdout: string });
    return stdout;
  };
  await run('sessions', 'new');
  const refused = await run('--deny-all', 'delete notes.txt');
  const edited = await run('--approve-all', 'replace "alpha" with "beta" in notes.txt');
  const created = await run('--approve-all', 'create made.txt with "made" then run echo two words | wc -w');
  const running = run('--approve-all', 'create begun.txt with "" then run sleep 60');
  await vi.waitFor(async () => expect(await home.files()).toContain('begun.txt'), { timeout: within(30_000) });
  await vi.waitFor(async () => expect(await run('cancel')).toContain('cancel requested'), { timeout: within(30_000) });
  const endings = [refused, edited, created, await running].map((text) => /\[done\] (\w+)/.exec(text)?.[1]);
  expect([endings, await home.read('notes.txt'), await home.files()]).toEqual([
    ['end_turn', 'end_turn', 'end_turn', 'cancelled'],
    'beta\n',
    ['begun.txt', 'made.txt', 'notes.txt'],
  ]);
  await run('sessions', 'close');
  expect(await run('sessions', 'list')).toContain('delete notes.txt');
});
