import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { serveAgent } from '@turnwire/agent/node';
import { type Agent, approveAll } from '@turnwire/client';
import { launchAgent } from '@turnwire/client/node';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sessionDefaults } from '../src/sessions/session-defaults.ts';
import { completed } from '../src/options.ts';
import { commandWords, plainEnvironment } from './command.ts';

let folder: string;
let env: Record<string, string>;
beforeAll(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'turnwire-proxy-')));
  env = {
    ...(plainEnvironment as Record<string, string>),
    XDG_STATE_HOME: join(folder, 'state'),
    XDG_DATA_HOME: join(folder, 'data'),
  };
  await writeFile(join(folder, 'notes.txt'), 'TODO one\n');
});
afterAll(() => rm(folder, { recursive: true }));

/** An editor that starts `turnwire proxy` in the place of the built-in agent. */
async function proxied(asked: string[] = [], ...options: readonly string[]): Promise<Agent> {
  return launchAgent([process.execPath, ...commandWords, '--cwd', folder, ...options, 'proxy'], {
    cwd: folder,
    env,
    permission: (request, context) => {
      asked.push(request.toolCall.title ?? '');
      return approveAll(request, context);
    },
  });
}

test('an editor has turns with an agent through the proxy, and loads its sessions later', async () => {
  await using first = await proxied();
  const session = await first.newSession({ cwd: folder });
  const { stopReason } = await session.prompt('search for TODO');
  await first.close();
  await using second = await proxied();
  const seen: string[] = [];
  const listed = [];
  for await (const { sessionId, title } of second.listSessions?.() ?? []) listed.push({ sessionId, title });
  await second.loadSession?.({
    sessionId: session.id,
    cwd: folder,
    onUpdate: (update) => {
      if (update.sessionUpdate.endsWith('_message_chunk') && 'content' in update)
        seen.push((update.content as { readonly text: string }).text);
    },
  });
  expect({ stopReason, listed, first: seen[0], last: seen.join('').includes('notes.txt') }).toEqual({
    stopReason: 'end_turn',
    listed: [{ sessionId: session.id, title: 'search for TODO' }],
    first: 'search for TODO',
    last: true,
  });
});

test('a deny rule of the project answers before the editor is asked', async () => {
  const rules = { deny: ['Bash(touch *)'] };
  await mkdir(join(folder, '.turnwire'));
  await writeFile(join(folder, '.turnwire', 'permissions.json'), JSON.stringify(rules));
  const asked: string[] = [];
  await using agent = await proxied(asked);
  const session = await agent.newSession({ cwd: folder });
  await session.prompt('run touch refused.txt');
  await session.prompt('run echo allowed');
  expect(asked).toEqual(['echo allowed']);
});

test('the session options of the proxy are added to those of the editor', async () => {
  const other = join(folder, 'other');
  await mkdir(other);
  await using agent = await proxied([], '--add-dir', other, '--model', 'offline');
  const session = await agent.newSession({ cwd: folder });
  await session.prompt('list files');
  const listed = [];
  for await (const { sessionId, additionalDirectories } of agent.listSessions?.() ?? [])
    if (sessionId === session.id) listed.push(additionalDirectories);
  expect(listed).toEqual([[other]]);
  await using wrong = await proxied([], '--model', 'no-such-model');
  await expect(wrong.newSession({ cwd: folder })).rejects.toThrow('no-such-model');
});

test('MCP servers of the configuration precede those of the client, and win if both have a name', async () => {
  const path = join(folder, 'servers.json');
  const server = { command: 'ours', args: [] };
  await writeFile(path, JSON.stringify({ mcpServers: { shared: server, ours: server } }));
  const given = { cwd: folder, env: [], addDir: [], fs: true, terminal: true, mcpConfig: path };
  const defaults = await sessionDefaults(completed(given, undefined, { config: {}, proposals: new Map() }));
  const mcpServers = ['shared', 'theirs'].map((name) => ({ name, command: 'theirs', args: [], env: [] }));
  const wanted = defaults({ cwd: folder, additionalDirectories: [], mcpServers });
  expect(wanted.mcpServers.map((each) => [each.name, 'command' in each && each.command])).toEqual([
    ['shared', 'ours'],
    ['ours', 'ours'],
    ['theirs', 'theirs'],
  ]);
});

test('the editor gets the name of an agent that cannot start', async () => {
  const words = [process.execPath, ...commandWords, 'proxy', '--', './no-such-agent'];
  await expect(launchAgent(words, { cwd: folder, env })).rejects.toThrow('./no-such-agent');
});

test('the proxy connects to a remote agent, and names its URL in errors', async () => {
  const info = { name: 'echo', version: '1.0.0' };
  const remote = await serveAgent(
    { info, prompt: (turn) => turn.say(`You said: ${turn.text}`) },
    { listen: { token: 'secret' } },
  );
  const proxy = (token: string): Promise<Agent> =>
    launchAgent([process.execPath, ...commandWords, '--agent', remote.url, 'proxy'], {
      cwd: folder,
      env: { ...env, TURNWIRE_TOKEN: token },
    });
  try {
    await using agent = await proxy('secret');
    const session = await agent.newSession({ cwd: folder });
    expect(await session.prompt('hello')).toMatchObject({ stopReason: 'end_turn' });
    await expect(proxy('wrong')).rejects.toThrow(`${remote.url}: the server did not accept the WebSocket: 401`);
  } finally {
    await remote.close();
  }
});
