import { authenticationRequired, ProtocolError } from '@agentwire/protocol';
import { expect, test } from 'vitest';
import type { AgentDefinition } from '../src/index.ts';
import { pair } from './agent-pair.ts';

const agentMethod = { id: 'key', name: 'API key' };
const terminalMethod = { id: 'shell', name: 'In a terminal', type: 'terminal', args: ['login'] } as const;

/** An agent that needs a login before it does anything. */
function gatekeeper(): Partial<AgentDefinition> {
  let isIn = false;
  const admit = (): void => {
    if (!isIn) throw authenticationRequired('Log in first');
  };
  return {
    auth: {
      methods: [agentMethod, terminalMethod],
      authenticate: () => void (isIn = true),
      logout: () => void (isIn = false),
    },
    openSession: admit,
    prompt: admit,
  };
}

test('without auth there is nothing to log in to or out of', async () => {
  const { client } = await pair({});
  expect(client.remote?.authMethods).toEqual([]);
  await expect(client.request('authenticate', { methodId: 'key' })).rejects.toMatchObject({ code: 'not-advertised' });
  await expect(client.request('logout', {})).rejects.toMatchObject({ code: 'not-advertised' });
});

test('terminal logins are offered only to clients that have a terminal', async () => {
  const plain = await pair(gatekeeper());
  const rich = await pair(gatekeeper(), { capabilities: { auth: { terminal: true } } });
  expect([plain.client.remote?.authMethods, rich.client.remote?.authMethods]).toEqual([
    [agentMethod],
    [agentMethod, terminalMethod],
  ]);
});

test('sessions and prompts want a login, get one, and want it again after a logout', async () => {
  const { client, open, prompt } = await pair(gatekeeper());
  const refusal = new ProtocolError(-32000, 'Log in first');
  await expect(open()).rejects.toEqual(refusal);
  expect(await client.request('authenticate', { methodId: 'key' })).toEqual({});
  const id = await open();
  expect(await prompt(id, 'hello')).toEqual({ stopReason: 'end_turn' });
  expect([await client.request('logout', {}), client.remote?.agentCapabilities?.auth]).toEqual([{}, { logout: {} }]);
  await expect(prompt(id, 'hello')).rejects.toEqual(refusal);
  await expect(open()).rejects.toEqual(refusal);
});

test.each(['nobody', 'shell'])('a login nobody can do here is refused: %s', async (methodId) => {
  const { client } = await pair(gatekeeper(), { capabilities: { auth: { terminal: true } } });
  await expect(client.request('authenticate', { methodId })).rejects.toMatchObject({ code: 'not-advertised' });
});

test('a login that fails says why', async () => {
  const { client } = await pair({
    auth: { methods: [agentMethod], authenticate: () => Promise.reject(new ProtocolError(-32000, 'The key is wrong')) },
  });
  await expect(client.request('authenticate', { methodId: 'key' })).rejects.toThrow('The key is wrong');
});
