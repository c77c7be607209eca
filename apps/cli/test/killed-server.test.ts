import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { bundleProgram } from '../../../tools/bundle-program.mjs';
import { within } from '../../../tools/pace.ts';
import { ClientOfVersion1, ClientOfVersion2 } from './resuming-client.ts';
import { type RunningServer, startServer } from './running-server.ts';

let folder: string;
beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'turnwire-killed-')));
  return () => rm(folder, { recursive: true, maxRetries: 5 });
});

/** A server with an agent that speaks one version and works until it is killed. */
async function server(version: 1 | 2): Promise<RunningServer> {
  const program = bundleProgram(fileURLToPath(new URL('fixtures/working-agent.ts', import.meta.url)));
  const agent = `'${process.execPath}' '${program}' ${version}`;
  const running = await startServer(folder, ['--root', '/', '--approve-all', '--agent', agent]);
  onTestFinished(() => void (running.child.exitCode === null && running.child.kill('SIGKILL')));
  return running;
}

test.each([1, 2] as const)(
  'after a server is killed in a turn of an agent of version %i, clients of both versions have everything once',
  async (version) => {
    const first = await server(version);
    const [older, newer] = [new ClientOfVersion1(), new ClientOfVersion2()];
    const [olderThatLeft, newerThatLeft] = [new ClientOfVersion1(), new ClientOfVersion2()];
    const clients = [older, newer, olderThatLeft, newerThatLeft] as const;
    const sessionId = await newer.begin(first, folder, 'go');
    for (const client of [older, olderThatLeft, newerThatLeft]) await client.open(first, sessionId);
    const haveReceived = (count: number): Promise<void> =>
      expect.poll(() => clients.every(({ updates }) => updates > count), { timeout: within(20_000) }).toBe(true);
    await expect.poll(() => [newer.terminals.size, newerThatLeft.terminals.size]).toEqual([1, 1]);
    await haveReceived(50);
    for (const client of [olderThatLeft, newerThatLeft]) await client.leave();
    const seen = older.updates;
    await expect.poll(() => older.updates, { timeout: within(20_000) }).toBeGreaterThan(seen + 50);
    await first.end('SIGKILL');
    await newer.closed;

    const second = await server(version);
    for (const client of clients) await client.open(second, sessionId);
    const fresh = [new ClientOfVersion1(), new ClientOfVersion2()] as const;
    for (const client of fresh) await client.open(second, sessionId);
    expect([older.view, olderThatLeft.view]).toEqual([fresh[0].view, fresh[0].view]);
    expect([newer.view, newerThatLeft.view]).toEqual([fresh[1].view, fresh[1].view]);
    const numbers = [...newer.messages.values()].join('').match(/\d+(?= )/g) ?? [];
    const lines = [...newer.terminals.values()].join('').match(/line \d+\n/g) ?? [];
    expect({ numbers: numbers.map(Number), lines }).toEqual({
      numbers: numbers.map((_, index) => index + 1),
      lines: lines.map((_, index) => `line ${index + 1}\n`),
    });
  },
);
