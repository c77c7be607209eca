import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { memoryStore, serveAgent } from '@turnwire/agent';
import type { Transport } from '@turnwire/protocol';
import { serveHttp } from '@turnwire/transports/http/node';
import { bearerToken, serveWebSockets } from '@turnwire/transports/websocket/node';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { agentFixture } from './agent-fixture.ts';
import { turnwire } from './command.ts';

let folder = '';

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'turnwire-remote-'));
  return () => rm(folder, { recursive: true, force: true });
});

type Scheme = 'ws' | 'http';
const schemes: readonly Scheme[] = ['ws', 'http'];

const store = memoryStore();
/** Asks before it answers. */
function careful(transport: Transport): void {
  serveAgent(
    {
      info: { name: 'remote', version: '1.0.0' },
      store,
      prompt: async (turn) => {
        const tool = turn.tool({ title: 'Run it', kind: 'execute' });
        const { outcome } = await turn.askPermission(tool);
        await tool.complete();
        await turn.say(`${turn.text}: ${outcome}`);
      },
    },
    { transport },
  );
}

/** An agent on a server that wants the token `secret`. */
async function remoteAgent(scheme: Scheme, accept: (transport: Transport) => void = careful): Promise<string> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const endpoint = { ws: serveWebSockets, http: serveHttp }[scheme](
    server,
    { authorize: bearerToken('secret') },
    accept,
  );
  onTestFinished(async () => {
    await endpoint.close();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return `${scheme}://127.0.0.1:${(server.address() as AddressInfo).port}/acp`;
}

const env = { TURNWIRE_TOKEN: 'secret' };

test.each(schemes)('%s: --agent takes a URL, and the token comes from the environment', async (scheme) => {
  const url = await remoteAgent(scheme);
  const trace = join(folder, 'run.jsonl');
  const words = ['--agent', url, '--approve-all', '--trace', trace, 'exec', 'hello'];
  expect(await turnwire(words, { cwd: folder, env })).toEqual({
    code: 0,
    stdout: '✓ Run it\nhello: allowed\n',
    stderr: '',
  });
  expect(await readFile(trace, 'utf8')).not.toContain('secret');
});

test('headers come from a file that follows the URL', async () => {
  const url = await remoteAgent('http');
  await writeFile(join(folder, 'box.headers'), '# for the box\n\nAuthorization: Bearer secret\nX-Other: 1\n');
  const words = ['--agent', `${url} --header-file box.headers`, '--deny-all', '--format', 'quiet', 'exec', 'hello'];
  expect(await turnwire(words, { cwd: folder })).toEqual({ code: 5, stdout: 'hello: rejected\n', stderr: '' });
});

test.each(schemes)('%s: a session with a remote agent lasts over several prompts', async (scheme) => {
  const url = await remoteAgent(scheme);
  const run = (...words: readonly string[]): ReturnType<typeof turnwire> =>
    turnwire(['--agent', url, '--approve-all', '--format', 'quiet', ...words], {
      cwd: folder,
      env: { ...env, XDG_STATE_HOME: join(folder, 'state'), XDG_DATA_HOME: join(folder, 'data') },
    });
  expect((await run('sessions', 'new')).code).toBe(0);
  expect(await run('prompt', 'one')).toEqual({ code: 0, stdout: 'one: allowed\n', stderr: '' });
  expect(await run('prompt', 'two')).toEqual({ code: 0, stdout: 'two: allowed\n', stderr: '' });
  expect((await run('sessions', 'close')).code).toBe(0);
});

test.each(schemes)('%s: doctor and agents know remote agents', async (scheme) => {
  const url = await remoteAgent(scheme);
  const { run, runWith, project } = await agentFixture();
  await writeFile(join(project, 'box.headers'), 'authorization: Bearer secret\n');
  expect(await run('agents', 'add', 'box', '--', url, '--header-file', 'box.headers')).toMatchObject({
    code: 0,
    stderr: '',
  });
  const shown = await run('agents', 'show', 'box', '--format', 'json');
  expect(JSON.parse(shown.stdout)).toMatchObject({ installed: true, command: [url, '--header-file', 'box.headers'] });
  expect(await run('doctor', 'box', '--format', 'quiet')).toEqual({ code: 0, stdout: 'ok\n', stderr: '' });
  const examined = await runWith(env, 'doctor', '--agent', url);
  expect(examined.stdout).toContain(`Examining ${url}\n`);
});

test.each(schemes)('%s: an agent in a configuration has a URL, and headers with variables', async (scheme) => {
  const url = new URL(await remoteAgent(scheme));
  const { runWith, userConfig, write } = await agentFixture();
  const transport = { ws: 'websocket', http: 'http' }[scheme];
  const box = {
    transport,
    url: `${scheme}://127.0.0.1:\${PORT}/acp`,
    headers: { Authorization: 'Bearer ${KEY}', 'X-Team': '${TEAM:-none}' },
  };
  await write(userConfig, JSON.stringify({ agents: { box } }));
  const words = ['box', '--deny-all', '--format', 'quiet', 'exec', 'hello'];
  const outcome = await runWith({ PORT: url.port, KEY: 'secret' }, ...words);
  expect(outcome).toEqual({ code: 5, stdout: 'hello: rejected\n', stderr: '' });
  const { code, stderr } = await runWith({ PORT: url.port }, ...words);
  expect({ code, stderr }).toEqual({
    code: 2,
    stderr:
      "turnwire: the agent 'box': the variable KEY is not set. Set it, or add a default: ${KEY:-…}.\nSee turnwire --help.\n",
  });
  const shown = await runWith({ PORT: url.port, KEY: 'secret' }, 'agents', 'show', 'box', '--format', 'json');
  expect(shown.stdout).not.toContain('secret');
});

test.each<[Scheme, passed: number]>([
  ['ws', 4],
  ['http', 15],
])('%s: check judges a remote agent and its transport', async (scheme, passed) => {
  const url = await remoteAgent(scheme);
  const report = join(folder, 'report.json');
  const words = ['check', '--only', 'initialize/*,remote/*', '--json', report, '--', url];
  const { code, stdout } = await turnwire(words, { cwd: folder, env });
  expect({ code, names: stdout.includes(url) }).toEqual({ code: 0, names: true });
  const { requirements } = JSON.parse(await readFile(report, 'utf8')) as {
    readonly requirements: readonly { readonly id: string; readonly outcome: string }[];
  };
  const outcomes = requirements.filter(({ id }) => id >= 'R340').map(({ outcome }) => outcome);
  expect(outcomes.filter((outcome) => outcome === 'passed').length).toBe(passed);
});

test.each<[given: string, words: readonly string[], message: string]>([
  [
    'a password',
    ['wss://me:pass@box.example/acp'],
    'the URL holds a user name or a password: URLs are written to logs. Set TURNWIRE_TOKEN, or add --header-file FILE behind the URL',
  ],
  [
    'a token in the query',
    ['wss://box.example/acp?access_token=hidden'],
    'the query of the URL holds a secret, access_token: URLs are written to logs. Set TURNWIRE_TOKEN, or add --header-file FILE behind the URL',
  ],
  [
    'another machine without encryption',
    ['ws://box.example/acp'],
    'ws:// to box.example sends everything unencrypted over the network: use wss://, or add --insecure behind the URL',
  ],
  [
    'another machine without encryption, over HTTP',
    ['http://box.example/acp'],
    'http:// to box.example sends everything unencrypted over the network: use https://, or add --insecure behind the URL',
  ],
  [
    'a host that only looks like this machine',
    ['ws://127.evil.example/acp'],
    'ws:// to 127.evil.example sends everything unencrypted over the network: use wss://, or add --insecure behind the URL',
  ],
  [
    'a file that is not there',
    ['wss://box.example/acp', '--header-file', '/nowhere/x'],
    'there is no file /nowhere/x with headers',
  ],
])('%s is refused before a request is sent', async (_given, words, message) => {
  const refused = { code: 2, stdout: '', stderr: `turnwire: ${message}\n` };
  expect(await turnwire(['connect', ...words])).toEqual(refused);
});

test('a header that cannot be sent is refused without printing it', async () => {
  await writeFile(join(folder, 'headers'), 'X-Fine: 1\nhidden words\n');
  const words = ['connect', 'ws://127.0.0.1:61009/acp', '--header-file', join(folder, 'headers')];
  const { code, stderr } = await turnwire(words);
  expect({ code, stderr }).toEqual({
    code: 2,
    stderr: `turnwire: ${join(folder, 'headers')}:2: this is not a header; write NAME: VALUE\n`,
  });
});

const first = '{ "id":0 ,"method":"initialize"}';
const odd = ['{"id" : 1, "text":"grüße \\u2028 🧑‍💻"}', '{"a":1,"a":2}', '{"jsonrpc":"2.0","id":1e3}'];

test.each<[Scheme, readonly string[]]>([
  ['ws', [first, ...odd, '[ ]']],
  ['http', [first, ...odd, '{"method":"x","params":{"sessionId":"s\\u0073"}, "id":"y"}']],
])('%s: connect forwards frames unchanged in both directions', async (scheme, frames) => {
  const url = await remoteAgent(scheme, (transport) => {
    transport.start({ frame: (text) => transport.send(text), warning: () => undefined, end: () => undefined });
  });
  expect(await connectAndSend(url, frames, frames.length)).toEqual({
    code: 0,
    stdout: `${frames.join('\n')}\n`,
    stderr: '',
  });
});

test.each(schemes)('%s: connect returns the answers to requests that it read before stdin ended', async (scheme) => {
  const url = await remoteAgent(scheme);
  const initialize = '{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":1}}';
  const { code, stdout } = await turnwire(['connect', url], { env, stdin: `${initialize}\n` });
  expect({ code, answer: JSON.parse(stdout) as unknown }).toEqual({
    code: 0,
    answer: expect.objectContaining({ id: 0, result: expect.objectContaining({ protocolVersion: 1 }) }),
  });
});

test('the error for a missing header file names the file', async () => {
  const words = ['--agent', 'wss://box.example/acp --header-file /nope', 'exec', 'hello'];
  const { code, stderr } = await turnwire(words, { cwd: folder });
  expect({ code, isNamed: stderr.includes('/nope'), isInternal: stderr.includes('Internal error') }).toEqual({
    code: 1,
    isNamed: true,
    isInternal: false,
  });
});

test('over HTTP, an invalid message is answered with an error, and the connection stays open', async () => {
  const url = await remoteAgent('http', (transport) => {
    transport.start({ frame: (text) => transport.send(text), warning: () => undefined, end: () => undefined });
  });
  const frames = ['{"id":0,"method":"initialize"}', 'no JSON', '[]', '{"method":"x"}'];
  const refused = (words: string): string =>
    `{"jsonrpc":"2.0","id":null,"error":{"code":-32603,"message":"the server answered 400 Bad Request: ${words}","data":{"status":400}}}`;
  expect((await connectAndSend(url, frames, frames.length)).stdout.split('\n').toSorted()).toEqual([
    '',
    frames[0],
    refused('Batches are not part of the protocol: send one message.'),
    refused('The body is not JSON in UTF-8.'),
    frames[3],
  ]);
});

/** Runs `connect`, sends the frames, and ends its stdin when so many have come back. */
function connectAndSend(url: string, frames: readonly string[], back: number): ReturnType<typeof turnwire> {
  return turnwire(['connect', url], {
    env,
    stdin: `${frames.join('\n')}\n`,
    keepsStdin: true,
    meanwhile: (child) => {
      let printed = '';
      child.stdout?.on('data', (chunk: Buffer) => {
        printed += chunk.toString();
        if (printed.split('\n').length > back) child.stdin?.end();
      });
    },
  });
}

test.each<[Scheme, refusal: string, unreachable: string]>([
  ['ws', 'the server did not accept the WebSocket: 401 Unauthorized', 'connect ECONNREFUSED 127.0.0.1:61009'],
  ['http', 'the server answered 401 Unauthorized', 'a message could not be sent: connect ECONNREFUSED 127.0.0.1:61009'],
])(
  '%s: an agent that refuses or cannot be reached is reported with advice and without the token',
  async (scheme, refusal, unreachable) => {
    const url = await remoteAgent(scheme);
    const refused = await turnwire(['connect', url], {
      env: { TURNWIRE_TOKEN: 'wrong' },
      stdin: '{"jsonrpc":"2.0","id":0,"method":"initialize"}\n',
      keepsStdin: true,
    });
    expect(refused).toEqual({
      code: 1,
      stdout: '',
      stderr: `turnwire: ${url}: ${refusal}: Not authorized. Send a valid token in the Authorization header. Check TURNWIRE_TOKEN, the headers of its configuration, or --header-file\n`,
    });
    const elsewhere = `${scheme}://127.0.0.1:61009/acp`;
    const { code, stderr } = await turnwire(['--agent', elsewhere, 'exec', 'x'], { env });
    expect({ code, stderr }).toEqual({ code: 1, stderr: `turnwire: ${elsewhere}: ${unreachable}\n` });
    expect(refused.stderr + stderr).not.toContain('secret');
  },
);

test.each(schemes)('%s: a server that rejects the host name of the URL is reported with advice', async (scheme) => {
  const url = (await remoteAgent(scheme)).replace('127.0.0.1', '0.0.0.0');
  const { code, stderr } = await turnwire(['--agent', `${url} --insecure`, 'exec', 'x'], { env });
  expect([code, stderr.split('403 Forbidden: ')[1]]).toEqual([
    1,
    'This Host is not accepted. The server has to list it in hosts: turnwire serve --host-name 0.0.0.0\n',
  ]);
});

test.each(schemes)('%s: the refusal text of a server stays on its line, without escape sequences', async (scheme) => {
  const answer = '\u001B]0;owned\u0007\u001B[31mGo away\r\nturnwire: all is well\u009B2J\r\n';
  const server = createServer((_request, response) => void response.writeHead(400).end(answer));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  const url = `${scheme}://127.0.0.1:${(server.address() as AddressInfo).port}/acp`;
  const said = { ws: 'the server did not accept the WebSocket', http: 'the server answered' }[scheme];
  const line = `turnwire: ${url}: ${said}${scheme === 'ws' ? ':' : ''} 400 Bad Request: Go away turnwire: all is well\n`;
  const executed = await turnwire(['--agent', url, 'exec', 'x'], { env });
  const first = '{"jsonrpc":"2.0","id":0,"method":"initialize"}\n';
  const connected = await turnwire(['connect', url], { env, stdin: first, keepsStdin: true });
  expect([executed.stderr, connected.stderr]).toEqual([line, line]);
});

test.each(schemes)(
  '%s: a connection that breaks in a turn ends the turn with an error that says so',
  async (scheme) => {
    const url = await remoteAgent(scheme, (transport) => {
      serveAgent({ info: { name: 'remote', version: '1.0.0' }, prompt: () => transport.close() }, { transport });
    });
    const { code, stderr } = await turnwire(['--agent', url, 'exec', 'x'], { env });
    expect({ code, stderr }).toEqual({ code: 1, stderr: `turnwire: ${url}: the server closed the connection\n` });
  },
);
