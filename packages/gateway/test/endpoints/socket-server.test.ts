import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, lstat, mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Transport } from '@turnwire/protocol';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import {
  openSocketServer,
  type ServedClient,
  type SocketServer,
  type SocketServerOptions,
} from '../../src/endpoints/index.ts';

let folder: string;
let path: string;

beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'turnwire-socket-')));
  onTestFinished(async () => rm(folder, { recursive: true, force: true }));
  path = join(folder, 'gateway.sock');
});

async function open(options: Partial<SocketServerOptions> = {}): Promise<SocketServer> {
  const principal = { tenant: 'local', scope: 'admin' } as const;
  const server = await openSocketServer({ path, principal, agent: 'coder', ...options }, serve);
  onTestFinished(async () => server.close());
  return server;
}

/** Echoes every frame with its principal. */
function serve(transport: Transport, to: object): ServedClient {
  const closed = new Promise<void>((resolve) => {
    transport.start({
      frame: (text) => transport.send(JSON.stringify({ to, text })),
      warning: () => undefined,
      end: () => resolve(transport.close()),
    });
  });
  return { closed };
}

async function client(): Promise<Socket> {
  const socket = connect(path);
  onTestFinished(() => void socket.destroy());
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  return socket;
}

async function ask(socket: Socket, text: string): Promise<unknown> {
  socket.write(`${text}\n`);
  const [line] = (await once(createInterface(socket), 'line')) as [string];
  return JSON.parse(line);
}

/** A socket whose process was killed. */
async function leaveStale(): Promise<void> {
  const program = `require('node:net').createServer().listen(process.argv[1], () => console.log('listening'))`;
  const child = spawn(process.execPath, ['-e', program, path], { stdio: ['ignore', 'pipe', 'inherit'] });
  await once(child.stdout, 'data');
  child.kill('SIGKILL');
  await once(child, 'close');
  expect((await lstat(path)).isSocket()).toBe(true);
}

describe.skipIf(process.platform === 'win32')('a socket', () => {
  test('serves every client as the user, and only the user can connect', async () => {
    const server = await open();
    const to = { principal: { tenant: 'local', scope: 'admin' }, agent: 'coder' };
    const [one, other] = [await client(), await client()];
    expect([await ask(one, '{"id":1}'), await ask(other, '{"id":2}')]).toEqual([
      { to, text: '{"id":1}' },
      { to, text: '{"id":2}' },
    ]);
    expect([(await lstat(path)).mode % 0o1000, server.connections]).toEqual([0o600, 2]);
  });

  test('replaces a socket that a killed process left behind', async () => {
    await leaveStale();
    await open();
    expect(await ask(await client(), '{}')).toMatchObject({ text: '{}' });
  });

  test('replaces the socket of a killed process once when several processes start', async () => {
    await leaveStale();
    const results = await Promise.allSettled(Array.from({ length: 5 }, () => open()));
    expect(results.map(({ status }) => status).toSorted()).toEqual([
      'fulfilled',
      ...Array.from({ length: 4 }, () => 'rejected'),
    ]);
    expect(await ask(await client(), '{}')).toMatchObject({ text: '{}' });
  });

  test('refuses a socket at which another process listens', async () => {
    await open();
    await expect(open()).rejects.toMatchObject({
      code: 'invalid-input',
      message: `another process listens at ${path}; end it, or name another path`,
    });
    expect(await ask(await client(), '{}')).toMatchObject({ text: '{}' });
  });

  test('refuses a path that holds something else', async () => {
    await writeFile(path, 'notes');
    await expect(open()).rejects.toMatchObject({ message: `${path} is not a socket; name another path` });
    await rm(path);
    await symlink('/dev/null', path);
    await expect(open()).rejects.toMatchObject({ message: `${path} is not a socket; name another path` });
  });

  test('refuses a folder that others can enter', async () => {
    const advice = 'name a folder of yours that only you can enter (mode 0700)';
    await chmod(folder, 0o755);
    await expect(open()).rejects.toMatchObject({ message: `${folder} can be entered by others; ${advice}` });
    await chmod(folder, 0o700);
    const missing = join(folder, 'missing');
    await expect(open({ path: join(missing, 's') })).rejects.toMatchObject({
      message: `${missing} does not exist; ${advice}`,
    });
    const link = join(folder, 'link');
    await mkdir(join(folder, 'real'), { mode: 0o700 });
    await symlink(join(folder, 'real'), link);
    await expect(open({ path: join(link, 's') })).rejects.toMatchObject({
      message: `${link} is not a folder; ${advice}`,
    });
  });

  test('limits the number of connections', async () => {
    const server = await open({ maxConnections: 1 });
    const [first, second] = [await client(), await client()];
    await once(second, 'close');
    expect([await ask(first, '{}'), server.connections]).toEqual([expect.objectContaining({ text: '{}' }), 1]);
  });

  test('closes its clients and removes the socket when it closes', async () => {
    const server = await open();
    const socket = await client();
    await ask(socket, '{}');
    await Promise.all([server.close(), once(socket, 'close')]);
    await expect(lstat(path)).rejects.toMatchObject({ code: 'ENOENT' });
    expect(server.connections).toBe(0);
  });

  test('answers a client that has ended its sending side', async () => {
    await open();
    const socket = await client();
    const answer = ask(socket, '{"last":true}');
    socket.end();
    expect(await answer).toMatchObject({ text: '{"last":true}' });
    await once(socket, 'close');
  });
});
