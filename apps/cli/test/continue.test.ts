import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { once } from 'node:events';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { NamedSessions } from '../src/store/named-sessions.ts';
import { type Emulator, inEmulator, showyAgent } from './interactive/emulator.ts';
import { type SessionFixture, sessionFixture } from './session-fixture.ts';
import { enter } from './terminal.ts';
import { within } from '../../../tools/pace.ts';

/** The ids that an ambiguous `--resume` prints, with the words of their sessions. */
async function idsOf({ run }: SessionFixture, words: string): Promise<ReadonlyMap<string, string>> {
  const { stderr } = await run(['exec', '--resume', words, 'recall']);
  return new Map(
    [...stderr.matchAll(/^ {2}([0-9a-f]{4,}) {2}(.*?): just now/gm)].map(([, id = '', said = '']) => [said, id]),
  );
}

describe('a prompt without a command', () => {
  test('a prompt in a folder without a session starts a new one, and stderr says so', async () => {
    const { run, bare, agent } = await sessionFixture();
    expect(await run(['say hello'])).toEqual({
      code: 0,
      stdout: 'hello\n',
      stderr: `turnwire: a new session with ${agent}; to go on with it: turnwire --continue\n`,
    });
    expect(await bare(['coder', 'list files'])).toEqual({
      code: 0,
      stdout: expect.stringContaining('→ ') as unknown,
      stderr: 'turnwire: a new session with coder; to go on with it: turnwire --continue\n',
    });
  });

  test('a prompt with --session requires that the session exists', async () => {
    const { run } = await sessionFixture();
    expect((await run(['-s', 'docs', 'say hello'])).code).toBe(4);
    expect((await run(['--no-wait', 'say hello'])).code).toBe(4);
  });
});

describe('--continue', () => {
  test('--continue continues the last session of the folder with any agent', async () => {
    const { run, bare } = await sessionFixture();
    await run(['exec', 'say one']);
    await run(['exec', 'say two']);
    expect(await bare(['exec', '--continue', 'recall'])).toEqual({ code: 0, stdout: 'say two | recall\n', stderr: '' });
    expect((await bare(['-c', 'recall'])).stdout).toBe('say two | recall | recall\n');
    expect((await bare(['--continue', 'coder', 'exec', 'list files'])).stderr).toMatch(
      /^turnwire: there is no session/,
    );
  });

  test('--continue without a session exits with 4', async () => {
    const { bare, project } = await sessionFixture();
    expect(await bare(['exec', '--continue', 'more'])).toEqual({
      code: 4,
      stdout: '',
      stderr: `turnwire: there is no session to continue in ${project}. See turnwire sessions list --all\n`,
    });
  });

  test('--continue says that the last turn of a named session was interrupted', async () => {
    const { run, start, bare, hostPid } = await sessionFixture();
    await run(['sessions', 'new']);
    const child = start(['hang']);
    await once(child.stdout ?? child, 'data');
    process.kill(await hostPid(), 'SIGKILL');
    await once(child, 'exit');
    expect(await bare(['exec', '--continue', 'recall'])).toEqual({
      code: 0,
      stdout: 'hang | recall\n',
      stderr: 'turnwire: The last turn did not finish: its answer may be incomplete.\n',
    });
  });

  test('--continue also finds a session that is stored by name', async () => {
    const { run, bare } = await sessionFixture();
    await run(['sessions', 'new', '--name', 'api']);
    await run(['-s', 'api', 'say stored']);
    expect((await bare(['exec', '--continue', 'recall'])).stdout).toBe('say stored | recall\n');
    expect((await bare(['exec', '--resume', 'api', 'recall'])).stdout).toBe('say stored | recall | recall\n');
  });
});

describe('--resume', () => {
  test('--resume finds a session by words of its first prompt or by the beginning of its id', async () => {
    const fixture = await sessionFixture();
    const { run, bare } = fixture;
    await run(['exec', 'say the first one']);
    await run(['exec', 'say the second one']);
    const ids = await idsOf(fixture, 'say one');
    expect([...ids.keys()]).toEqual(['say the second one', 'say the first one']);
    expect((await bare(['exec', '--resume', 'first', 'recall'])).stdout).toBe('say the first one | recall\n');
    const id = ids.get('say the second one') ?? '';
    expect((await bare(['--resume', id, 'recall'])).stdout).toBe('say the second one | recall\n');
  });

  test('--resume finds a session that was created in an editor and is known to the agent alone', async () => {
    const { bare, state } = await sessionFixture();
    await bare(['exec', 'list files']);
    await rm(join(state, 'turnwire', 'recent'), { recursive: true });
    const { code, stdout } = await bare(['exec', '--format', 'json', '--resume', 'list', 'again']);
    const { code: none } = await bare(['exec', '--resume', 'nothing', 'again']);
    expect([code, stdout.includes('user_message_chunk'), none]).toEqual([0, true, 4]);
  });

  test('--resume finds a session of the web page, sessions list shows it, and --continue leaves it to its server', async () => {
    const { run, bare, agent, state, env, project } = await sessionFixture();
    await run(['exec', 'say from the page']);
    const recent = join(state, 'turnwire', 'recent');
    const [only = ''] = await readdir(recent);
    const { sessionId } = JSON.parse(await readFile(join(recent, only), 'utf8')) as { readonly sessionId: string };
    await rm(recent, { recursive: true });
    const config = join(env['XDG_CONFIG_HOME'] ?? '', 'turnwire');
    await mkdir(config, { recursive: true });
    await writeFile(join(config, 'config.json'), JSON.stringify({ agents: { keeper: agent } }));
    const times = { createdAt: 1, updatedAt: Date.now(), closedAt: null };
    const facts = { agentSessionId: sessionId, isPrompted: true, canRestore: true };
    const place = { tenant: 'local', agent: 'keeper', cwd: project, additionalDirectories: [] };
    const sessions = new NamedSessions(join(state, 'turnwire'));
    await sessions.store.create({ id: 'served', title: 'Asked on the page', ...place, ...times, facts });
    await sessions[Symbol.asyncDispose]();
    expect((await bare(['exec', '--continue', 'recall'])).code).toBe(4);
    const listed = inEmulator(['--cwd', project, 'sessions', '--local'], { env });
    await listed.until((lines) => lines.some((line) => /just now +- +keeper +Asked on the page$/.test(line)));
    expect(await bare(['exec', '--resume', 'on the page', 'recall'])).toEqual({
      code: 0,
      stdout: 'say from the page | recall\n',
      stderr: '',
    });
  });

  test('--resume continues in the folder of the session', async () => {
    const { run, bare, state } = await sessionFixture();
    await run(['exec', 'say far']);
    expect(await bare(['exec', '--resume', 'far', 'recall'], { cwd: state })).toEqual({
      code: 0,
      stdout: 'say far | recall\n',
      stderr: '',
    });
  });

  test('--resume lists the matches if several sessions match, and exits with 4 if none does', async () => {
    const { run, bare } = await sessionFixture();
    await run(['exec', 'say one']);
    await run(['exec', 'say two']);
    const several = await bare(['exec', '--resume', 'say', 'x']);
    expect({ code: several.code, lines: several.stderr.split('\n').length }).toEqual({ code: 4, lines: 4 });
    expect(await bare(['exec', '--resume', 'nothing like it', 'x'])).toEqual({
      code: 4,
      stdout: '',
      stderr: 'turnwire: no session matches "nothing like it". See turnwire sessions list --all\n',
    });
  });

  test('recorded sessions are readable by their user alone, and only those that the agent can load are recorded', async () => {
    const { run, state } = await sessionFixture();
    await run(['exec', 'say private']);
    const folder = join(state, 'turnwire', 'recent');
    const [only = ''] = await readdir(folder);
    expect([
      ((await stat(folder)).mode & 0o777).toString(8),
      ((await stat(join(folder, only))).mode & 0o777).toString(8),
    ]).toEqual(['700', '600']);
    const without = await sessionFixture('no-load');
    await without.run(['exec', 'say lost']);
    expect((await without.run(['exec', '--continue', 'x'])).code).toBe(4);
  });
});

describe('continuing a chat', () => {
  test('a chat starts with a prompt, prints how to resume it, and is resumed with its history', async () => {
    const { agent, env, project } = await sessionFixture();
    const chat = inEmulator(['--agent', agent, '--cwd', project, 'chat', 'say from the start'], { env });
    await chat.until((lines) => lines.some((line) => line === 'from the start'));
    chat.type(`/exit${enter}`);
    const left = (await chat.until('Resume with: turnwire --resume ')).at(-1) ?? '';
    expect(await chat.exitCode).toBe(0);
    const id = left.replace('Resume with: turnwire --resume ', '');
    expect(id).toMatch(/^[0-9a-f]{4}$/);
    const again = inEmulator(['--cwd', project, '--resume', id], { env });
    await again.until((lines) => lines.includes('replayed: say from the start'));
    again.type(`recall${enter}`);
    await again.until('say from the start | recall');
  });

  test('a chat that was killed in a turn says so in chat and in exec until a turn ends', async () => {
    const { agent, env, project, run, start, state } = await sessionFixture();
    const recent = join(state, 'turnwire', 'recent');
    const untilNoted = async (): Promise<void> => {
      const noted = async (): Promise<string> => {
        // Not the file that is renamed to it.
        const names = await readdir(recent);
        return readFile(join(recent, names.find((name) => name.endsWith('.json')) ?? ''), 'utf8');
      };
      await expect.poll(() => noted().catch(String), { timeout: within(5_000) }).toContain('openTurn');
    };
    const killed = async (ended: { readonly pid?: number | undefined }, gone: Promise<unknown>): Promise<void> => {
      process.kill(ended.pid ?? 0, 'SIGKILL');
      await gone;
    };
    const chat = inEmulator(['--agent', agent, '--cwd', project, 'chat', 'hang'], { env });
    await chat.until((lines) => lines.includes('at work'));
    await untilNoted();
    await killed(chat, chat.exitCode);
    const notice = 'The last turn did not finish: its answer may be incomplete.';
    const again = inEmulator(['--cwd', project, '--continue'], { env });
    await again.until(notice);
    again.type(`/exit${enter}`);
    await again.exitCode;
    expect(await run(['exec', '--continue', 'say more'])).toEqual({
      code: 0,
      stdout: 'more\n',
      stderr: `turnwire: ${notice}\n`,
    });
    expect((await run(['exec', '--continue', 'say more'])).stderr).toBe('');
    const child = start(['exec', '--continue', 'hang']);
    await once(child.stdout ?? child, 'data');
    await untilNoted();
    await killed(child, once(child, 'exit'));
    expect((await run(['chat', '--continue'], { stdin: '' })).stderr).toBe(`turnwire: ${notice}\n`);
    // Of its agent, and not of the chat.
    expect((await run(['exec', '--continue', 'die'])).code).toBe(1);
    expect((await run(['exec', '--continue', 'say more'])).stderr).toBe(`turnwire: ${notice}\n`);
  });

  test('a new chat uses the agent and the model of the last chat in the folder', async () => {
    const { agent, env, project } = await sessionFixture();
    const chat = inEmulator(['--agent', agent, '--cwd', project], { env });
    await chat.until('Small · Code');
    chat.type(`/model large${enter}`);
    await chat.until('Large · Code');
    chat.type(`say something${enter}`);
    await chat.until((lines) => lines.includes('something'));
    chat.type(`/exit${enter}`);
    await chat.exitCode;
    const next = inEmulator(['--cwd', project], { env });
    await next.until('as last time in this folder: Model large');
    next.type(`settings${enter}`);
    await next.until('code large');
    const other = inEmulator(['coder', 'chat', '--cwd', project], { env });
    await other.until('Offline');
    expect(other.everything.join('\n')).not.toContain('as last time');
  });

  test('a new chat does not start in a mode that acts without asking, even if the last one ended in it', async () => {
    const { env, project } = await sessionFixture();
    const begin = (): Emulator => inEmulator(['--agent', showyAgent(), '--cwd', project], { env });
    const chat = begin();
    await chat.until('Ask first');
    chat.type(`/mode just code${enter}`);
    await chat.until('Just code');
    chat.type(`say something${enter}`);
    await chat.until((lines) => lines.includes('something'));
    chat.type(`/exit${enter}`);
    await chat.exitCode;
    const next = begin();
    await next.until('Ask first');
    next.type(`say more${enter}`);
    await next.until((lines) => lines.includes('more'));
    expect(next.everything.join('\n')).not.toMatch(/as last time|Just code/);
  });

  test('a chat without a terminal starts with its prompt, too', async () => {
    const { run } = await sessionFixture();
    expect(await run(['chat', 'say one'], { stdin: 'recall\n' })).toEqual({
      code: 0,
      stdout: 'one\nsay one | recall\n',
      stderr: '',
    });
  });
});
