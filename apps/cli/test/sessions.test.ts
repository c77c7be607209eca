import { mkdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { untilEnded } from '../../../packages/transports/test/process-life.ts';
import { startSeconds } from './command.ts';
import { sessionFixture } from './session-fixture.ts';

describe('stored sessions', () => {
  test('a prompt without a session exits with 4 and says how to create one', async () => {
    const { bare, project } = await sessionFixture();
    expect(await bare(['prompt', 'say hello'])).toEqual({
      code: 4,
      stdout: '',
      stderr: `turnwire: there is no session with coder in ${project}. Create one: turnwire coder sessions new; or prompt without one: turnwire coder exec …\n`,
    });
  });

  test('a session lasts over several commands with the same agent process', async () => {
    const { run } = await sessionFixture();
    const begun = await run(['sessions', 'new']);
    expect(begun).toEqual({ code: 0, stdout: expect.stringMatching(/^[0-9a-f-]{36}\n$/), stderr: '' });
    const { stdout: first } = await run(['prompt', 'pid']);
    expect(await run(['pid'])).toEqual({ code: 0, stdout: first, stderr: '' });
    expect((await run(['prompt', 'recall'])).stdout).toBe('pid | pid | recall\n');
  });

  test('a session is found from subfolders up to the root of the repository', async () => {
    const { run, project } = await sessionFixture();
    const below = join(project, 'src', 'deep');
    await mkdir(below, { recursive: true });
    await run(['sessions', 'new']);
    expect(await run(['prompt', 'say here'], { cwd: below })).toEqual({ code: 0, stdout: 'here\n', stderr: '' });
  });

  test('sessions with different names are separate', async () => {
    const { run } = await sessionFixture();
    await run(['sessions', 'new', '--name', 'api']);
    await run(['sessions', 'ensure', '-s', 'docs']);
    await run(['-s', 'api', 'prompt', 'say one']);
    await run(['prompt', '--session', 'docs', 'say two']);
    expect([await run(['-s', 'api', 'recall']), (await run(['prompt', 'recall', '-s', 'docs'])).stdout]).toEqual([
      { code: 0, stdout: 'say one | recall\n', stderr: '' },
      'say two | recall\n',
    ]);
    expect((await run(['prompt', 'recall'])).code).toBe(4);
  });

  test('sessions ensure creates a session once, and sessions new replaces it', async () => {
    const { run } = await sessionFixture();
    const first = (await run(['sessions', 'ensure', '--format', 'quiet'])).stdout;
    expect((await run(['sessions', 'ensure'])).stdout).toBe(first);
    const second = (await run(['sessions', 'new'])).stdout;
    expect(second).not.toBe(first);
    expect((await run(['sessions', 'ensure', '--format', 'quiet'])).stdout).toBe(second);
    const listed = (await run(['sessions', 'list', '--local'])).stdout.trimEnd().split('\n');
    expect(listed.map((line) => line.split('\t')[0])).toEqual([second.trim(), `${first.trim()} [closed]`]);
  });

  test('a session is found through a link to its folder', async () => {
    const { run, project } = await sessionFixture();
    const id = (await run(['sessions', 'new'])).stdout;
    await symlink(project, `${project}-link`);
    expect((await run(['--cwd', `${project}-link`, 'sessions', 'ensure'])).stdout).toBe(id);
  });

  test('a session that cannot start leaves nothing behind', async () => {
    const { bare } = await sessionFixture();
    const failed = await bare(['--agent', 'no-such-agent', 'sessions', 'new']);
    expect({ code: failed.code, stdout: failed.stdout }).toEqual({ code: 1, stdout: '' });
    expect(failed.stderr).toContain('there is no program "no-such-agent"');
    expect((await bare(['--agent', 'no-such-agent', 'sessions', 'list', '--local'])).stdout).toBe('');
  });

  test('a session is closed, then deleted', async () => {
    const { run } = await sessionFixture();
    const id = (await run(['sessions', 'new'])).stdout;
    expect(await run(['sessions', 'close'])).toEqual({ code: 0, stdout: id, stderr: '' });
    expect((await run(['prompt', 'say x'])).code).toBe(4);
    await run(['sessions', 'new', '--name', 'other']);
    expect((await run(['sessions', 'delete', 'other'])).code).toBe(0);
    expect((await run(['sessions', 'list', '--local'])).stdout).toMatch(
      new RegExp(`^${id.trim()} \\[closed\\]\t[^\n]*\n$`),
    );
  });
});

describe('the output of a turn in a session', () => {
  test('json prints the messages of the turn between the command and its session, and nothing else', async () => {
    const { run } = await sessionFixture();
    const id = (await run(['sessions', 'new'])).stdout.trim();
    const { stdout, stderr } = await run(['--format', 'json', 'say hello']);
    const frames = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as object);
    const meta = { turnwire: expect.any(Object) as object };
    expect({ frames, stderr }).toEqual({
      frames: [
        {
          jsonrpc: '2.0',
          id: 2,
          method: 'session/prompt',
          params: { sessionId: id, prompt: [{ type: 'text', text: 'say hello' }], _meta: meta },
        },
        {
          jsonrpc: '2.0',
          method: 'session/update',
          params: {
            sessionId: id,
            update: { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: 'hello' } },
            _meta: meta,
          },
        },
        { jsonrpc: '2.0', id: 2, result: { stopReason: 'end_turn', _meta: meta } },
      ],
      stderr: '',
    });
  });

  test('quiet prints the final message', async () => {
    const { run } = await sessionFixture();
    await run(['sessions', 'new']);
    expect(await run(['say hello', '--format', 'quiet'])).toEqual({ code: 0, stdout: 'hello\n', stderr: '' });
  });

  test('--json-strict prints JSON on stderr, too', async () => {
    const { run } = await sessionFixture();
    const { stderr } = await run(['--format', 'json', '--json-strict', 'prompt', 'say hello']);
    expect(JSON.parse(stderr)).toEqual({ message: expect.stringContaining('there is no session') });
  });
});

describe('permission in a session', () => {
  test('each prompt sets its own permissions, and requests are refused without a user', async () => {
    const { run } = await sessionFixture();
    await run(['sessions', 'new']);
    expect([await run(['ask']), await run(['--approve-all', 'ask']), await run(['--deny-all', 'ask'])]).toEqual([
      {
        code: 5,
        stdout: 'no\n',
        stderr:
          'turnwire: refused: Change unknown files; the agent says "Edit notes.txt" (there is no user to ask; --approve-all allows it)\n',
      },
      { code: 0, stdout: 'yes\n', stderr: '' },
      { code: 5, stdout: 'no\n', stderr: '' },
    ]);
  });

  test('--non-interactive-permissions fail ends the turn', async () => {
    const { run } = await sessionFixture();
    await run(['sessions', 'new']);
    expect(await run(['--non-interactive-permissions', 'fail', 'ask'])).toEqual({
      code: 5,
      stdout: 'cancelled\n',
      stderr:
        'turnwire: stopped: the agent asks for permission (Change unknown files; the agent says "Edit notes.txt") and there is no user to ask; --approve-all allows it\n',
    });
  });
});

describe('settings of a session', () => {
  test('mode and options are set, kept, and set again after an agent restart', async () => {
    const { run, hostPid } = await sessionFixture();
    await run(['sessions', 'new']);
    expect(await run(['set-mode', 'plan'])).toEqual({ code: 0, stdout: 'mode set: plan\n', stderr: '' });
    expect(await run(['set', 'model', 'large'])).toEqual({ code: 0, stdout: 'set model: large\n', stderr: '' });
    expect((await run(['settings'])).stdout).toBe('plan large\n');
    process.kill(await hostPid(), 'SIGTERM');
    expect((await run(['settings'])).stdout).toBe('plan large\n');
  });

  test('a mode or option that the agent does not know is an error', async () => {
    const { run } = await sessionFixture();
    await run(['sessions', 'new']);
    expect((await run(['set-mode', 'no-such-mode'])).code).toBe(1);
  });

  test('--model is set before the turn', async () => {
    const { run } = await sessionFixture();
    await run(['sessions', 'new', '--model', 'large']);
    expect((await run(['settings'])).stdout).toBe('code large\n');
    expect((await run(['--model', 'small', 'settings'])).stdout).toBe('code small\n');
  });

  test('cancel stops the turn of another command', async () => {
    const { run, start } = await sessionFixture();
    await run(['sessions', 'new']);
    expect((await run(['cancel'])).stdout).toBe('nothing to cancel\n');
    const hanging = start(['--format', 'quiet', 'hang']);
    const exited = new Promise((resolve) => hanging.once('close', resolve));
    await untilWorking(run);
    expect(await run(['cancel', '--format', 'json'])).toEqual({
      code: 0,
      stdout: expect.stringMatching(/^\{"action":"cancel_result","recordId":"[^"]+","cancelled":true\}\n$/),
      stderr: '',
    });
    expect(await exited).toBe(130);
  });

  test('status prints the mode and model in use, even after the agent has ended', async () => {
    const { run, hostPid } = await sessionFixture();
    const inUse = async (): Promise<readonly string[]> =>
      (await run(['status'])).stdout.split('\n').filter((line) => /^(?:model|mode|status):/.test(line));
    await run(['sessions', 'new']);
    const first = await inUse();
    await run(['set-mode', 'plan']);
    await run(['set', 'model', 'large']);
    const second = await inUse();
    const pid = await hostPid();
    process.kill(pid, 'SIGTERM');
    await untilEnded(pid);
    expect([first, second, await inUse()]).toEqual([
      ['status: ready', 'model: small', 'mode: code'],
      ['status: ready', 'model: large', 'mode: plan'],
      ['status: idle', 'model: large', 'mode: plan'],
    ]);
  });

  test('status prints no-session before a session is created, and ready after', async () => {
    const { run } = await sessionFixture();
    expect((await run(['status', '--format', 'quiet'])).stdout).toBe('no-session\n');
    await run(['sessions', 'new']);
    expect((await run(['status', '--format', 'quiet'])).stdout).toBe('ready\n');
  });
});

describe('limits of a turn in a session', () => {
  test('--timeout stops a turn in a session', async () => {
    const { run } = await sessionFixture();
    await run(['sessions', 'new']);
    expect(await run(['--timeout', startSeconds, 'hang'])).toEqual({
      code: 3,
      stdout: 'at work\n',
      stderr: `turnwire: stopped: it took longer than ${startSeconds} s\n`,
    });
    expect((await run(['say on'])).stdout).toBe('on\n');
  });

  test('--max-cost stops a turn in a session with its own exit code', async () => {
    const { run } = await sessionFixture();
    await run(['sessions', 'new']);
    expect(await run(['--max-cost', '0.5', 'cost 0.75'])).toEqual({
      code: 6,
      stdout: '',
      stderr: 'turnwire: stopped: the session has cost 0.75 USD, more than the limit of 0.5\n',
    });
    // The next prompt is not sent.
    expect((await run(['--max-cost', '0.75', 'say hello'])).stderr).toBe(
      'turnwire: stopped: the session has cost 0.75 USD, which is the limit\n',
    );
    await run(['sessions', 'new']);
    expect((await run(['--max-cost', '0.0005', 'cost 0.0006000000000000001'])).stderr).toBe(
      'turnwire: stopped: the session has cost 0.0006 USD, more than the limit of 0.0005\n',
    );
    await run(['sessions', 'new']);
    expect(await run(['--max-cost', '0.5', 'say hello'])).toEqual({
      code: 0,
      stdout: 'hello\n',
      stderr: 'turnwire: the agent reports no cost, so the limit of 0.5 has no effect\n',
    });
  });
});

describe('stored data of a session', () => {
  test('sessions history prints a summary, and sessions read the whole conversation', async () => {
    const { run } = await sessionFixture();
    await run(['sessions', 'new']);
    await run(['say one']);
    await run(['say two']);
    const { stdout } = await run(['sessions', 'history', '--format', 'json', '--limit', '2']);
    const { count, total, entries } = JSON.parse(stdout) as { count: number; total: number; entries: object[] };
    const timestamp = expect.stringMatching(/^\d{4}-/);
    expect({ count, total, entries }).toEqual({
      count: 2,
      total: 4,
      entries: [
        { role: 'user', timestamp, text: 'say two' },
        { role: 'assistant', timestamp, text: 'two' },
      ],
    });
    const read = (await run(['sessions', 'read', '--format', 'quiet'])).stdout;
    expect(read.split('\n').map((line) => line.split('\t').slice(1).join(' '))).toEqual([
      'user say one',
      'assistant one',
      'user say two',
      'assistant two',
      '',
    ]);
  });

  test('values of variables are not stored', async () => {
    const { run } = await sessionFixture();
    await run(['sessions', 'new', '--env', 'MY_KEY=very-secret']);
    const record = (await run(['sessions', 'show', '--format', 'json'])).stdout;
    expect([record.includes('MY_KEY'), record.includes('very-secret')]).toEqual([true, false]);
    expect((await run(['env MY_KEY'])).stdout).toBe('MY_KEY=very-secret\n');
  });
});

async function untilWorking(run: (words: readonly string[]) => Promise<{ stdout: string }>): Promise<void> {
  while ((await run(['status', '--format', 'quiet'])).stdout !== 'working\n');
}
