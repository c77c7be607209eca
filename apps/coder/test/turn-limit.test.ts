import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { serveAgent } from '@turnwire/agent/node';
import { connectClient, protocolVersion } from '@turnwire/protocol';
import { memoryPair } from '@turnwire/transports/memory';
import { expect, onTestFinished, test } from 'vitest';
import { coderAgent } from '../src/coder-agent.ts';

/** Prompts the agent of a user whose file allows `touch`, with `_meta` as it stands there. Resolves with what was asked, and whether it was done. */
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
  expect(agentCapabilities?._meta).toEqual({ turnwire: { permissionLimits: true } });
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
])('the client is asked about what a file allows, where %s', async (_, limits) => {
  expect(await prompted(limits)).toEqual([['touch 0'], [false]]);
});

test('a prompt that waits behind one with other limits is not taken into its turn', async () => {
  expect(await prompted(undefined, { mode: 'plan', rules: [] }, undefined)).toEqual([['touch 1'], [true, false, true]]);
});
