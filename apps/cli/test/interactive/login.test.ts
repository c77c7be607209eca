import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { turnwire } from '../command.ts';
import { type Emulator, inEmulator, keys, showyAgent } from './emulator.ts';

let folder: string;
let agent: string;
beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'turnwire-login-')));
  agent = showyAgent('terminal-login', join(folder, 'logged-in'));
});
afterEach(() => rm(folder, { recursive: true, maxRetries: 5 }));

const asks = (sign: string) => (lines: readonly string[]) => lines.at(-1)?.endsWith(sign) === true;

/** The login has the terminal. */
async function beginLogin(): Promise<Emulator> {
  const run = inEmulator(['--agent', agent, '--cwd', folder]);
  await run.until('requires a login: /login');
  run.type(`/login${keys.enter}`);
  await run.until('❯ In the terminal');
  run.type(keys.enter);
  await run.until(asks('Password of ada?'));
  return run;
}

test('a terminal login has the terminal for itself, and the chat continues afterwards', async () => {
  const run = await beginLogin();
  const suspended = run.modes;
  run.type('secret\r');
  await run.until('Ask first');
  run.type(`say hello${keys.enter}`);
  await run.until('\nhello');
  expect({ suspended, back: run.modes, lines: run.everything }).toEqual({
    suspended: { bracketedPaste: false, alternate: false, wraparound: true },
    back: { bracketedPaste: true, alternate: false, wraparound: true },
    lines: expect.arrayContaining(['Password of ada? secret', 'welcome', '› say hello', 'hello']) as unknown,
  });
});

test('a failed login is reported and can be repeated', async () => {
  const run = await beginLogin();
  run.type('guess\r');
  await run.until('was not completed; try again');
  run.type(`/login${keys.enter}`);
  await run.until('❯ In the terminal');
  run.type(keys.enter);
  await run.until(asks('Password of ada?'));
  run.type('secret\r');
  expect((await run.until('Ask first')).at(-1)).toContain('Ask first');
});

test('Ctrl-C ends the login but not the chat', async () => {
  const run = await beginLogin();
  run.type(keys.ctrl('c'));
  await run.until('was not completed; try again');
  run.type(keys.ctrl('d'));
  expect(await run.exitCode).toBe(0);
});

test('a signal that ends the chat also ends the login', async () => {
  const run = await beginLogin();
  process.kill(run.pid, 'SIGTERM');
  expect({ code: await run.exitCode, modes: run.modes }).toEqual({
    code: 143,
    modes: { bracketedPaste: false, alternate: false, wraparound: true },
  });
});

test('a login works in a plain chat', async () => {
  const run = inEmulator(['--plain', '--agent', agent, '--cwd', folder], { columns: 120 });
  await run.until('The agent requires a login: /login');
  await run.until(asks('>'));
  run.type(`/login${keys.enter}`);
  await run.until(asks('Answer (1-1, or nothing):'));
  run.type(`1${keys.enter}`);
  await run.until(asks('Password of ada?'));
  run.type('secret\r');
  await run.until((lines) => lines.includes('logged in') && asks('>')(lines));
  run.type(`say hello${keys.enter}`);
  expect(await run.until('\nhello')).toEqual(expect.arrayContaining(['welcome', 'hello']));
});

test('the login that --auth names runs at once, and the session starts', async () => {
  const run = inEmulator(['--auth', 'here', '--model', 'large', '--agent', agent, '--cwd', folder]);
  await run.until(asks('Password of ada?'));
  run.type('secret\r');
  expect((await run.until('Large one · Ask first')).join('\n')).not.toContain('requires a login');
});

test('exec at a terminal prints the login command', async () => {
  const run = inEmulator(['exec', '--agent', agent, '--cwd', folder, 'say hello'], { columns: 400 });
  expect(await run.exitCode).toBe(1);
  const lines = run.everything.map((line) => line.replaceAll("'", ''));
  expect(lines.slice(-2)).toEqual([
    'Log in with this command, then try again:',
    `  env LOGIN_AS=ada ${agent.replaceAll("'", '')} --login`,
  ]);
});

test('exec with --auth prints the login command and does not run it', async () => {
  const run = inEmulator(['exec', '--auth', 'here', '--agent', agent, '--cwd', folder, 'say hello'], { columns: 400 });
  expect({ code: await run.exitCode, text: run.everything.join('\n') }).toEqual({
    code: 1,
    text: expect.stringMatching(
      /"In the terminal" is a login at a terminal\. Log in with this command[^]* --login$/,
    ) as unknown,
  });
});

test('without a terminal the agent does not learn of terminal logins', async () => {
  const { code, stderr } = await turnwire(['exec', '--agent', agent, '--cwd', folder, 'say hello']);
  expect({ code, mentions: stderr.includes('In the terminal') }).toEqual({ code: 1, mentions: false });
});
