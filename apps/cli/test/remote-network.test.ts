import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Duplex } from 'node:stream';
import { type ListeningAgent, type ListenOptions, serveAgent } from '@turnwire/agent/node';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { testCertificate } from '../../../tools/test-certificate.ts';
import { turnwire } from './command.ts';

let folder = '';

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'turnwire-network-'));
  return () => rm(folder, { recursive: true, force: true });
});

const env = { TURNWIRE_TOKEN: 'secret' };

async function echo(listen: ListenOptions): Promise<ListeningAgent> {
  const info = { name: 'echo', version: '1.0.0' };
  const agent = await serveAgent(
    { info, prompt: (turn) => turn.say(turn.text) },
    { listen: { token: 'secret', ...listen } },
  );
  onTestFinished(() => agent.close());
  return agent;
}

const certificate = testCertificate();

test.each(['url', 'httpUrl'] as const)(
  'an agent with a certificate of a private authority is reached: %s',
  async (name) => {
    const agent = await echo({ tls: certificate });
    const words = ['--agent', agent[name], '--format', 'quiet', 'exec', 'hello'];
    await writeFile(join(folder, 'ca.pem'), certificate.cert);
    const trusting = { ...env, NODE_EXTRA_CA_CERTS: join(folder, 'ca.pem') };
    expect(await turnwire(words, { cwd: folder, env: trusting })).toEqual({ code: 0, stdout: 'hello\n', stderr: '' });
    const { code, stderr } = await turnwire(words, { cwd: folder, env });
    expect({ code, isTold: stderr.includes('self-signed certificate') }).toEqual({ code: 1, isTold: true });
  },
);

/** A proxy, and what was asked of it. Every name leads to this machine. */
class Proxy {
  readonly asked: string[] = [];
  readonly #wires = new Set<Duplex>();
  readonly #server = createServer();
  readonly #mayPass: boolean;

  constructor(mayPass = true) {
    this.#mayPass = mayPass;
  }

  async listen(): Promise<string> {
    this.#server.on('connect', ({ url = '', headers }, wire: Duplex) => this.#connect(url, headers, wire));
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    onTestFinished(() => this.#close());
    return `http://user:pass%20word@127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  #connect(target: string, headers: object, wire: Duplex): void {
    this.asked.push(`${target} ${(headers as Record<string, string>)['proxy-authorization']}`);
    this.#wires.add(wire);
    if (!this.#mayPass) return void wire.end('HTTP/1.1 403 Forbidden\r\n\r\n');
    const other = connect(Number(target.split(':')[1]), '127.0.0.1', () => {
      wire.write('HTTP/1.1 200 Connection established\r\n\r\n');
      wire.pipe(other).pipe(wire);
    });
    for (const each of [wire, other]) each.on('error', () => [wire, other].map((end) => end.destroy()));
  }

  async #close(): Promise<void> {
    for (const wire of this.#wires) wire.destroy();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}

const basic = `Basic ${Buffer.from('user:pass word').toString('base64')}`;

test.each([
  ['url', 'ws:'],
  ['httpUrl', 'http:'],
] as const)('an agent is reached through the proxy of the environment variables: %s', async (name, protocol) => {
  const agent = await echo({ hosts: ['box.test'] });
  const { port } = new URL(agent[name]);
  const proxy = new Proxy();
  const HTTP_PROXY = await proxy.listen();
  const words = ['--agent', `${protocol}//box.test:${port}/acp --insecure`, '--format', 'quiet', 'exec', 'hello'];
  const outcome = await turnwire(words, { cwd: folder, env: { ...env, HTTP_PROXY } });
  expect(outcome).toEqual({ code: 0, stdout: 'hello\n', stderr: '' });
  expect(new Set(proxy.asked)).toEqual(new Set([`box.test:${port} ${basic}`]));
});

test('a model is requested through the proxy of the environment variables, and a local one directly', async () => {
  const model = createServer((_request, answer) =>
    answer.writeHead(400).end('{"error":{"message":"seen by the model"}}'),
  );
  model.listen(0, '127.0.0.1');
  await once(model, 'listening');
  onTestFinished(() => void model.close());
  const { port } = model.address() as AddressInfo;
  const proxy = new Proxy();
  const HTTP_PROXY = await proxy.listen();
  const own = { HTTP_PROXY, OPENAI_API_KEY: 'k', OPENAI_BASE_URL: `http://box.test:${port}/v1` };
  const words = ['--model', 'openai/gpt-6-sol', '--format', 'quiet', 'exec', 'hello'];
  const through = await turnwire(words, { cwd: folder, env: own });
  const asked = new Set(proxy.asked);
  const here = { ...own, OPENAI_BASE_URL: `http://127.0.0.1:${port}/v1` };
  const direct = await turnwire(words, { cwd: folder, env: here });
  expect({
    asked,
    answered: [through, direct].map(({ stderr }) => stderr.includes('seen by the model')),
    again: new Set(proxy.asked),
  }).toEqual({ asked: new Set([`box.test:${port} ${basic}`]), answered: [true, true], again: asked });
});

test.each(['ws', 'http'])('%s: a proxy that refuses is named without its password', async (scheme) => {
  const HTTP_PROXY = await new Proxy(false).listen();
  const { host } = new URL(HTTP_PROXY);
  const words = ['connect', `${scheme}://box.test:1234/acp`, '--insecure'];
  const stdin = '{"id":0,"method":"initialize"}\n';
  const { code, stderr } = await turnwire(words, { env: { ...env, HTTP_PROXY }, stdin, keepsStdin: true });
  expect({ code, stderr }).toEqual({
    code: 1,
    stderr: expect.stringContaining(`the proxy ${host} does not connect to box.test:1234: 403 Forbidden`) as string,
  });
  expect(stderr).not.toMatch(/pass|user/);
});
