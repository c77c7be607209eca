import { readdir, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { isAlive, untilEnded } from '../../../packages/transports/test/process-life.ts';
import { inEmulator } from './interactive/emulator.ts';
import { sessionFixture, type SessionFixture } from './session-fixture.ts';

/** Files in which the agent keeps its sessions. */
function keptByAgent({ project }: SessionFixture): Promise<readonly string[]> {
  return readdir(join(dirname(project), 'agent'));
}

async function forgetAtAgent(fixture: SessionFixture): Promise<void> {
  for (const name of await keptByAgent(fixture)) await rm(join(dirname(fixture.project), 'agent', name));
}

describe('sessions delete', () => {
  test('sessions delete deletes the session here and with the agent', async () => {
    const fixture = await sessionFixture('delete');
    await fixture.run(['sessions', 'new']);
    const before = (await keptByAgent(fixture)).length;
    const { code, stdout, stderr } = await fixture.run(['sessions', 'delete', '--format', 'json']);
    expect({ code, facts: JSON.parse(stdout) as unknown, stderr, before, after: await keptByAgent(fixture) }).toEqual({
      code: 0,
      facts: { action: 'session_deleted', recordId: expect.stringMatching(/./), deletedByAgent: true },
      stderr: '',
      before: 1,
      after: [],
    });
  });

  test('sessions delete says so when the agent cannot delete sessions', async () => {
    const fixture = await sessionFixture();
    await fixture.run(['sessions', 'new']);
    const { code, stderr } = await fixture.run(['sessions', 'delete']);
    expect({ code, stderr, kept: (await keptByAgent(fixture)).length }).toEqual({
      code: 0,
      stderr: 'turnwire: deleted here; the agent still stores its copy of the session: it cannot delete sessions\n',
      kept: 1,
    });
    expect((await fixture.run(['sessions', 'show'])).code).toBe(4);
  });

  test('sessions delete says so when the agent fails to delete the session', async () => {
    const fixture = await sessionFixture('delete');
    await fixture.run(['sessions', 'new']);
    await forgetAtAgent(fixture);
    const { code, stderr } = await fixture.run(['sessions', 'delete']);
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr: expect.stringContaining('its copy of the session: the agent answered with an error'),
    });
  });
});

test('sessions list keeps half of the line for the title next to a long agent command', async () => {
  const fixture = await sessionFixture();
  await fixture.run(['exec', 'say hello to everybody who reads the list']);
  const words = ['--agent', fixture.agent, '--cwd', fixture.project, 'sessions', '--local'];
  const screen = await inEmulator(words, { env: fixture.env, columns: 80 }).until('say hello');
  expect(screen).toEqual([
    expect.stringMatching(/^id +used +turns +agent +what$/),
    expect.stringMatching(/^\w{4} +.* {2}1 {6}.*… {2}say hello to everybody who reads th/),
  ]);
});

describe('sessions watch', () => {
  /** Starts it; resolves when it listens. */
  async function watching(fixture: SessionFixture, ...words: readonly string[]) {
    const child = fixture.start(['sessions', 'watch', ...words]);
    const printed = { stdout: '', stderr: '' };
    child.stdout?.on('data', (chunk: Buffer) => (printed.stdout += chunk.toString()));
    const until = async (isThere: () => boolean): Promise<void> => {
      while (!isThere()) await new Promise((resolve) => setTimeout(resolve, 20));
    };
    child.stderr?.on('data', (chunk: Buffer) => (printed.stderr += chunk.toString()));
    const code = new Promise<number | null>((resolve) => child.once('close', resolve));
    await until(() => printed.stderr.includes('\n'));
    return { child, printed, until, code };
  }

  test('sessions watch prints the turns of other clients until Ctrl-C', async () => {
    const fixture = await sessionFixture();
    await fixture.run(['sessions', 'new']);
    await fixture.run(['say before']);
    const { child, printed, until, code } = await watching(fixture);
    await fixture.run(['say one']);
    await fixture.run(['say two']);
    await until(() => printed.stdout.endsWith('two\n'));
    child.kill('SIGINT');
    expect({ code: await code, ...printed }).toEqual({
      code: 130,
      stdout: 'one\ntwo\n',
      stderr: expect.stringMatching(
        /^turnwire: watching the session \S+; Ctrl-C ends this, not the session\nturnwire: prompt: say one\nturnwire: prompt: say two\n$/,
      ),
    });
    expect(isAlive(await fixture.hostPid())).toBe(true);
  });

  test('sessions watch waits while no session host runs, and continues with the next one', async () => {
    const fixture = await sessionFixture();
    const endHost = async (): Promise<void> => {
      const pid = await fixture.hostPid();
      process.kill(pid, 'SIGTERM');
      await untilEnded(pid);
    };
    await fixture.run(['sessions', 'new']);
    await endHost();
    const { child, printed, until, code } = await watching(fixture, '--format', 'quiet');
    await fixture.run(['say one']);
    await until(() => printed.stdout.endsWith('one\n'));
    await endHost();
    await fixture.run(['say two']);
    await until(() => printed.stdout.endsWith('two\n'));
    child.kill('SIGINT');
    expect({ code: await code, stdout: printed.stdout }).toEqual({ code: 130, stdout: 'one\ntwo\n' });
  });

  test('sessions watch prints stored events and ends with the session', async () => {
    const fixture = await sessionFixture();
    await fixture.run(['sessions', 'new']);
    const { printed, until, code } = await watching(fixture, '--format', 'json');
    await fixture.run(['say one']);
    await until(() => printed.stdout.includes('turn-ended'));
    await fixture.run(['sessions', 'delete']);
    const events = printed.stdout
      .trimEnd()
      .split('\n')
      .map((line) => (JSON.parse(line) as { type: string }).type);
    expect({ code: await code, events }).toEqual({ code: 0, events: ['prompt', 'update', 'turn-ended'] });
    expect(printed.stderr).toContain('turnwire: the session was deleted\n');
  });
});

describe('a session that the agent has lost', () => {
  test('a prompt with --if-lost fail fails for a lost session, and the session stays unchanged', async () => {
    const fixture = await sessionFixture();
    await fixture.run(['sessions', 'new']);
    const pid = await fixture.hostPid();
    process.kill(pid, 'SIGTERM');
    await untilEnded(pid);
    await forgetAtAgent(fixture);
    const sessionId = async (): Promise<unknown> =>
      (JSON.parse((await fixture.run(['sessions', 'show', '--format', 'json'])).stdout) as { sessionId: unknown })
        .sessionId;
    const before = await sessionId();
    const failed = await fixture.run(['--if-lost', 'fail', 'recall']);
    expect({ code: failed.code, stdout: failed.stdout, sessionId: await sessionId() }).toEqual({
      code: 1,
      stdout: '',
      sessionId: before,
    });
    expect(failed.stderr).toContain('there is no session');
    const begun = await fixture.run(['say again']);
    expect({ code: begun.code, stdout: begun.stdout }).toEqual({ code: 0, stdout: 'again\n' });
    expect(begun.stderr).toContain('context lost: ');
  });

  test('a prompt with --if-lost fail also fails when the agent died under a running session host', async () => {
    const fixture = await sessionFixture('no-load');
    await fixture.run(['sessions', 'new']);
    await fixture.run(['die']);
    const failed = await fixture.run(['--if-lost', 'fail', 'recall']);
    expect({ code: failed.code, stdout: failed.stdout }).toEqual({ code: 1, stdout: '' });
    expect(failed.stderr).toBe('turnwire: The agent can neither load nor resume a session\n');
    const begun = await fixture.run(['say on']);
    expect({ code: begun.code, stdout: begun.stdout }).toEqual({ code: 0, stdout: 'on\n' });
    expect(begun.stderr).toContain('context lost: ');
  });
});
