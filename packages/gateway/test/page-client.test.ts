import { tmpdir } from 'node:os';
import { defineAgent } from '@turnwire/agent';
import { expect, test } from 'vitest';
import { Gateway } from '../src/index.ts';
import { memoryStore } from '@turnwire/runtime';
import { testAgent } from './attached-agent.ts';
import { testClient, words } from './gateway-client.ts';

const cwd = tmpdir();

/** Waits, requests a permission, or does nothing. */
const definition = defineAgent({
  info: { name: 'waiting', version: '1.0.0' },
  prompt: async (turn) => {
    if (turn.text === 'ask') await turn.askPermission(turn.tool({ title: 'Run a thing', kind: 'other' }));
    if (turn.text === 'wait') await new Promise((resolve) => turn.signal.addEventListener('abort', resolve));
  },
});

test('the list of sessions shows which of them work and which wait for an answer, and a new title reaches every client', async () => {
  await using gateway = new Gateway({ store: memoryStore(), agents: { test: testAgent(definition).hosted }, cwd });
  const client = await testClient(gateway, {
    handlers: { 'session/request_permission': () => new Promise(() => undefined) },
  });
  const begun = async (prompt: string): Promise<string> => {
    const { sessionId } = await client.peer.request('session/new', { cwd, mcpServers: [] });
    client.peer.request('session/prompt', { sessionId, prompt: words(prompt) }).catch(() => undefined);
    return sessionId;
  };
  const [working, asking, idle] = [await begun('wait'), await begun('ask'), await begun('hello')];
  await client.peer.raw.request('_turnwire/rename', { sessionId: idle, title: ' Greeting ' });
  const listed = async (): Promise<unknown> => {
    const { sessions } = await client.peer.request('session/list', {});
    return Object.fromEntries(
      sessions.map(({ sessionId, title, _meta }) => [sessionId, [title, (_meta?.['turnwire'] as object) ?? {}]]),
    );
  };
  await expect.poll(listed).toEqual({
    [working]: ['wait', { agent: 'test', state: 'working' }],
    [asking]: ['ask', { agent: 'test', state: 'asking' }],
    [idle]: ['Greeting', { agent: 'test' }],
  });
  expect(client.seen).toContain('session_info_update');
});
