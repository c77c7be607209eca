import type { FrameAbout } from '@turnwire/protocol';
import { connectAgent, connectClient, ProtocolError } from '@turnwire/protocol';
import { memoryPair } from '@turnwire/transports/memory';
import { expect, test } from 'vitest';
import { everyAgentCapability, everyClientCapability, macrotask, outcome, TestWire, until } from './test-wire.ts';

test('a transport gets the kind, method, id and session of every frame from the peer', async () => {
  const [agentEnd, clientEnd] = memoryPair();
  const seen: (readonly [from: string, FrameAbout | undefined])[] = [];
  for (const [from, end] of [
    ['agent', agentEnd],
    ['client', clientEnd],
  ] as const) {
    const send = end.send.bind(end);
    end.send = (frame, about) => {
      seen.push([from, about]);
      return send(frame, about);
    };
  }
  connectAgent(agentEnd, {
    initialize: () => ({ protocolVersion: 1, agentCapabilities: everyAgentCapability }),
    'session/new': () => ({ sessionId: 's1' }),
    'session/prompt': async ({ sessionId }, { peer }) => {
      const content = { type: 'text', text: 'Hi' } as const;
      await peer.notify('session/update', { sessionId, update: { sessionUpdate: 'agent_message_chunk', content } });
      await peer.request('fs/read_text_file', { sessionId, path: '/a' });
      throw new ProtocolError(-32000, 'no');
    },
  });
  const client = connectClient(clientEnd, { 'fs/read_text_file': () => ({ content: '' }) });
  await client.request('initialize', { protocolVersion: 1, clientCapabilities: everyClientCapability });
  await client.request('session/new', { cwd: '/', mcpServers: [] });
  await outcome(client.request('session/prompt', { sessionId: 's1', prompt: [] }));
  await outcome(client.raw.request('session/draft', { sessionId: 's2' }));
  await client.close();
  const request = (method: string, id: number, sessionId?: string): FrameAbout => ({
    kind: 'request',
    method,
    id,
    sessionId,
  });
  const answer = (method: string, id: number, sessionId?: string): FrameAbout => ({
    kind: 'answer',
    method,
    id,
    sessionId,
  });
  expect(seen).toEqual([
    ['client', request('initialize', 0)],
    ['agent', answer('initialize', 0)],
    ['client', request('session/new', 1)],
    ['agent', answer('session/new', 1)],
    ['client', request('session/prompt', 2, 's1')],
    ['agent', { kind: 'notification', method: 'session/update', id: undefined, sessionId: 's1' }],
    ['agent', request('fs/read_text_file', 0, 's1')],
    ['client', answer('fs/read_text_file', 0, 's1')],
    ['agent', answer('session/prompt', 2, 's1')],
    ['client', request('session/draft', 3, 's2')],
    ['agent', answer('session/draft', 3, 's2')],
  ]);
});

test('a cancel is described with the session of the request it cancels, and an error about an unreadable frame with none', async () => {
  const wire = new TestWire();
  const peer = connectAgent(wire, { initialize: () => ({ protocolVersion: 1 }) }, { gates: false });
  const controller = new AbortController();
  void outcome(peer.raw.request('fs/read_text_file', { sessionId: 's1' }, { signal: controller.signal }));
  controller.abort();
  wire.feed('nonsense');
  await until(() => wire.abouts.length === 3);
  expect(wire.abouts).toEqual([
    { kind: 'request', method: 'fs/read_text_file', id: 0, sessionId: 's1' },
    { kind: 'notification', method: '$/cancel_request', id: undefined, sessionId: 's1' },
    { kind: 'answer', method: undefined, id: null, sessionId: undefined },
  ]);
});

test('a frame that is delivered together with its parsed message is not parsed again', async () => {
  const wire = new TestWire();
  const notes: unknown[] = [];
  connectAgent(wire, { _note: (params) => void notes.push(params) }, { gates: false });
  const about = { kind: 'notification', method: '_note', id: undefined, sessionId: undefined } as const;
  wire.receive('not looked at', { ...about, message: { jsonrpc: '2.0', method: '_note', params: { a: 1 } } });
  wire.receive('{"jsonrpc":"2.0","method":"_note","params":{"a":2}}', about);
  await macrotask();
  expect({ notes, sent: wire.sent }).toEqual({ notes: [{ a: 1 }, { a: 2 }], sent: [] });
});
