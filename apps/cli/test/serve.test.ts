import { mkdir, mkdtemp, readdir, readFile, realpath, rm, stat, writeFile } from 'node:fs/promises';
import { once } from 'node:events';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createHttpStream } from '@agentclientprotocol/sdk/experimental/http-client';
import { createWebSocketStream, type WebSocketConstructor } from '@agentclientprotocol/sdk/experimental/ws-client';
import { attachAgent } from '@turnwire/client';
import { connectClient, protocolVersion } from '@turnwire/protocol';
import { stdioTransport } from '@turnwire/transports/stdio';
import { connectWebSocket } from '@turnwire/transports/websocket/node';
import { WebSocket } from 'ws';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { wholeTurns, withOfficialClient } from '../../../packages/agent/test/remote-pairings.ts';
import { commandWords, turnwire } from './command.ts';
import { unlessSandbox, withoutSandbox } from './sandbox.ts';
import { type RunningServer, startServer, wholeTurnsAgent } from './running-server.ts';

let folder: string;
beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'turnwire-serve-')));
  return () => rm(folder, { recursive: true });
});

async function server(...words: readonly string[]): Promise<RunningServer> {
  const running = await startServer(folder, ['--agent', wholeTurnsAgent(), ...words]);
  onTestFinished(() => void (running.child.exitCode === null && running.child.kill('SIGKILL')));
  return running;
}

const bearer = (token: string): { readonly authorization: string } => ({ authorization: `Bearer ${token}` });
const own = (): { readonly XDG_STATE_HOME: string } => ({ XDG_STATE_HOME: join(folder, 'state') });

describe('clients of the official SDK and a served agent', () => {
  test('a client of the official SDK has a whole turn over WebSocket', async () => {
    const { acp, token, end } = await server('--root', '/');
    const constructor = WebSocket as unknown as WebSocketConstructor;
    const seen = await withOfficialClient(() =>
      createWebSocketStream(acp, { WebSocket: constructor, headers: bearer(token) }),
    );
    expect({ seen, code: await end() }).toEqual({ seen: wholeTurns, code: 0 });
  });

  test('a client of the official SDK has a whole turn over HTTP', async () => {
    const { url, token, end } = await server('--root', '/');
    const seen = await withOfficialClient(() => createHttpStream(`${url}/acp`, { headers: bearer(token) }));
    expect({ seen, code: await end() }).toEqual({ seen: wholeTurns, code: 0 });
  });
});

test('a server that replaces one killed in a turn has everything the first one showed', async () => {
  const first = await server();
  const open = async ({ acp, token }: RunningServer): ReturnType<typeof attachAgent> =>
    attachAgent(connectWebSocket(new URL(acp), { headers: bearer(token) }));
  const before = await open(first);
  const seen: string[] = [];
  const see = (update: object): void => {
    if ('content' in update) seen.push((update.content as { readonly text: string }).text);
  };
  const session = await before.newSession({ cwd: folder, onUpdate: see });
  await session.prompt('one');
  session.prompt('second').result.catch(() => undefined);
  await expect.poll(() => seen).toEqual(['one', 'waiting']);
  await first.end('SIGKILL');

  const next = await server();
  const tokens = await turnwire(['serve', 'tokens', 'list', '--format', 'json'], { env: own() });
  expect((JSON.parse(tokens.stdout) as { readonly label: string }[]).map(({ label }) => label)).toEqual([
    `turnwire serve, process ${next.pid}`,
  ]);
  await using after = await open(next);
  seen.length = 0;
  const loaded = await after.loadSession?.({ sessionId: session.id, cwd: folder, onUpdate: see });
  const { stopReason } = (await loaded?.prompt('two')) ?? {};
  expect({ seen, stopReason, code: await next.end() }).toEqual({
    seen: [
      'one',
      'one',
      'second',
      'waiting',
      '[turnwire] The turn was interrupted: its host ended.\n\n',
      expect.stringContaining('[turnwire] The session could not be restored'),
      'two',
    ],
    stopReason: 'end_turn',
    code: 0,
  });
});

test('a server that shuts down finishes its turn and is not ready until then', async () => {
  const { acp, url, token, child, stderr } = await server();
  const exited = once(child, 'exit');
  let answer = (_optionId: string): void => undefined;
  let optionId: string | undefined;
  const peer = connectClient(connectWebSocket(acp, { headers: bearer(token) }), {
    'session/request_permission': ({ options: [option] }) => {
      optionId = option?.optionId;
      return new Promise((resolve) => {
        answer = (chosen) => resolve({ outcome: { outcome: 'selected', optionId: chosen } });
      });
    },
  });
  await peer.request('initialize', { protocolVersion, clientCapabilities: {} });
  const { sessionId } = await peer.request('session/new', { cwd: folder, mcpServers: [] });
  const turn = peer.request('session/prompt', { sessionId, prompt: [{ type: 'text', text: 'first' }] });
  await expect.poll(() => optionId).toBeDefined();
  child.kill('SIGTERM');
  await expect.poll(async () => (await fetch(`${url}/readyz`)).status).toBe(503);
  answer(optionId ?? '');
  expect((await turn).stopReason).toBe('end_turn');
  expect(await exited).toEqual([0, null]);
  expect(await stderr).toContain('waiting up to 30 s for a running turn; press Ctrl-C to exit now');
});

test('no token is printed into a log', async () => {
  const { code, stdout, stderr } = await turnwire(['serve', '--agent', wholeTurnsAgent()], {
    cwd: folder,
    env: own(),
    meanwhile: (child) =>
      child.stderr?.on('data', (chunk: Buffer) => chunk.includes('tokens create') && child.kill('SIGTERM')),
  });
  expect({ code, stdout, lines: stderr.replaceAll(/:\d+/g, ':N').trim().split('\n') }).toEqual({
    code: 0,
    stdout: '',
    lines: [
      'listening at ws://127.0.0.1:N/acp',
      'TURNWIRE_TOKEN=… turnwire --agent ws://127.0.0.1:N/acp chat  (turnwire serve tokens create prints a token)',
    ],
  });
});

test('a server with an agent that is not installed warns at start', async () => {
  const running = await server('--agent', 'no-such-program --acp');
  await running.end();
  expect((await running.stderr).split('\n')[0]).toBe(
    'turnwire: the agent no-such-program is not installed: there is no program no-such-program. Clients that need it get an error',
  );
});

test('clients need a token of this user, which is invalid once revoked', async () => {
  const audit = join(folder, 'audit.jsonl');
  const { acp, token, end } = await server('--audit', audit);
  const wrong = await turnwire(['--agent', acp, 'exec', 'hello'], { cwd: folder, env: { TURNWIRE_TOKEN: 'wrong' } });
  const right = await turnwire(['--agent', acp, 'exec', 'hello'], { cwd: folder, env: { TURNWIRE_TOKEN: token } });
  const made = await turnwire(['serve', 'tokens', 'create', '--label', 'phone'], { env: own() });
  const other = { TURNWIRE_TOKEN: made.stdout.trim() };
  const made2 = await turnwire(['--agent', acp, 'exec', 'hello'], { cwd: folder, env: other });
  const list = await turnwire(['serve', 'tokens', 'list', '--format', 'json'], { env: own() });
  const [, phone] = JSON.parse(list.stdout) as { readonly id: string; readonly label: string }[];
  const nothing = await turnwire(['serve', 'tokens', 'revoke', ''], { env: own() });
  await turnwire(['serve', 'tokens', 'revoke', phone?.id.slice(0, 8) ?? ''], { env: own() });
  const revoked = await turnwire(['--agent', acp, 'exec', 'hello'], { cwd: folder, env: other });
  expect([nothing.code, wrong.code, right, made2.stdout, phone?.label, revoked.code]).toEqual([
    1,
    1,
    { code: 0, stdout: 'hello\n', stderr: '' },
    'hello\n',
    'phone',
    1,
  ]);
  const modes = await Promise.all(
    ['tokens.json', 'sessions.sqlite'].map(
      async (name) => (await stat(join(folder, 'state', 'turnwire', name))).mode & 0o777,
    ),
  );
  expect(modes).toEqual([0o600, 0o600]);
  await end();
  expect(await readdir(join(folder, 'state', 'turnwire', 'servers'))).toEqual([]);
  const noted = (await readFile(audit, 'utf8')).trim().split('\n');
  expect(noted.map((line) => (JSON.parse(line) as { readonly what: string }).what)).toEqual([
    'refused',
    ...Array.from({ length: 2 }, () => ['connected', 'created', 'prompt', 'turn-ended', 'disconnected']).flat(),
    'refused',
  ]);
  expect((await stat(audit)).mode & 0o777).toBe(0o600);
});

test('log events are written to stderr for log collectors', async () => {
  const { acp, token, stderr, end } = await server('--audit', '-');
  await turnwire(['--agent', acp, 'exec', 'hello'], { cwd: folder, env: { TURNWIRE_TOKEN: token } });
  await end();
  const lines = (await stderr).trim().split('\n');
  const noted = lines.filter((line) => line.startsWith('{"at"'));
  expect(noted.map((line) => (JSON.parse(line) as { readonly what: string }).what)).toEqual([
    'connected',
    'created',
    'prompt',
    'turn-ended',
    'disconnected',
  ]);
});

test('sessions work only in the folders of the server', async () => {
  const { acp, token, end } = await server('--root', folder);
  const outside = await turnwire(['--agent', acp, '--cwd', tmpdir(), 'exec', 'hello'], {
    env: { TURNWIRE_TOKEN: token },
  });
  expect(outside).toEqual({
    code: 1,
    stdout: '',
    stderr: expect.stringContaining(`${tmpdir()} is in none of the folders this server works in: ${folder}`),
  });
  await end();
});

test('a Unix socket needs no token because its folder is closed to others', async () => {
  const running = await server('--listen', `unix:${join(folder, 'agent.sock')}`);
  const socket = connect(running.socket as string);
  await using agent = await attachAgent(stdioTransport({ input: socket, output: socket }));
  const session = await agent.newSession({ cwd: folder });
  const status = await turnwire(['serve', 'status'], { env: own() });
  expect((await session.prompt('hello')).stopReason).toBe('end_turn');
  expect(status.stdout).toContain(`unix:${join(folder, 'agent.sock')}\n  process ${running.pid}, since `);
  await agent.close();
  expect(await running.end()).toBe(0);
});

test.skipIf(withoutSandbox)(
  `an agent in a sandbox writes only in the folders of the server, and reads neither our files nor the variables of the server${unlessSandbox}`,
  async () => {
    const work = join(folder, 'work');
    await mkdir(work);
    const outside = await mkdtemp(join(tmpdir(), 'turnwire-outside-'));
    onTestFinished(() => rm(outside, { recursive: true }));
    const program = dirname(commandWords.at(-1) as string);
    const words = ['--sandbox', '--root', folder, '--sandbox-write', program];
    const { acp, token, end } = await startServer(folder, words, {
      SECRET_OF_SERVER: 'hidden',
      TURNWIRE_TOKEN: 'hidden',
    });
    // What a script does is beyond the rules, which read the command line alone.
    const lines = [
      `touch '${outside}/escaped'`,
      `ls -a '${folder}/state/turnwire' > listed`,
      'cat /proc/[0-9]*/environ > variables',
    ];
    await writeFile(join(work, 'leave.sh'), lines.join('\n'));
    const options = ['--agent', acp, '--cwd', work, '--approve-all', '--format', 'quiet'];
    await turnwire([...options, 'exec', 'run sh leave.sh'], { env: { TURNWIRE_TOKEN: token } });
    const variables = await readFile(join(work, 'variables'), 'utf8');
    expect({
      work: await readdir(work),
      outside: await readdir(outside),
      listed: (await readFile(join(work, 'listed'), 'utf8')).includes('tokens.json'),
      variables: ['PATH=', 'SECRET_OF_SERVER', 'hidden'].map((name) => variables.includes(name)),
      code: await end(),
    }).toEqual({
      work: ['leave.sh', 'listed', 'variables'],
      outside: [],
      listed: false,
      variables: [true, false, false],
      code: 0,
    });
  },
);

test('a server with a sandbox does not start without bubblewrap', async () => {
  const { code, stderr } = await turnwire(['serve', '--sandbox'], { cwd: folder, env: { ...own(), PATH: folder } });
  expect({ code, stderr }).toEqual({
    code: 2,
    stderr: expect.stringContaining('--sandbox: it needs bubblewrap (bwrap), which is not on the PATH'),
  });
});

test('the messages of each agent are traced into a separate file', async () => {
  const { acp, token, end } = await server('--trace', join(folder, 'trace.jsonl'));
  for (const text of ['one', 'two'])
    await turnwire(['--agent', acp, 'exec', text], { cwd: folder, env: { TURNWIRE_TOKEN: token } });
  await end();
  const traces = ['trace.jsonl', 'trace-2.jsonl'].map((name) => readFile(join(folder, name), 'utf8'));
  expect((await Promise.all(traces)).map((text) => [text.includes('"one"'), text.includes('"two"')])).toEqual([
    [true, false],
    [false, true],
  ]);
});

test.each([
  [
    ['--listen', '0.0.0.0:0'],
    '0.0.0.0 is reachable from other machines: add --tls-cert FILE, --tls-key FILE, --host-name NAME',
  ],
  [['--listen', '0.0.0.0:0', '--tls-cert', 'a', '--tls-key', 'b'], 'other machines: add --host-name NAME'],
  [['--listen', 'nonsense'], 'Give HOST:PORT'],
  [['--tls-cert', '/nowhere.pem'], 'give both --tls-cert and --tls-key'],
  [['--answers', '{}'], 'turnwire serve has no use for --answers: it is for one turn, and turns are given by clients'],
  [['--timeout', '5'], 'turnwire serve has no use for --timeout'],
  [['--mcp-config', '/nowhere.json'], '/nowhere.json'],
])('turnwire serve %j is refused', async (words, message) => {
  const { code, stderr } = await turnwire(['serve', ...words], { cwd: folder, env: own() });
  expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(message) });
});
