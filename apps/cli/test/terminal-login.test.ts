import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { runTerminalLogin } from '../src/driving/terminal-login.ts';

test('a login runs without the tokens of this process and without variables that load other code, and says so', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'turnwire-login-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  vi.stubEnv('GITHUB_TOKEN', 'secret');
  vi.stubEnv('DISPLAY', ':7');
  onTestFinished(() => void vi.unstubAllEnvs());
  const written = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  onTestFinished(() => void written.mockRestore());
  const program = `require('node:fs').writeFileSync('env.json', JSON.stringify(process.env))`;
  const method = {
    id: 'here',
    name: 'Here',
    env: { LOGIN_AS: 'ada', NODE_OPTIONS: '--title=theirs', 'LD_PRELOAD\u001b[2J': 'x' },
  };
  const command = { choice: {}, words: [process.execPath, '-e', program], env: { KEPT: 'yes' }, inheritEnv: [] };
  const isDone = await runTerminalLogin(method, { command, cwd: folder, signal: new AbortController().signal });
  const env = JSON.parse(await readFile(join(folder, 'env.json'), 'utf8')) as Record<string, string>;
  const said = written.mock.calls.map(([text]) => String(text)).join('');
  const { LOGIN_AS, KEPT, DISPLAY, GITHUB_TOKEN, NODE_OPTIONS, PATH } = env;
  expect({ isDone, LOGIN_AS, KEPT, DISPLAY, GITHUB_TOKEN, NODE_OPTIONS, PATH, said }).toEqual({
    isDone: true,
    LOGIN_AS: 'ada',
    KEPT: 'yes',
    DISPLAY: ':7',
    GITHUB_TOKEN: undefined,
    NODE_OPTIONS: undefined,
    PATH: process.env['PATH'],
    said: expect.stringMatching(
      /^turnwire: the agent asks for this login to run with NODE_OPTIONS, LD_PRELOAD\S* set/,
    ) as unknown,
  });
  expect(said).not.toContain('\u001b');
});
