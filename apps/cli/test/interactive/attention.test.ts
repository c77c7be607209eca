import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { beginChat, keys } from './emulator.ts';

let folder: string;
beforeAll(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'turnwire-attention-')));
});
afterAll(() => rm(folder, { recursive: true, maxRetries: 5 }));

const [focusIn, focusOut] = ['\u001b[I', '\u001b[O'];
const titles = (sent: string): string[] =>
  // oxlint-disable-next-line no-control-regex -- the title of a window is such a sequence
  Array.from(sent.matchAll(/\u001b\]2;([^\u0007]*)\u0007/g), ([, title = '']) => title);
const request = JSON.stringify({ toolCallId: 'b', title: 'List', kind: 'execute', rawInput: { command: 'ls' } });

test('a question and the end of a turn ring the bell, notify and change the title while the terminal has no focus', async () => {
  const run = await beginChat(folder, { env: { TERM_PROGRAM: 'ghostty' } });
  const name = basename(folder);
  run.type(focusOut);
  run.type(`ask ${request}${keys.enter}`);
  await run.until('$ ls');
  expect(run.sent).toContain(`\u0007\u001b]777;notify;turnwire;a question waits in ${name}\u0007`);
  await run.until((lines) => !lines.some((line) => line.startsWith('a question: ')));
  run.type(focusIn + focusOut + 'n');
  // A key says that the user is back; the turn ends while they look elsewhere again.
  await run.until('selected no');
  await expect.poll(() => run.sent).toContain(`\u001b]777;notify;turnwire;the turn is over in ${name}\u0007`);
  // The title comes behind the notification, and may be read a moment later.
  await expect
    .poll(() => titles(run.sent).filter((title) => !title.startsWith('turnwire')))
    .toEqual([`● asks · ${name}`, `✓ done · ${name}`]);
  run.type(focusIn);
  await expect.poll(() => titles(run.sent).at(-1)).toBe(`turnwire · ${name}`);
});

test('a focused terminal gets no bell and no notification, and its title and modes are restored', async () => {
  const run = await beginChat(folder, { env: { TERM_PROGRAM: 'iTerm.app' } });
  run.type(`${focusIn}say hello${keys.enter}`);
  await run.until('\nhello');
  run.type(`/quit${keys.enter}`);
  await run.exitCode;
  expect(run.sent).not.toContain('\u001b]9;');
  expect(run.sent.slice(run.sent.lastIndexOf('\u001b[?1004')).slice(0, 8)).toBe('\u001b[?1004l');
  expect(run.sent).toContain('\u001b[22;2t');
  expect(run.sent).toContain('\u001b[23;2t');
});

test('"notifications": false leaves the title and the bell alone', async () => {
  const settings = join(folder, 'config');
  await mkdir(join(settings, 'turnwire'), { recursive: true });
  await writeFile(join(settings, 'turnwire', 'config.json'), '{"notifications": false}');
  const run = await beginChat(folder, { env: { XDG_CONFIG_HOME: settings } });
  run.type(`${focusOut}say hello${keys.enter}`);
  await run.until('\nhello');
  await run.until('/help for help');
  expect([titles(run.sent), run.sent.includes('\u001b]9;')]).toEqual([[], false]);
});
