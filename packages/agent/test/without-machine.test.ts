import { connectClient, type Handlers, protocolVersion } from '@turnwire/protocol';
import { memoryPair } from '@turnwire/transports/memory';
import { expect, test } from 'vitest';
import { serveAgent, type Turn, TurnwireError } from '../src/index.ts';

/** The outcome of a turn of an agent without a machine, with a client that has these services. */
async function outcome(work: (turn: Turn) => Promise<unknown>, services: Handlers<'client'> = {}): Promise<unknown> {
  const [client, transport] = memoryPair();
  let result: unknown;
  await using agent = serveAgent(
    {
      info: { name: 'page', version: '1.0.0' },
      prompt: async (turn) => {
        result = await work(turn).catch((error: unknown) => (error instanceof TurnwireError ? error.code : error));
      },
    },
    { transport },
  );
  const peer = connectClient(client, services);
  const fs = { readTextFile: 'fs/read_text_file' in services, writeTextFile: 'fs/write_text_file' in services };
  await peer.request('initialize', { protocolVersion, clientCapabilities: { fs } });
  const { sessionId } = await peer.request('session/new', { cwd: '/project', mcpServers: [] });
  await peer.request('session/prompt', { sessionId, prompt: [{ type: 'text', text: 'go' }] });
  await peer.close();
  await agent.closed;
  return result;
}

test('files and commands that the client does not offer are refused before anything is reported', async () => {
  const states: unknown[] = [];
  const run = async (turn: Turn): Promise<void> => {
    const tool = turn.tool({ title: 'List' });
    await turn.commands.run(tool, { command: 'ls' }).finally(() => states.push(tool.state.status));
  };
  expect([
    await outcome((turn) => turn.files.read('notes.txt')),
    await outcome((turn) => turn.files.write('notes.txt', 'a')),
    await outcome(run),
    states,
  ]).toEqual(['not-advertised', 'not-advertised', 'not-advertised', ['pending']]);
});

test("relative paths of client files are resolved from the session's folder", async () => {
  const read: Handlers<'client'> = { 'fs/read_text_file': ({ path }) => ({ content: path }) };
  const paths = ['notes.txt', '/else/where.txt', 'C:\\notes.txt'];
  expect(await Promise.all(paths.map((path) => outcome((turn) => turn.files.read(path), read)))).toEqual([
    '/project/notes.txt',
    '/else/where.txt',
    'C:\\notes.txt',
  ]);
});
