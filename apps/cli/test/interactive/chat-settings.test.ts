import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Emulator, type EmulatorOptions, inEmulator, keys, showyAgent } from './emulator.ts';

let folder: string;
beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'turnwire-settings-')));
});
afterEach(() => rm(folder, { recursive: true, maxRetries: 5 }));

/** A chat of a user with these settings. */
async function chatWith(chat: object, { words = [], ...options }: EmulatorOptions = {}): Promise<Emulator> {
  await mkdir(join(folder, 'config', 'turnwire'), { recursive: true });
  await mkdir(join(folder, 'project'));
  await writeFile(join(folder, 'config', 'turnwire', 'config.json'), JSON.stringify({ chat }));
  const env = { XDG_CONFIG_HOME: join(folder, 'config'), XDG_STATE_HOME: join(folder, 'state') };
  const run = inEmulator(['--agent', showyAgent(), '--cwd', join(folder, 'project'), ...words], { ...options, env });
  await run.until('/help for help');
  return run;
}

const lastLine = (screen: readonly string[]): string | undefined => screen.at(-1);

test('with the keys of vim, the status line shows the mode of the editor, and Enter sends from both', async () => {
  const run = await chatWith({ editor: 'vim' });
  run.type(`say one two${keys.escape}`);
  expect(lastLine(await run.until('NORMAL'))).toMatch(/^NORMAL · \/help for help /);
  run.type('bcwthree');
  expect(lastLine(await run.until('say one three'))).toMatch(/^INSERT · /);
  run.type(keys.escape);
  await run.until('NORMAL');
  run.type(keys.enter);
  await run.until((screen) => screen.includes('› say one three') && lastLine(screen)?.startsWith('INSERT') === true);
});

test('a key of the configuration replaces the usual one, which may be turned off', async () => {
  const run = await chatWith({ keys: { enter: 'new-line', 'alt-enter': 'send', f2: 'transcript', 'ctrl-o': 'none' } });
  run.type(`say one${keys.enter}`);
  run.type(`two${keys.ctrl('o')}`);
  await run.until('› say one\n  two');
  run.type('\u001bOQ');
  await run.until('q goes back');
  run.type('q');
  await run.until('› say one\n  two');
  run.type('\u001b\r');
  expect(await run.until('› type a prompt')).toContain('› say one');
});

test('the status line shows the chosen facts in their order, and always that everything is allowed', async () => {
  const run = await chatWith({ statusLine: ['agent', 'folder'] }, { words: ['--approve-all'] });
  expect(lastLine(await run.until('/help for help'))).toMatch(/ \S.* · project · approval bypassPermissions$/);
});

test('a terminal with the kitty keyboard protocol is asked to use it, and left as it was', async () => {
  const run = await chatWith({});
  run.type('\u001b[?0u');
  run.type('say one\u001b[13;2utwo');
  await run.until('› say one\n  two');
  run.type('\u001b[117;5u\u001b[117;5u\u001b[117;5u');
  await run.until('› type a prompt');
  run.type('\u001b[100;5u');
  expect(await run.exitCode).toBe(0);
  expect([run.sent.split('\u001b[>1u').length, run.sent.split('\u001b[<u').length]).toEqual([2, 2]);
});

test.each([
  ['auto', '\u001b[38;5;30m'],
  ['dark', '\u001b[36m'],
])('with the theme %s, colours on a light background are %j', async (theme, cyan) => {
  const run = await chatWith({ theme }, { colour: true });
  run.type('\u001b]11;rgb:ffff/ffff/ffff\u001b\\');
  const before = run.sent.length;
  run.type('hello');
  await run.until('› hello');
  expect(run.sent.slice(before)).toContain(`${cyan}› `);
});

test('Esc twice without a turn goes back to an earlier prompt, or recalls it where the agent cannot go back', async () => {
  const run = await chatWith({});
  run.type(`say hello${keys.enter}`);
  await run.until((screen) => lastLine(screen)?.includes('/help for help') === true && screen.includes('› say hello'));
  run.type(keys.escape);
  await run.until('Esc again goes back to an earlier prompt');
  run.type(keys.escape);
  await run.until('Earlier prompts');
  run.type(keys.enter);
  const screen = await run.until((lines) => lines.filter((line) => line === '› say hello').length === 2);
  expect(screen.at(-2)).toMatch(/^─+$|^› say hello$/);
});
