import { mkdir, mkdtemp, realpath, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { attachAgent } from '@turnwire/client';
import { connectAgent, type Peer, ProtocolError } from '@turnwire/protocol';
import { type HostedAgent, memoryStore } from '@turnwire/runtime';
import { memoryPair } from '@turnwire/transports/memory';
import { expect, test } from 'vitest';
import { Gateway } from '../src/index.ts';
import { testClient, words } from './gateway-client.ts';

/** The result of a request: `done`, or the beginning of the error. */
async function outcome(request: Promise<unknown>, folder: string): Promise<string> {
  const failure = await request.then(
    () => undefined,
    (error: unknown) => error,
  );
  if (failure === undefined) return 'done';
  return failure instanceof ProtocolError ? (failure.message.replaceAll(folder, '…').split(' (')[0] ?? '') : 'broken';
}

test('users are not asked about files and folders outside of the roots', async () => {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'turnwire-outside-')));
  const [cwd, outside] = [join(folder, 'in'), join(folder, 'out')];
  await Promise.all([mkdir(cwd), mkdir(outside)]);
  await symlink(outside, join(cwd, 'link'));
  const results: string[] = [];
  const work = async (peer: Peer<'agent'>, sessionId: string): Promise<void> => {
    const write = (path: string) => peer.request('fs/write_text_file', { sessionId, path, content: 'x' });
    const read = (path: string) => peer.request('fs/read_text_file', { sessionId, path });
    const run = (folderOfCommand: string) =>
      peer.request('terminal/create', { sessionId, command: 'true', cwd: folderOfCommand });
    results.push(
      await outcome(write(join(outside, 'a')), folder),
      await outcome(read(join(outside, 'a')), folder),
      await outcome(write(join(cwd, 'link', 'a')), folder),
      await outcome(run(outside), folder),
      await outcome(write(join(cwd, 'a')), folder),
      await outcome(run(cwd), folder),
    );
  };
  const start: HostedAgent['start'] = (options) => {
    const [near, far] = memoryPair();
    connectAgent(far, {
      initialize: () => ({ protocolVersion: 1, agentCapabilities: {} }),
      'session/new': () => ({ sessionId: 's' }),
      'session/prompt': async ({ sessionId }, { peer }) => {
        await work(peer, sessionId);
        return { stopReason: 'end_turn' };
      },
    });
    return attachAgent(near, options);
  };
  const asked: unknown[] = [];
  {
    await using gateway = new Gateway({ store: memoryStore(), agents: { test: { start } }, cwd });
    const { peer } = await testClient(gateway, {
      handlers: {
        'session/request_permission': ({ toolCall, options }) => {
          asked.push(toolCall.title);
          const { optionId = '' } = options.find(({ kind }) => kind === 'allow_once') ?? {};
          return { outcome: { outcome: 'selected', optionId } };
        },
      },
    });
    const { sessionId } = await peer.request('session/new', { cwd, mcpServers: [] });
    await peer.request('session/prompt', { sessionId, prompt: words('go') });
  }
  await rm(folder, { recursive: true });
  const isOutside = 'is outside the folders of this session';
  expect({ results, asked }).toEqual({
    results: [
      `…/out/a ${isOutside}`,
      `…/out/a ${isOutside}`,
      `…/in/link/a ${isOutside}`,
      '…/out is outside of the folders of this session: …/in',
      'done',
      'done',
    ],
    asked: [`edit ${join(cwd, 'a')}`, 'true'],
  });
});
