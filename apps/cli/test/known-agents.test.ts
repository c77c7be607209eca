import { copyFile, mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { knownAgentNamed } from '@turnwire/client/known-agents';
import { describe, expect, test } from 'vitest';
import type { Outcome, RunOptions } from './command.ts';
import { type SessionFixture, sessionFixture } from './session-fixture.ts';

interface KnownFixture extends SessionFixture {
  readonly allowed: (rules: object) => Promise<void>;
}

/** A fixture with an agent that is taken for a known one, since it is in its package. */
async function fixtureOf(name: string, ...flags: readonly string[]): Promise<KnownFixture> {
  const fixture = await sessionFixture();
  const folder = dirname(fixture.project);
  const script = join(folder, 'node_modules', knownAgentNamed(name)!.package!, 'agent.mjs');
  await mkdir(dirname(script), { recursive: true });
  await copyFile(fileURLToPath(new URL('fixtures/session-agent.mjs', import.meta.url)), script);
  const agent = [process.execPath, script, join(folder, 'agent'), ...flags].map((word) => `'${word}'`).join(' ');
  const run = (words: readonly string[], options?: RunOptions): Promise<Outcome> =>
    fixture.bare(['--agent', agent, ...words], options);
  const rulesFile = join(folder, 'config', 'turnwire', 'permissions.json');
  const allowed = async (rules: object): Promise<void> => {
    await mkdir(dirname(rulesFile), { recursive: true });
    await writeFile(rulesFile, JSON.stringify(rules));
  };
  return { ...fixture, agent, run, allowed };
}

const said = (stdout: string): Outcome => ({ code: 0, stdout: `${stdout}\n`, stderr: '' });

describe('an agent that asks only in a certain mode', () => {
  test('an agent that asks only in a certain mode is set to that mode for a turn, unless everything is allowed', async () => {
    const { run, allowed } = await fixtureOf('codex', 'read-only');
    expect([
      await run(['exec', 'settings']),
      await run(['--deny-all', 'exec', 'settings']),
      await run(['--approve-all', 'exec', 'settings']),
      await run(['--permission-mode', 'bypassPermissions', 'exec', 'settings']),
    ]).toEqual([said('read-only small'), said('read-only small'), said('code small'), said('code small')]);
    await allowed({ deny: ['Bash(rm *)'] });
    expect(await run(['--approve-all', 'exec', 'settings'])).toEqual(said('read-only small'));
    expect(await run(['chat'], { stdin: 'settings\n' })).toEqual(said('read-only small'));
  });

  test('the first prompt of a session that needs permission sets the asking mode, and a restart sets it again', async () => {
    const { run } = await fixtureOf('codex', 'read-only');
    await run(['sessions', 'new']);
    const before = await run(['--approve-all', 'prompt', 'settings']);
    const asked = await run(['prompt', 'settings']);
    await run(['prompt', 'die']);
    const again = await run(['prompt', 'settings']);
    expect([before, asked, again.stdout]).toEqual([said('code small'), said('read-only small'), 'read-only small\n']);
  });

  test('an agent stays in the mode that the user set', async () => {
    const { run } = await fixtureOf('codex', 'read-only');
    await run(['sessions', 'new']);
    await run(['set-mode', 'plan']);
    expect(await run(['prompt', 'settings'])).toEqual(said('plan small'));
  });
});

test('an agent without its expected asking mode is reported', async () => {
  const { run } = await fixtureOf('codex');
  expect(await run(['exec', 'settings'])).toEqual({
    ...said('code small'),
    stderr:
      'turnwire: The agent could not be set to ask for permission: Nothing was sent: the agent has no mode "read-only"; it has: code, plan\n',
  });
});

test('an agent that asks only with an environment variable gets that variable, unless the user sets it', async () => {
  const { run } = await fixtureOf('opencode');
  expect([
    await run(['exec', 'env OPENCODE_PERMISSION']),
    await run(['--env', 'OPENCODE_PERMISSION={}', 'exec', 'env OPENCODE_PERMISSION']),
    await run(['chat'], { stdin: 'env OPENCODE_PERMISSION\n' }),
  ]).toEqual([
    said('OPENCODE_PERMISSION={"edit":"ask","bash":"ask","webfetch":"ask"}'),
    said('OPENCODE_PERMISSION={}'),
    said('OPENCODE_PERMISSION={"edit":"ask","bash":"ask","webfetch":"ask"}'),
  ]);
});

describe('an agent that never asks for permission', () => {
  const told = 'turnwire: this agent never asks for permission\n';
  const refused = {
    code: 5,
    stdout: '',
    stderr:
      'turnwire: this agent never asks for permission, so nothing it does can be refused, and it was not started. ' +
      'Name another agent, or leave out the options that refuse: --deny-all, --permission-mode plan, --allowed-tools, or a policy that denies\n',
  };

  test('an agent that never asks is announced before each turn, unless everything is allowed', async () => {
    const { run } = await fixtureOf('pi');
    await run(['sessions', 'new']);
    expect([
      await run(['exec', 'say done']),
      await run(['prompt', 'say done']),
      await run(['chat'], { stdin: 'say done\n' }),
      await run(['--approve-all', 'exec', 'say done']),
    ]).toEqual([
      { ...said('done'), stderr: told },
      { ...said('done'), stderr: told },
      { ...said('done'), stderr: told },
      said('done'),
    ]);
  });

  test('an agent that never asks does not start if everything is refused', async () => {
    const { run } = await fixtureOf('pi');
    await run(['sessions', 'new']);
    expect([
      await run(['--deny-all', 'exec', 'say done']),
      await run(['--permission-mode', 'plan', 'exec', 'say done']),
      await run(['--allowed-tools', 'Read', 'exec', 'say done']),
      await run(['--policy', '{"defaultAction": "deny"}', 'exec', 'say done']),
      await run(['--deny-all', 'prompt', 'say done']),
      await run(['--deny-all', 'chat'], { stdin: 'say done\n' }),
    ]).toEqual([refused, refused, refused, refused, refused, refused]);
  });
});

test('a command rule applies to an agent that sends commands as titles', async () => {
  const { run } = await fixtureOf('gemini');
  const wants = (toolCallId: string): string =>
    `wants ${JSON.stringify({ toolCallId, kind: 'execute', title: 'npm test' })}`;
  const policy = ['--policy', '{"autoApprove": ["Bash(npm test)"], "defaultAction": "deny"}'];
  await run(['sessions', 'new']);
  const asked = [
    await run([...policy, 'exec', wants('run_shell_command__1')]),
    await run([...policy, 'prompt', wants('run_shell_command__2')]),
    await run([...policy, 'exec', wants('another_tool__3')]),
  ];
  expect(asked.map(({ stdout }) => stdout)).toEqual(['yes\n', 'yes\n', 'no\n']);
});

test('an error of an agent is printed with the reason in its data', async () => {
  const { run } = await fixtureOf('gemini');
  const { code, stderr } = await run(['exec', 'failWith {"details":"no credit left"}']);
  expect({ code, stderr }).toEqual({
    code: 1,
    stderr: 'turnwire: the agent answered with an error: Internal error (no credit left)\n',
  });
});
