// usage: node --import tsx bridge-cpu.scratch.ts CLIENT AGENT COUNT
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { attachAgent } from '@turnwire/client';
import { protocolVersions } from '@turnwire/client/v2';
import { Gateway } from '@turnwire/gateway';
import { connectAgent, connectClient } from '@turnwire/protocol';
import { v2 } from '@turnwire/protocol/v2';
import { sqliteStore } from '@turnwire/runtime';
import { memoryPair } from '@turnwire/transports/memory';

const [client, agent, countText, kind] = process.argv.slice(2);
const count = Number(countText);
const cwd = tmpdir();
const text = 'x'.repeat(40);
const make = (i: number, version: string): object => {
  if (kind === 'call')
    return version === '1'
      ? { sessionUpdate: i % 50 === 0 ? 'tool_call' : 'tool_call_update', toolCallId: `t${Math.floor(i / 50)}`, title: 'Edit a file', kind: 'edit', status: 'in_progress', content: [{ type: 'content', content: { type: 'text', text } }] }
      : { sessionUpdate: 'tool_call_update', toolCallId: `t${Math.floor(i / 50)}`, title: 'Edit a file', kind: 'edit', status: 'in_progress', content: [{ type: 'content', content: { type: 'text', text } }] };
  return { sessionUpdate: 'agent_message_chunk', ...(version === '2' && { messageId: 'm1' }), content: { type: 'text', text } };
};
const start = (options: object) => {
  const [near, far] = memoryPair();
  if (agent === '1') {
    connectAgent(far, {
      initialize: () => ({ protocolVersion: 1 }),
      'session/new': () => ({ sessionId: 's' }),
      'session/prompt': async ({ sessionId, prompt: [block] }: never, { peer }: never) => {
        const n = Number((block as { text: string }).text);
        for (let i = 0; i < n; i++) await (peer as any).notify('session/update', { sessionId, update: make(i, '1') });
        return { stopReason: 'end_turn' };
      },
    } as never);
    return attachAgent(near, options);
  }
  let m = 0;
  connectAgent(far, {
    initialize: () => ({ protocolVersion: 2, info: { name: 'a', version: '1' }, capabilities: { session: {} } }),
    'session/new': () => ({ sessionId: 's' }),
    'session/prompt': async ({ sessionId, prompt }: any, { peer }: any) => {
      const messageId = `u${++m}`;
      await peer.notify('session/update', { sessionId, update: { sessionUpdate: 'user_message', messageId, content: prompt } });
      setTimeout(async () => {
        await peer.notify('session/update', { sessionId, update: { sessionUpdate: 'state_update', state: 'running' } });
        const n = Number(prompt[0].text);
        for (let i = 0; i < n; i++) await peer.notify('session/update', { sessionId, update: make(i, '2') });
        await peer.notify('session/update', { sessionId, update: { sessionUpdate: 'state_update', state: 'idle', stopReason: 'end_turn' } });
      }, 0);
      return { messageId };
    },
  } as never, { edition: v2 } as never);
  return attachAgent(near, { ...options, versions: protocolVersions([1, 2]) } as never);
};
const store = sqliteStore({ path: join(mkdtempSync(join(tmpdir(), 'bridge-cpu-')), 's.sqlite') });
const gateway = new Gateway({ store, agents: { test: { start: start as never } }, cwd });
const [near, far] = memoryPair();
gateway.attach(far, { principal: { tenant: 'local', scope: 'control' }, agent: 'test' });
let seen = 0;
let idle: () => void = () => undefined;
const handlers = {
  'session/update': ({ update }: any) => {
    if (update.sessionUpdate.startsWith('agent_message') || update.sessionUpdate.startsWith('tool_call')) seen++;
    if (update.state === 'idle') idle();
  },
  'session/request_permission': () => ({ outcome: { outcome: 'cancelled' } }),
};
const peer: any = client === '1' ? connectClient(near, handlers as never) : connectClient(near, handlers as never, { edition: v2 } as never);
await peer.request('initialize', { protocolVersion: Number(client), ...(client === '2' && { info: { name: 'c', version: '1' } }) });
const { sessionId } = await peer.request('session/new', { cwd, ...(client === '1' && { mcpServers: [] }) });
const turn = async (n: number) => {
  const ended = new Promise<void>((resolve) => (idle = resolve));
  await peer.request('session/prompt', { sessionId, prompt: [{ type: 'text', text: String(n) }] });
  if (client === '2') await ended;
};
await turn(count / 2);
seen = 0;
const before = process.cpuUsage();
await turn(count);
const { user, system } = process.cpuUsage(before);
console.log(JSON.stringify({ cpu: (user + system) / count, seen }));
process.exit(0);
