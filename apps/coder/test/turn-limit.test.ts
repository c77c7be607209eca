import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { serveAgent } from '@turnwire/agent/node';
import { connectClient, protocolVersion } from '@turnwire/protocol';
import { memoryPair } from '@turnwire/transports/memory';
import { expect, onTestFinished, test } from 'vitest';
import { coderAgent } from '../src/coder-agent.ts';

/** Prompts the agent of a user whose file allows `touch`, with `_meta` as given. Resolves with the questions, and whether the call ran. */
async function prompted(...metas: readonly (object | undefined)[]): Promise<unknown> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'turn-limit-')));
  onTestFinished(() => rm(folder, { recursive: true }));
  const project = join(folder, 'project');
  await mkdir(project);
  await mkdir(join(folder, 'turnwire'));
  await writeFile(join(folder, 'turnwire', 'permissions.json'), '{"allow": ["Bash(touch *)"]}');
  const [clientSide, agentSide] = memoryPair();
  const env = { XDG_CONFIG_HOME: folder, XDG_STATE_HOME: folder };
  await using _ = serveAgent(coderAgent({ env }), { transport: agentSide });
  const asked: unknown[] = [];
  await using client = connectClient(clientSide, {
    'session/update': () => undefined,
    'session/request_permission': ({ toolCall }) => {
      asked.push(toolCall.title);
      return { outcome: { outcome: 'selected', optionId: 'reject_once' } };
    },
  });
  const { agentCapabilities } = await client.request('initialize', { protocolVersion, clientCapabilities: {} });
  expect(agentCapabilities?._meta).toEqual({ turnwire: { permissionLimits: true, recordedTurn: true } });
  const { sessionId } = await client.request('session/new', { cwd: project, mcpServers: [] });
  const prompts = metas.map((_meta, at) =>
    client.request('session/prompt', {
      sessionId,
      prompt: [{ type: 'text', text: `run touch ${at}` }],
      ...(_meta && { _meta: { turnwire: { permissionLimits: _meta } } }),
    }),
  );
  await Promise.all(prompts);
  return [asked, metas.map((__, at) => existsSync(join(project, String(at))))];
}

test('a client that sets no limits leaves everything to the rules', async () => {
  expect(await prompted(undefined)).toEqual([[], [true]]);
});

test.each([
  ['the mode is plan', { mode: 'plan', rules: [] }],
  [
    'the client denies what it does not allow itself',
    { mode: 'default', rules: [], otherwise: 'deny', allowing: 'given' },
  ],
  ['a rule of the client denies it', { mode: 'default', rules: [{ effect: 'deny', text: 'Bash' }] }],
  ['the limits cannot be understood', { mode: 'free' }],
  ['a rule in them cannot be read', { mode: 'default', rules: [{ effect: 'allow', text: 'Bash(' }] }],
])('the client is asked about calls that a rule file allows, where %s', async (_, limits) => {
  expect(await prompted(limits)).toEqual([['touch 0'], [false]]);
});

test('a waiting prompt with other limits is not taken into the running turn', async () => {
  expect(await prompted(undefined, { mode: 'plan', rules: [] }, undefined)).toEqual([['touch 1'], [true, false, true]]);
});

/** The answers of `/permissions` and `/mcp` and the resulting files, for prompts with this in `_meta.turnwire`. */
async function managed(turnwire: object | undefined): Promise<unknown> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'turn-manage-')));
  onTestFinished(() => rm(folder, { recursive: true }));
  const files = {
    user: join(folder, 'turnwire', 'permissions.json'),
    project: join(folder, '.turnwire', 'permissions.json'),
  };
  await mkdir(join(folder, 'turnwire'));
  await writeFile(files.user, '{"deny": ["Read(.env)"]}');
  await writeFile(join(folder, '.mcp.json'), '{"mcpServers": {"x": {"command": "touch", "args": ["started"]}}}');
  const [clientSide, agentSide] = memoryPair();
  const env = { XDG_CONFIG_HOME: folder, XDG_STATE_HOME: folder, PATH: process.env['PATH'] };
  await using _ = serveAgent(coderAgent({ env }), { transport: agentSide });
  const said: string[] = [];
  const asked: unknown[] = [];
  await using client = connectClient(clientSide, {
    'session/update': ({ update }) => {
      if (update.sessionUpdate === 'agent_message_chunk' && update.content.type === 'text')
        said.push(update.content.text);
    },
    'session/request_permission': ({ toolCall }) => {
      asked.push(toolCall.title);
      return { outcome: { outcome: 'cancelled' } };
    },
  });
  await client.request('initialize', { protocolVersion, clientCapabilities: {} });
  const { sessionId } = await client.request('session/new', { cwd: folder, mcpServers: [] });
  for (const text of [
    '/permissions remove 1',
    '/permissions allow Bash in user',
    '/permissions allow Read in project',
    '/mcp deny x',
    'hello',
  ])
    await client.request('session/prompt', {
      sessionId,
      prompt: [{ type: 'text', text }],
      ...(turnwire && { _meta: { turnwire } }),
    });
  return {
    refused: said.filter((text) => /Nothing changed|Not added/.test(text)).length,
    asked,
    user: JSON.parse(await readFile(files.user, 'utf8')) as unknown,
    project: existsSync(files.project),
  };
}

test('the owner changes rules and servers by commands', async () => {
  expect(await managed(undefined)).toMatchObject({ refused: 0, user: { allow: ['Bash'] }, project: true });
});

test.each([
  ['comes from a guest', { guest: true }, []],
  [
    'is sent under limits',
    { permissionLimits: { mode: 'default', rules: [], otherwise: 'deny', allowing: 'given' } },
    [],
  ],
])('a prompt that %s cannot change rules of the user or project, or consents', async (_, turnwire, asked) => {
  expect(await managed(turnwire)).toEqual({ refused: 4, asked, user: { deny: ['Read(.env)'] }, project: false });
});
