import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { readdir, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { lockHolder } from '@turnwire/machine';
import { describe, expect, onTestFinished, test } from 'vitest';
import { untilEnded } from '../../../packages/transports/test/process-life.ts';
import { canMount, fill, smallDisk } from '../../../packages/transports/test/small-disk.ts';
import { within } from '../../../tools/pace.ts';
import { commandWords, type Outcome } from './command.ts';
import { enter, programInTerminal } from './terminal.ts';
import { sessionFixture, type SessionFixture } from './session-fixture.ts';

describe('many commands at once', () => {
  test('many commands at once start one session host and one agent', async () => {
    const { run } = await sessionFixture();
    const ensured = await Promise.all(
      Array.from({ length: 8 }, () => run(['sessions', 'ensure', '--format', 'quiet'])),
    );
    expect(new Set(ensured.map(({ stdout, stderr, code }) => `${code} ${stderr}${stdout}`)).size).toBe(1);
    const pids = await Promise.all(Array.from({ length: 8 }, () => run(['pid'])));
    expect(new Set(pids.map(({ stdout }) => stdout)).size).toBe(1);
  });

  test('many commands at once start one session host after the last one was killed', async () => {
    const { run, hostPid } = await sessionFixture();
    await run(['sessions', 'new']);
    await killed(await hostPid());
    const pids = await Promise.all(Array.from({ length: 8 }, () => run(['pid'])));
    expect(pids.map(({ code }) => code)).toEqual(Array.from({ length: 8 }, () => 0));
    expect(new Set(pids.map(({ stdout }) => stdout)).size).toBe(1);
  });

  test('turns of many commands run one after the other', async () => {
    const { run } = await sessionFixture();
    await run(['sessions', 'new']);
    const outcomes = await Promise.all(['a', 'b', 'c'].map((letter) => run([`slow ${letter}`])));
    expect(outcomes.map(({ stdout }) => stdout)).toEqual(
      ['a', 'b', 'c'].map((letter) => `begin ${letter}, end ${letter}\n`),
    );
  });

  test('prompts with --no-wait are queued and run in order', async () => {
    const { run } = await sessionFixture();
    await run(['sessions', 'new']);
    const queued = await run(['--no-wait', 'slow first']);
    expect(queued).toEqual({ code: 0, stdout: expect.stringMatching(/^queued \d+-\d+\n$/), stderr: '' });
    expect((await run(['--no-wait', '--format', 'json', 'say second'])).stdout).toMatch(
      /^\{"action":"prompt_queued","recordId":"[^"]+","requestId":"[^"]+"\}\n$/,
    );
    expect((await run(['recall'])).stdout).toBe('slow first | say second | recall\n');
  });
});

describe('the end of a process', () => {
  test('Ctrl-C cancels the turn and waits for its end, and the session continues', async () => {
    const { run, start } = await sessionFixture();
    await run(['sessions', 'new']);
    const child = start(['hang']);
    await once(child.stdout ?? child, 'data');
    child.kill('SIGINT');
    expect(await exitOf(child)).toBe(130);
    expect(await run(['recall'])).toEqual({ code: 0, stdout: 'hang | recall\n', stderr: '' });
  });

  test('a command that is killed leaves its turn running', async () => {
    const { run, start } = await sessionFixture();
    await run(['sessions', 'new']);
    const child = start(['slow work']);
    await once(child.stdout ?? child, 'data');
    child.kill('SIGKILL');
    await exitOf(child);
    await run(['say after']);
    expect((await run(['sessions', 'read', '--format', 'json'])).stdout).toContain('begin work, end work');
  });

  test('an agent that dies in a turn is an error, and the next turn restores the session', async () => {
    const { run } = await sessionFixture();
    await run(['sessions', 'new']);
    const died = await run(['die']);
    expect({ code: died.code, stdout: died.stdout }).toEqual({ code: 1, stdout: '' });
    expect(died.stderr).toContain('exited with code 7');
    expect(await run(['recall'])).toEqual({
      code: 0,
      stdout: 'die | recall\n',
      stderr: 'turnwire: The agent was restarted. It knows the earlier conversation.\n',
    });
    expect((await run(['sessions', 'read', '--format', 'quiet'])).stdout).toContain(
      '\tnotice\tThe agent was restarted.',
    );
  });

  test('a session host that is killed in a turn ends its agent, the command reports it, and the next command restores the session', async () => {
    const { run, start, hostPid } = await sessionFixture();
    await run(['sessions', 'new']);
    const agentPid = Number((await run(['pid'])).stdout);
    const host = await hostPid();
    const child = start(['hang']);
    await once(child.stdout ?? child, 'data');
    const told = text(child.stderr as NodeJS.ReadableStream);
    await killed(host);
    expect([await exitOf(child), await told]).toEqual([
      1,
      `turnwire: the host process of the session (${host}) ended. The session is stored: run the command again\n`,
    ]);
    await untilEnded(agentPid);
    expect((await run(['sessions', 'show'])).stdout).toContain(
      '\nlastTurn: interrupted: its answer may be incomplete\n',
    );
    const interruption = '\tnotice\tThe turn was interrupted: its host ended.';
    expect((await run(['sessions', 'read', '--format', 'quiet'])).stdout).toContain(interruption);
    expect((await run(['sessions', 'export', '--format', 'json'])).stdout).toContain('The turn was interrupted');
    expect(await run(['recall'])).toEqual({ code: 0, stdout: 'pid | hang | recall\n', stderr: '' });
    expect((await run(['sessions', 'show'])).stdout).toContain('\nlastTurn: ended\n');
    expect((await run(['sessions', 'read', '--format', 'quiet'])).stdout.split(interruption)).toHaveLength(2);
  });

  test('an agent without stored sessions loses the context, and every command reports it', async () => {
    const { run, hostPid } = await sessionFixture('no-load');
    await run(['sessions', 'new']);
    await run(['say before']);
    await killed(await hostPid());
    const after = await run(['recall']);
    expect({ code: after.code, stdout: after.stdout }).toEqual({ code: 0, stdout: 'recall\n' });
    expect(after.stderr).toMatch(/^turnwire: context lost: /);
    const shown = JSON.parse((await run(['sessions', 'show', '--format', 'json'])).stdout) as {
      contextLostAt?: string;
    };
    expect(shown.contextLostAt).toMatch(/^\d{4}-/);
    expect((await run(['sessions', 'read', '--format', 'quiet'])).stdout).toContain(
      'does not know the earlier conversation',
    );
  });

  test('a session host with a short --ttl does not end while its agent starts', async () => {
    const { run } = await sessionFixture('slow-start');
    expect(await run(['--ttl=0.1', 'sessions', 'new'])).toMatchObject({ code: 0, stderr: '' });
    expect(await run(['--ttl=0.1', 'say here'])).toEqual({ code: 0, stdout: 'here\n', stderr: '' });
  });

  test('an idle session host ends after --ttl, and releases its resources', async () => {
    const fixture = await sessionFixture();
    // Long enough for the command to connect to the host before it ends.
    const ttl = within(2_000) / 1_000;
    expect(await fixture.run([`--ttl=${ttl}`, 'sessions', 'new'])).toMatchObject({ code: 0, stderr: '' });
    await expect.poll(() => fixture.hostPid().catch(String)).toBe('Error: no process hosts the session');
    expect((await fixture.run(['status', '--format', 'quiet'])).stdout).toBe('idle\n');
    expect((await fixture.run(['recall'])).stdout).toBe('recall\n');
  });
});

test('a question appears at the terminal of the command that sent the prompt', async () => {
  const { run, agent, env, project } = await sessionFixture();
  await run(['sessions', 'new']);
  const state = Object.entries(env).map(([name, value]) => `${name}=${value}`);
  const words = ['env', ...state, process.execPath, ...commandWords, '--agent', agent, 'prompt', 'ask'] as const;
  const asked = programInTerminal([...words], { cwd: project });
  await asked.until('? Change unknown files');
  await asked.until('the agent says: Edit notes.txt');
  await asked.until('1  Allow once');
  await asked.until('Answer');
  asked.type(`y${enter}`);
  await asked.until('yes');
  expect(await asked.exitCode).toBe(0);
});

describe('files of dead hosts', () => {
  test('a socket of a dead host that another program has taken is not used', async () => {
    const { run, hostPid, sessionFolder } = await sessionFixture();
    await run(['sessions', 'new']);
    const folder = await sessionFolder();
    const { socket } = (await lockHolder<{ socket: string }>(join(folder, 'host.lock')))!.details;
    await killed(await hostPid());
    await rm(socket, { force: true });
    const stranger = createServer(() => undefined).listen(socket);
    onTestFinished(() => void stranger.close());
    await once(stranger, 'listening');
    expect(await run(['say still here'])).toEqual({ code: 0, stdout: 'still here\n', stderr: '' });
  });

  test('only the user can read the files of a session', async () => {
    const { run, sessionFolder, state } = await sessionFixture();
    await run(['sessions', 'new']);
    await run(['say x']);
    const folder = await sessionFolder();
    const database = join(state, 'turnwire');
    const names = [
      folder,
      ...(await paths(folder)),
      ...(await paths(database)).filter((path) => path.includes('.sqlite')),
    ];
    const modes = execFileSync('stat', ['-c', '%a', ...names], { encoding: 'utf8' })
      .trim()
      .split('\n');
    expect(modes).toEqual(['700', ...names.slice(1).map(() => '600')]);
  });
});

describe('a full or read-only disk', () => {
  test('the error for a read-only state folder names it', async () => {
    const { run, state } = await sessionFixture();
    const file = join(state, 'file');
    await writeFile(file, '');
    const failed = await run(['sessions', 'new'], { env: { XDG_STATE_HOME: file } });
    expect({ code: failed.code, stdout: failed.stdout }).toEqual({ code: 1, stdout: '' });
    expect(failed.stderr).toContain(`${file}/turnwire`);
    expect(failed.stderr).not.toMatch(/E[A-Z]+: /);
  });

  test.runIf(canMount())('a full disk is reported when a session starts', async () => {
    const { run } = await sessionFixture();
    const small = await smallDisk(64);
    await fill(small);
    const failed = await run(['sessions', 'new'], { env: { XDG_STATE_HOME: small } });
    expect([failed.code, failed.stderr]).toEqual([
      1,
      expect.stringMatching(/no space is left on the disk|disk is full/),
    ]);
    expect(failed.stderr).not.toMatch(/E[A-Z]+: /);
  });

  test.runIf(canMount())(
    'a full disk ends the turn before unstored text is shown, and the session continues once there is space',
    async () => {
      const fixture = await sessionFixture();
      // A database with its log of changes takes more room than what is said.
      const small = await smallDisk(2_048);
      const env = { XDG_STATE_HOME: small };
      await fixture.run(['sessions', 'new'], { env });
      await fixture.run(['say one'], { env });
      const filler = await fill(small);
      const full = await fixture.run([`say ${'x'.repeat(100_000)}`], { env });
      expect({ code: full.code, stdout: full.stdout }).toEqual({ code: 1, stdout: '' });
      expect(full.stderr).toMatch(/disk is full|no space left/);
      await rm(filler);
      expect(await fixture.run(['say room again'], { env })).toEqual({ code: 0, stdout: 'room again\n', stderr: '' });
      const read = await fixture.run(['sessions', 'read', '--format', 'quiet'], { env });
      expect(read.stdout).toContain('\tassistant\troom again');
      await fixture.run(['sessions', 'close'], { env });
    },
  );
});

async function paths(folder: string): Promise<readonly string[]> {
  return (await readdir(folder)).map((name) => join(folder, name));
}

async function killed(pid: number): Promise<void> {
  process.kill(pid, 'SIGKILL');
  await untilEnded(pid);
}

async function exitOf(child: ReturnType<SessionFixture['start']>): Promise<Outcome['code']> {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  return child.exitCode;
}
