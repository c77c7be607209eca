import { readdir, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { isAlive, untilEnded } from '../../../packages/transports/test/process-life.ts';
import { sessionRoom, type SessionRoom } from './session-room.ts';

/** Files in which the agent keeps its sessions. */
function keptByAgent({ project }: SessionRoom): Promise<readonly string[]> {
  return readdir(join(dirname(project), 'agent'));
}

async function forgetAtAgent(room: SessionRoom): Promise<void> {
  for (const name of await keptByAgent(room)) await rm(join(dirname(room.project), 'agent', name));
}

describe('sessions delete', () => {
  test('deletes the session here and with the agent', async () => {
    const room = await sessionRoom('delete');
    await room.run(['sessions', 'new']);
    const before = (await keptByAgent(room)).length;
    const { code, stdout, stderr } = await room.run(['sessions', 'delete', '--format', 'json']);
    expect({ code, facts: JSON.parse(stdout) as unknown, stderr, before, after: await keptByAgent(room) }).toEqual({
      code: 0,
      facts: { action: 'session_deleted', recordId: expect.stringMatching(/./), deletedByAgent: true },
      stderr: '',
      before: 1,
      after: [],
    });
  });

  test('says so when the agent cannot', async () => {
    const room = await sessionRoom();
    await room.run(['sessions', 'new']);
    const { code, stderr } = await room.run(['sessions', 'delete']);
    expect({ code, stderr, kept: (await keptByAgent(room)).length }).toEqual({
      code: 0,
      stderr: 'turnwire: deleted here; what the agent keeps of the session is still there: it cannot delete sessions\n',
      kept: 1,
    });
    expect((await room.run(['sessions', 'show'])).code).toBe(4);
  });

  test('says so when the agent fails at it', async () => {
    const room = await sessionRoom('delete');
    await room.run(['sessions', 'new']);
    await forgetAtAgent(room);
    const { code, stderr } = await room.run(['sessions', 'delete']);
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr: expect.stringContaining('is still there: the agent answered with an error'),
    });
  });
});

describe('sessions watch', () => {
  /** Starts it; resolves when it listens. */
  async function watching(room: SessionRoom, ...words: readonly string[]) {
    const child = room.start(['sessions', 'watch', ...words]);
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

  test('prints the turns others give until Ctrl-C', async () => {
    const room = await sessionRoom();
    await room.run(['sessions', 'new']);
    await room.run(['say before']);
    const { child, printed, until, code } = await watching(room);
    await room.run(['say one']);
    await room.run(['say two']);
    await until(() => printed.stdout.endsWith('two\n'));
    child.kill('SIGINT');
    expect({ code: await code, ...printed }).toEqual({
      code: 130,
      stdout: 'one\ntwo\n',
      stderr: expect.stringMatching(
        /^turnwire: watching the session \S+; Ctrl-C ends this, not the session\nturnwire: prompt: say one\nturnwire: prompt: say two\n$/,
      ),
    });
    expect(isAlive(await room.ownerPid())).toBe(true);
  });

  test('prints the events as they are kept, and ends with the session', async () => {
    const room = await sessionRoom();
    await room.run(['sessions', 'new']);
    const { printed, until, code } = await watching(room, '--format', 'json');
    await room.run(['say one']);
    await until(() => printed.stdout.includes('turn-ended'));
    await room.run(['sessions', 'delete']);
    const events = printed.stdout
      .trimEnd()
      .split('\n')
      .map((line) => (JSON.parse(line) as { type: string }).type);
    expect({ code: await code, events }).toEqual({ code: 0, events: ['prompt', 'update', 'turn-ended'] });
    expect(printed.stderr).toContain('turnwire: the session was deleted\n');
  });
});

describe('a session the agent has lost', () => {
  test('fails the prompt with --if-lost fail, and stays what it is', async () => {
    const room = await sessionRoom();
    await room.run(['sessions', 'new']);
    const pid = await room.ownerPid();
    process.kill(pid, 'SIGTERM');
    await untilEnded(pid);
    await forgetAtAgent(room);
    const sessionId = async (): Promise<unknown> =>
      (JSON.parse((await room.run(['sessions', 'show', '--format', 'json'])).stdout) as { sessionId: unknown })
        .sessionId;
    const before = await sessionId();
    const failed = await room.run(['--if-lost', 'fail', 'recall']);
    expect({ code: failed.code, stdout: failed.stdout, sessionId: await sessionId() }).toEqual({
      code: 1,
      stdout: '',
      sessionId: before,
    });
    expect(failed.stderr).toContain('there is no session');
    const begun = await room.run(['say again']);
    expect({ code: begun.code, stdout: begun.stdout }).toEqual({ code: 0, stdout: 'again\n' });
    expect(begun.stderr).toContain('context lost: ');
  });

  test('also fails it when the agent died under a living owner', async () => {
    const room = await sessionRoom('no-load');
    await room.run(['sessions', 'new']);
    await room.run(['die']);
    const failed = await room.run(['--if-lost', 'fail', 'recall']);
    expect({ code: failed.code, stdout: failed.stdout }).toEqual({ code: 1, stdout: '' });
    expect(failed.stderr).toContain('context lost: ');
    expect(failed.stderr).toContain('the prompt was not given to the agent');
    expect((await room.run(['say on'])).stdout).toBe('on\n');
  });
});
