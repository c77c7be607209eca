import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ListeningAgent, type ListenOptions, serveAgent } from '@turnwire/agent/node';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { testCertificate } from '../../../tools/test-certificate.ts';
import { turnwire } from './command.ts';

let folder = '';

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'turnwire-doctor-'));
  return () => rm(folder, { recursive: true, force: true });
});

async function echo(listen: ListenOptions = {}): Promise<ListeningAgent> {
  const info = { name: 'echo', version: '1.0.0' };
  const agent = await serveAgent(
    { info, prompt: (turn) => turn.say(turn.text) },
    { listen: { token: 'secret', ...listen } },
  );
  onTestFinished(() => agent.close());
  return agent;
}

interface Found {
  readonly layer: string;
  readonly verdict: string;
  readonly message: string;
  readonly advice?: string;
}

/** What the doctor finds, without the layers that were not reached. */
async function findings(
  url: string,
  env: Readonly<Record<string, string>> = { TURNWIRE_TOKEN: 'secret' },
  ...words: readonly string[]
): Promise<readonly string[]> {
  const { stdout } = await turnwire(['doctor', '--agent', url, '--format', 'json', ...words], { env });
  expect(stdout).not.toContain('secret');
  const all = stdout.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line) as Found]));
  return all
    .filter(({ message }) => message !== 'not reached')
    .map(({ layer, verdict, message, advice }) =>
      [`${layer} ${verdict}: ${message}`, advice].filter(Boolean).join(' → '),
    );
}

const rest = [
  'initialize ok: echo 1.0.0 speaks protocol version 1. It offers session/close.',
  'login ok: It creates a session without a login.',
  'session ok: It creates a session.',
];
const socket = 'http ok: It accepts WebSockets.';
const http = 'http ok: It speaks HTTP as an agent does.';

test.each([
  ['url', socket],
  ['httpUrl', http],
] as const)('doctor examines the connection to a remote agent, then the agent: %s', async (name, answers) => {
  const { [name]: url } = await echo();
  const found = await findings(url, { TURNWIRE_TOKEN: 'secret' }, '--prompt', 'hello');
  expect(found).toEqual([
    `connection ok: ${new URL(url).host} accepts connections.`,
    answers,
    ...rest,
    expect.stringMatching(/^turn ok: It ended the turn \(end_turn\) after 1 update/),
  ]);
});

test.each(['url', 'httpUrl'] as const)('an error answer of a server is reported with advice: %s', async (name) => {
  const { [name]: url } = await echo();
  const connection = `connection ok: ${new URL(url).host} accepts connections.`;
  expect(await findings(url, { TURNWIRE_TOKEN: 'wrong' })).toEqual([
    connection,
    'http failed: It answered 401 Unauthorized: Not authorized. Send a valid token in the Authorization header. → It requires authentication: check the token or the headers that are sent.\nSet the token for --agent URL in the variable TURNWIRE_TOKEN; set other headers in the configuration of the agent, or in a file: add --header-file FILE after the URL.',
  ]);
  expect(await findings(url.replace('/acp', '/other'))).toEqual([
    connection,
    'http failed: It answered 404 Not Found: There is nothing at this path. → There is no agent at this path. Many use /acp.',
  ]);
});

test('a web page and a failing server are reported as such, not as an agent', async () => {
  let status = 200;
  const server = createServer((_request, response) => void response.writeHead(status).end('<h1>Sign in</h1>'));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/acp`;
  const [, page] = await findings(url);
  status = 503;
  const [, failing] = await findings(url);
  expect({ page, failing }).toEqual({
    page: 'http failed: It answered 200 OK. → Something other than an agent answers there: check the host, the port and the path.',
    failing:
      'http failed: It answered 503 Service Unavailable. → The server or a proxy in front of it failed. Look at its log, and try again later.',
  });
});

test.each([
  ['url', socket],
  ['httpUrl', http],
] as const)('the facts of a trusted or untrusted certificate are reported: %s', async (name, answers) => {
  const certificate = testCertificate();
  const { [name]: url } = await echo({ tls: certificate });
  await writeFile(join(folder, 'ca.pem'), certificate.cert);
  const facts = /The certificate is for localhost, 127\.0\.0\.1, by localhost, until \d{4}-\d\d-\d\d\./.source;
  const connection = `connection ok: ${new URL(url).host} accepts connections.`;
  expect(await findings(url)).toEqual([
    connection,
    expect.stringMatching(
      `^tls failed: The certificate was not issued by an authority that is trusted here \\(DEPTH_ZERO_SELF_SIGNED_CERT\\)\\. ${facts} → If you know the authority, name the file with its certificate in NODE_EXTRA_CA_CERTS\\.`,
    ),
  ]);
  const trusting = { TURNWIRE_TOKEN: 'secret', NODE_EXTRA_CA_CERTS: join(folder, 'ca.pem') };
  expect(await findings(url, trusting)).toEqual([
    connection,
    // The certificate of the test is for a day.
    expect.stringMatching(`^tls warning: It speaks TLSv1\\.3, HTTP/2\\. ${facts} → It expires in \\d days`),
    answers,
    ...rest,
  ]);
});

test('a missing host, port or agent is reported by the layer that fails', async () => {
  const { url } = await echo();
  const [, tls] = await findings(url.replace('ws:', 'wss:'));
  expect([tls, await findings('wss://no-such-host.invalid/acp'), await findings('ws://127.0.0.1:61009/acp')]).toEqual([
    'tls failed: It does not speak TLS there: wrong version number. → Check the port. A server without encryption is reached by ws:// or http://, on another machine with --insecure.',
    [
      expect.stringMatching(
        /^name failed: (?:There is no host no-such-host\.invalid\. → Check the spelling|No name server)/,
      ),
    ],
    [
      'connection failed: Nothing listens at 127.0.0.1:61009. → Start the agent there, or check the port. An agent that listens on 127.0.0.1 is reached only on its machine.',
    ],
  ]);
});
