import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, realpath, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { commandWords, plainEnvironment, turnwire } from './command.ts';
import { startServer } from './running-server.ts';

let folder: string;
beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'turnwire-web-')));
  return () => rm(folder, { recursive: true, maxRetries: 5 });
});

const own = (): NodeJS.ProcessEnv => ({ XDG_STATE_HOME: join(folder, 'state') });

/** What a page gets that logs in with an address: its token, and then what the server has. */
async function visit(address: string): Promise<unknown> {
  const { origin, hash } = new URL(address);
  const login = await fetch(`${origin}/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin },
    body: JSON.stringify({ ticket: hash.replace('#ticket=', '') }),
  });
  const { token = '' } = login.ok ? ((await login.json()) as { readonly token: string }) : {};
  const server = await fetch(`${origin}/server`, { headers: { authorization: `Bearer ${token}`, origin } });
  return { login: login.status, server: server.ok ? await server.json() : server.status };
}

test('turnwire web opens the page of the server of its folder with a one-time ticket', async () => {
  const server = await startServer(folder, []);
  onTestFinished(() => void (server.child.exitCode === null && server.child.kill('SIGKILL')));
  const { stdout, code } = await turnwire(['--cwd', folder, 'web', '--no-open'], {
    env: own() as Record<string, string>,
  });
  const address = stdout.trim();
  const visits = [await visit(address), await visit(address), await visit(server.web)];
  const known = { agents: ['coder'], roots: [folder], scope: 'control' };
  expect({ code, isOfServer: address.startsWith(`${server.url}/#ticket=`), visits, end: await server.end() }).toEqual({
    code: 0,
    isOfServer: true,
    visits: [
      { login: 200, server: known },
      { login: 401, server: 401 },
      { login: 200, server: known },
    ],
    end: 0,
  });
});

test('the ticket is in no argument of the browser: it is in a file that only the user can read', async () => {
  const server = await startServer(folder, []);
  onTestFinished(() => void (server.child.exitCode === null && server.child.kill('SIGKILL')));
  const programs = join(folder, 'programs');
  await mkdir(programs);
  const pipe = join(folder, 'pipe');
  await writeFile(join(programs, 'xdg-open'), `#!/bin/sh\necho "$@" > '${pipe}.new' && mv '${pipe}.new' '${pipe}'\n`, {
    mode: 0o755,
  });
  const env = { ...own(), PATH: `${programs}:${process.env['PATH']}` };
  await turnwire(['--cwd', folder, 'web'], { env: env as Record<string, string> });
  await expect.poll(() => readFile(pipe, 'utf8').catch(() => '')).not.toBe('');
  const given = (await readFile(pipe, 'utf8')).trim();
  const page = fileURLToPath(given);
  const [, address = ''] = /url=([^"]*)/.exec(await readFile(page, 'utf8')) ?? [];
  expect({
    given: given.includes('ticket'),
    mode: (await stat(page)).mode & 0o777,
    login: await visit(address),
  }).toEqual({
    given: false,
    mode: 0o600,
    login: { login: 200, server: { agents: ['coder'], roots: [folder], scope: 'control' } },
  });
});

test('with an agent argument it uses only a server that has the agent, and starts another one otherwise', async () => {
  const server = await startServer(folder, []);
  onTestFinished(() => void (server.child.exitCode === null && server.child.kill('SIGKILL')));
  const env = own() as Record<string, string>;
  const { stdout } = await turnwire(['--cwd', folder, 'coder', 'web', '--no-open'], { env });
  const child = spawn(process.execPath, [...commandWords, '--cwd', folder, 'claude', 'web', '--no-open'], {
    stdio: ['ignore', 'pipe', 'ignore'],
    env: { ...plainEnvironment, ...env },
  });
  onTestFinished(() => void (child.exitCode === null && child.kill('SIGKILL')));
  const [address] = (await once(createInterface(child.stdout), 'line')) as [string];
  const visited = await visit(address);
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  await ended;
  expect({ isOfServer: stdout.startsWith(`${server.url}/#ticket=`), visited }).toEqual({
    isOfServer: true,
    visited: { login: 200, server: { agents: ['claude'], roots: [folder], scope: 'control' } },
  });
});

test('without a server it starts one, which ends with it', async () => {
  const child = spawn(process.execPath, [...commandWords, '--cwd', folder, 'web', '--no-open'], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...plainEnvironment, ...own() },
  });
  onTestFinished(() => void (child.exitCode === null && child.kill('SIGKILL')));
  const [address] = (await once(createInterface(child.stdout), 'line')) as [string];
  const seen = await visit(address);
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  const [code] = (await ended) as [number];
  const after = await fetch(new URL(address).origin).then(
    () => 'answers',
    () => 'is gone',
  );
  expect({ seen, code, after }).toEqual({
    seen: { login: 200, server: { agents: ['coder'], roots: [folder], scope: 'control' } },
    code: 0,
    after: 'is gone',
  });
});

test('pages of other origins are refused, and the policy limits the page', async () => {
  const server = await startServer(folder, []);
  onTestFinished(() => void (server.child.exitCode === null && server.child.kill('SIGKILL')));
  const get = (path: string, headers: Record<string, string> = {}): Promise<Response> =>
    fetch(`${server.url}${path}`, { headers });
  const page = await get('/');
  const text = await page.text();
  const [script = ''] = /\/assets\/main-\w+\.js/.exec(text) ?? [];
  const statuses = await Promise.all(
    [
      get(script, { 'accept-encoding': 'gzip' }),
      get('/', { origin: 'https://elsewhere.example' }),
      get('/', { origin: server.url.replace(/\d+$/, '1') }),
      get('/server'),
      get('/files?folder=/'),
      get('/assets/..%2findex.html'),
      get('/../package.json'),
      get('/nothing.js'),
    ].map(async (answer) => (await answer).status),
  );
  expect({
    statuses,
    inline: /<script(?![^>]*src=)|<style|style=|\son\w+=/.test(text),
    policy: page.headers.get('content-security-policy')?.split('; '),
    end: await server.end(),
  }).toEqual({
    statuses: [200, 403, 403, 401, 401, 404, 404, 404],
    inline: false,
    policy: expect.arrayContaining([
      "default-src 'none'",
      "script-src 'self'",
      "style-src 'self'",
      "img-src 'self' data: blob:",
      "frame-ancestors 'none'",
    ]),
    end: 0,
  });
});
