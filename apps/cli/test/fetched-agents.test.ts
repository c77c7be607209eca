import { chmod, mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { scripted, turnwire, turnwireApart } from './command.ts';
import { enter, inTerminal, type TerminalRun } from './terminal.ts';

interface Place {
  readonly env: Readonly<Record<string, string>>;
  /** The calls of npx, one a line. */
  readonly calls: () => Promise<readonly string[]>;
}

/** A machine on which no agent is installed, with an npx that gets the scripted agent. */
async function machine(): Promise<Place> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'turnwire-fetched-')));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const bin = join(folder, 'bin');
  const log = join(folder, 'calls');
  await mkdir(bin);
  const npx = `#!/bin/sh
echo "$*" >> '${log}'
case "$*" in
  *'-- node --version') echo 'getting it' >&2 ;;
  *) exec ${scripted()} ;;
esac
`;
  await writeFile(join(bin, 'npx'), npx);
  await chmod(join(bin, 'npx'), 0o755);
  return {
    env: {
      XDG_STATE_HOME: join(folder, 'state'),
      XDG_CACHE_HOME: join(folder, 'cache'),
      XDG_CONFIG_HOME: join(folder, 'config'),
      PATH: [bin, dirname(process.execPath), '/usr/bin', '/bin'].join(delimiter),
    },
    calls: async () => (await readFile(log, 'utf8').catch(() => '')).split('\n').filter((line) => line !== ''),
  };
}

const get = '--yes --package=@agentclientprotocol/claude-agent-acp@0.101.0 -- ';

test('a known agent that is not installed runs through npx after one question, in its tested version', async () => {
  const { env, calls } = await machine();
  const run = (): TerminalRun => inTerminal(['claude', 'exec', 'say hello'], { env });
  const refusing = run();
  expect(await refusing.until('(y/n) ')).toContain(
    'Claude Code is not installed. npx can download @agentclientprotocol/claude-agent-acp@0.101.0, the tested version.',
  );
  refusing.type(`n${enter}`);
  expect([await refusing.exitCode, await calls()]).toEqual([5, []]);

  const agreeing = run();
  await agreeing.until('(y/n) ');
  agreeing.type(`y${enter}`);
  await agreeing.until('getting it');
  await agreeing.until('hello');
  expect([await agreeing.exitCode, await calls()]).toEqual([0, [`${get}node --version`, `${get}claude-agent-acp`]]);

  const later = await turnwire(['claude', 'exec', 'say again'], { env });
  // The agent in the place of Claude Code has no modes.
  const warning = 'turnwire: The agent could not be set to ask for permission: The agent has no modes\n';
  expect(later).toEqual({ code: 0, stdout: 'again\n', stderr: warning });
});

test('without a user no agent is downloaded, but agents get downloads it', async () => {
  const { env, calls } = await machine();
  const row = async (): Promise<string | undefined> =>
    (await turnwire(['agents'], { env })).stdout.split('\n').find((line) => line.startsWith('claude\t'));
  const failed = await turnwire(['claude', 'exec', 'say hello'], { env });
  expect([failed.code, failed.stderr, await calls(), await row()]).toEqual([
    1,
    'turnwire: Claude Code is not installed: there is no program claude-agent-acp. To install it: turnwire agents get claude, or npm install -g @agentclientprotocol/claude-agent-acp\n',
    [],
    'claude\tknown\tnot installed; npx can download it\tclaude-agent-acp',
  ]);
  expect(await turnwireApart(['agents', 'get', 'claude'], { env })).toEqual({
    code: 0,
    stdout: 'claude is @agentclientprotocol/claude-agent-acp@0.101.0, through npx\n',
    stderr: 'getting it\n',
  });
  expect([await row(), (await turnwire(['claude', 'exec', 'say hello'], { env })).stdout]).toEqual([
    `claude\tknown\tthrough npx\tnpx ${get}claude-agent-acp`,
    'hello\n',
  ]);
  expect((await turnwire(['agents', 'get', 'pi'], { env })).stderr).toContain(
    'turnwire: pi also needs pi, which is not installed',
  );
  expect((await turnwire(['agents', 'get', 'nothing'], { env })).stderr).toContain("there is no known agent 'nothing'");
});
