import { tmpdir } from 'node:os';
import { attachAgent } from '@turnwire/client';
import { connectAgent, connectClient, type Handlers, type SessionUpdate } from '@turnwire/protocol';
import { v2, type V2 } from '@turnwire/protocol/v2';
import { type HostedAgent, memoryStore } from '@turnwire/runtime';
import { memoryPair } from '@turnwire/transports/memory';
import { expect, test } from 'vitest';
import { Gateway } from '../src/index.ts';
import { testClient, words } from './gateway-client.ts';

const cwd = tmpdir();
const availableModes = ['ask', 'code'].map((id) => ({ id, name: id }));

/** When the agent reports a new mode by an update: before its answer, in the next turn, or never. */
type Reports = 'before' | 'after' | 'never';

function gatewayOf(reports: Reports): Gateway {
  const start: HostedAgent['start'] = (given) => {
    const [near, far] = memoryPair();
    let late: (() => Promise<void>) | undefined;
    const agent = connectAgent(far, {
      initialize: () => ({ protocolVersion: 1, agentCapabilities: {} }),
      'session/new': () => ({ sessionId: 's', modes: { currentModeId: 'ask', availableModes } }),
      'session/set_mode': async ({ sessionId, modeId: currentModeId }) => {
        const report = (): Promise<void> =>
          agent.notify('session/update', {
            sessionId,
            update: { sessionUpdate: 'current_mode_update', currentModeId },
          });
        if (reports === 'before') await report();
        if (reports === 'after') late = report;
        return {};
      },
      'session/prompt': async () => {
        await late?.();
        return { stopReason: 'end_turn' };
      },
    });
    return attachAgent(near, given);
  };
  return new Gateway({ store: memoryStore(), agents: { test: { start } }, cwd });
}

/** The mode updates of a client of version 1, which sets the mode twice. */
async function modesInVersion1(gateway: Gateway): Promise<readonly SessionUpdate[]> {
  const updates: SessionUpdate[] = [];
  const { peer } = await testClient(gateway, {
    handlers: { 'session/update': ({ update }) => void updates.push(update) },
  });
  const { sessionId } = await peer.request('session/new', { cwd, mcpServers: [] });
  for (const modeId of ['code', 'ask']) {
    await peer.request('session/set_mode', { sessionId, modeId });
    await peer.request('session/prompt', { sessionId, prompt: words('go') });
  }
  return updates;
}

/** The values of the option for modes that a client of version 2 receives. */
async function modesInVersion2(gateway: Gateway): Promise<readonly unknown[]> {
  const modes: unknown[] = [];
  const [near, far] = memoryPair();
  gateway.attach(far, { principal: { tenant: 'local', scope: 'control' }, agent: 'test' });
  let ended = (): void => undefined;
  const handlers: Handlers<'client', V2> = {
    'session/update': ({ update }) => {
      const { sessionUpdate, configOptions, state } = update as { readonly [key: string]: unknown };
      if (sessionUpdate === 'config_option_update')
        modes.push((configOptions as readonly { readonly currentValue: unknown }[])[0]?.currentValue);
      if (state === 'idle') ended();
    },
  };
  const peer = connectClient(near, handlers, { edition: v2 });
  await peer.request('initialize', { protocolVersion: 2, info: { name: 'test', version: '1' } });
  const { sessionId } = await peer.request('session/new', { cwd });
  for (const value of ['code', 'ask']) {
    await peer.request('session/set_config_option', { sessionId, configId: 'mode', type: 'id', value });
    const over = new Promise<void>((resolve) => (ended = resolve));
    await peer.request('session/prompt', { sessionId, prompt: words('go') });
    await over;
  }
  return modes;
}

test.each(['before', 'after', 'never'] as const)(
  'a client receives a mode that it set once, whether the agent reports the mode before its answer, after it or never: %s',
  async (reports) => {
    await using one = gatewayOf(reports);
    await using other = gatewayOf(reports);
    expect([await modesInVersion1(one), await modesInVersion2(other)]).toEqual([
      ['code', 'ask'].map((currentModeId) => ({ sessionUpdate: 'current_mode_update', currentModeId })),
      ['code', 'ask'],
    ]);
  },
);
