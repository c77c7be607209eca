import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { TerminalLogin, Turn } from '@turnwire/client';
import { terminalLoginCommand } from '@turnwire/client/node';
import { authenticationRequired, type AuthMethod } from '@turnwire/protocol';
import { expect, onTestFinished, test, vi } from 'vitest';
import { scripted } from '../scripted.ts';
import { failure, type Pair, pair, type PairOptions, said } from './agent-pair.ts';

const own: AuthMethod = { id: 'account', name: 'Account' };
const typed: AuthMethod = { id: 'key', name: 'Key', type: 'agent' };
const atTerminal: AuthMethod = { id: 'console', name: 'Console', type: 'terminal', args: ['--login'] };

/** An agent that requires a login before each session until it has had one. */
function locked(options: PairOptions = {}): Promise<Pair> {
  let isOpen = false;
  let sessions = 0;
  const guardedBy = <Value>(value: () => Value) => {
    return (): Value => {
      if (!isOpen) throw authenticationRequired('Log in first');
      return value();
    };
  };
  const guarded = <Value>(value: Value) => guardedBy(() => value);
  return pair({
    capabilities: { loadSession: true, sessionCapabilities: { resume: {} }, auth: { logout: {} } },
    authMethods: [own, typed, atTerminal],
    ...options,
    handlers: {
      'session/new': guardedBy(() => ({ sessionId: ['one', 'two', 'three'][sessions++] ?? 'many' })),
      'session/load': guarded({}),
      'session/resume': guarded({}),
      'session/prompt': guarded({ stopReason: 'end_turn' as const }),
      authenticate: () => {
        isOpen = true;
        return {};
      },
      logout: () => {
        isOpen = false;
        return {};
      },
      ...options.handlers,
    },
  });
}

const methodsOf = ({ calls }: Pair): readonly string[] => calls.map(([method]) => method);

test('without a user to ask, a required login is an error', async () => {
  await using connected = await locked();
  expect(await failure(connected.agent.newSession({ cwd: '/' }))).toEqual({ code: -32000, message: 'Log in first' });
});

test('a required login runs at the agent, and the call is repeated once', async () => {
  for (const { id } of [own, typed]) {
    await using connected = await locked({ onLoginNeeded: () => id });
    const session = await connected.agent.newSession({ cwd: '/' });
    expect({ id: session.id, calls: connected.calls }).toEqual({
      id: 'one',
      calls: [
        ['session/new', { cwd: '/', mcpServers: [] }],
        ['authenticate', { methodId: id }],
        ['session/new', { cwd: '/', mcpServers: [] }],
      ],
    });
  }
});

test('loading and resuming a session log in too', async () => {
  for (const call of ['loadSession', 'resumeSession'] as const) {
    await using connected = await locked({ onLoginNeeded: () => 'key' });
    const session = await connected.agent[call]?.({ cwd: '/', sessionId: 'old' });
    expect([session?.id, methodsOf(connected).length]).toEqual(['old', 3]);
  }
});

test('after a logout, a prompt that the agent has not begun logs in again', async () => {
  await using connected = await locked({ onLoginNeeded: () => 'key' });
  const session = await connected.agent.newSession({ cwd: '/' });
  await connected.agent.logout?.();
  expect({ result: await session.prompt('go'), calls: methodsOf(connected).slice(-4) }).toEqual({
    result: { stopReason: 'end_turn' },
    calls: ['logout', 'session/prompt', 'authenticate', 'session/prompt'],
  });
});

test('a prompt that the agent has begun is not sent twice', async () => {
  await using connected = await pair({
    authMethods: [own],
    onLoginNeeded: () => 'account',
    handlers: {
      'session/prompt': async ({ sessionId }, { peer }) => {
        await peer.notify('session/update', { sessionId, update: said('I have begun') });
        throw authenticationRequired();
      },
    },
  });
  const session = await connected.agent.newSession({ cwd: '/' });
  const { code } = await failure(session.prompt('go').result);
  expect({ code, calls: methodsOf(connected) }).toEqual({ code: -32000, calls: ['session/new', 'session/prompt'] });
});

test('a turn cancelled during a login ends at once and is not sent again', async () => {
  const running: Turn[] = [];
  await using connected = await locked({
    handlers: { 'session/new': () => ({ sessionId: 'one' }) },
    onLoginNeeded: () => {
      for (const turn of running) void turn.cancel();
      return 'key';
    },
  });
  const session = await connected.agent.newSession({ cwd: '/' });
  running.push(session.prompt('go'));
  expect(await running[0]).toEqual({ stopReason: 'cancelled' });
  await connected.agent.authenticate('account');
  expect(methodsOf(connected)).toEqual(['session/new', 'session/prompt', 'authenticate', 'authenticate']);
});

test('a login that does not help is not repeated', async () => {
  await using connected = await locked({
    onLoginNeeded: () => 'key',
    handlers: { authenticate: () => ({}) },
  });
  const { code } = await failure(connected.agent.newSession({ cwd: '/' }));
  expect({ code, calls: methodsOf(connected) }).toEqual({
    code: -32000,
    calls: ['session/new', 'authenticate', 'session/new'],
  });
});

test('a declined login leaves the error, and a failed login is reported', async () => {
  await using declined = await locked({ onLoginNeeded: () => undefined });
  await using failed = await locked({
    onLoginNeeded: () => 'key',
    handlers: {
      authenticate: () => {
        throw authenticationRequired('wrong key');
      },
    },
  });
  expect([
    await failure(declined.agent.newSession({ cwd: '/' })),
    await failure(failed.agent.newSession({ cwd: '/' })),
  ]).toEqual([
    { code: -32000, message: 'Log in first' },
    { code: -32000, message: 'wrong key' },
  ]);
});

test('concurrent calls that need a login share one', async () => {
  let asked = 0;
  await using connected = await locked({
    onLoginNeeded: async () => {
      asked++;
      await new Promise((resolve) => setTimeout(resolve, 20));
      return 'key';
    },
  });
  const { agent } = connected;
  await Promise.all([agent.newSession({ cwd: '/' }), agent.newSession({ cwd: '/' }), agent.newSession({ cwd: '/' })]);
  expect({ asked, logins: methodsOf(connected).filter((method) => method === 'authenticate').length }).toEqual({
    asked: 1,
    logins: 1,
  });
});

test('only the login methods that the agent lists can be used', async () => {
  await using connected = await locked();
  expect({ error: await failure(connected.agent.authenticate('nope')), calls: connected.calls }).toEqual({
    error: {
      code: 'not-advertised',
      message: 'The agent has no login method "nope"; it has: account, key, console',
    },
    calls: [],
  });
});

test('a terminal login is never sent to the agent, and takes effect after a restart', async () => {
  const seen: unknown[] = [];
  const terminalLogin: TerminalLogin = async (method) => seen.push(method) > 0;
  await using connected = await locked({ terminalLogin, onLoginNeeded: () => 'console' });
  const { agent } = connected;
  expect({
    result: await agent.authenticate('console'),
    asked: await failure(agent.newSession({ cwd: '/' })),
    seen,
    calls: methodsOf(connected),
  }).toEqual({
    result: { needsRestart: true },
    asked: { code: -32000, message: 'You are logged in now; close the agent and start it again to use the login' },
    seen: [atTerminal, atTerminal],
    calls: ['session/new'],
  });
});

test('a terminal login that is not completed, or that has no terminal, is an error', async () => {
  await using aborted = await locked({ terminalLogin: () => Promise.resolve(false) });
  await using without = await locked();
  expect([
    await failure(aborted.agent.authenticate('console')),
    await failure(without.agent.authenticate('console')),
  ]).toEqual([
    { code: 'cancelled', message: 'The login "Console" was not completed; try again' },
    {
      code: 'not-advertised',
      message:
        'The login "Console" needs a terminal, and this client has none: run the agent\'s program yourself to log in, then start the agent again',
    },
  ]);
});

test("a terminal login runs the agent's own program with more arguments and variables, and nothing the agent names", async () => {
  const method = { ...atTerminal, env: { TOKEN_FILE: '/theirs', EXTRA: '1' }, command: '/bin/evil' };
  const { words, env } = terminalLoginCommand(scripted('print-launch'), method, {
    env: { TOKEN_FILE: '/ours', KEPT: 'yes' },
  });
  const [program = '', ...rest] = words;
  const child = spawn(program, rest, {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let printed = '';
  child.stdout.on('data', (chunk: Buffer) => (printed += chunk.toString()));
  await once(child, 'close');
  expect(JSON.parse(printed)).toEqual({
    arguments: ['print-launch', '--login'],
    env: expect.objectContaining({ TOKEN_FILE: '/theirs', EXTRA: '1', KEPT: 'yes' }),
  });
});

test('a login gets the variables of a start and of a terminal, and no others', () => {
  const own = {
    PATH: '/bin',
    DISPLAY: ':0',
    SSH_TTY: '/dev/pts/1',
    GITHUB_TOKEN: 'secret',
    NODE_OPTIONS: '--title=x',
    KEY: 'k',
  };
  vi.spyOn(process, 'env', 'get').mockReturnValue(own);
  onTestFinished(() => void vi.restoreAllMocks());
  const method = { ...atTerminal, env: { LOGIN_AS: 'ada' } };
  const start = { env: { KEPT: 'yes' }, inheritEnv: ['KEY'] };
  expect(terminalLoginCommand('agent', method, start)).toEqual({
    words: ['agent', '--login'],
    env: { PATH: '/bin', DISPLAY: ':0', SSH_TTY: '/dev/pts/1', KEY: 'k', KEPT: 'yes', LOGIN_AS: 'ada' },
    set: ['LOGIN_AS'],
    withheld: [],
  });
});

test.each([
  'NODE_OPTIONS',
  'node_options',
  'LD_PRELOAD',
  'DYLD_INSERT_LIBRARIES',
  'BASH_ENV',
  'PYTHONSTARTUP',
  'GIT_SSH_COMMAND',
  'BROWSER',
  'EDITOR',
  'PATH',
  'HOME',
  'XDG_CONFIG_HOME',
  'HTTPS_PROXY',
  'npm_config_script_shell',
  'NODE_OPTIONS=--require ./x.cjs',
  '',
])('the agent cannot set %j for its login', (name) => {
  const method = { ...atTerminal, env: { [name]: 'chosen by the agent', LOGIN_AS: 'ada' } };
  const { env, set, withheld } = terminalLoginCommand('agent', method);
  expect({ isSet: env[name] === 'chosen by the agent', set, withheld }).toEqual({
    isSet: false,
    set: ['LOGIN_AS'],
    withheld: [name],
  });
});
