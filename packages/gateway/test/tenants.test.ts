import { randomUUID } from 'node:crypto';
import { tmpdir } from 'node:os';
import { protocolVersion } from '@turnwire/protocol';
import { expect, test } from 'vitest';
import { type AuditEntry, Gateway, type Principal } from '../src/index.ts';
import { memoryStore } from '@turnwire/runtime';
import { testAgent } from './attached-agent.ts';
import { testClient, words } from './gateway-client.ts';
import { speaker } from './speaker.ts';
import { answersAbout, clientMethods, RawClient } from './tenants.ts';

const cwd = tmpdir();

test('every client method is tested with sessions of other tenants', () => {
  expect(clientMethods).toEqual(
    expect.arrayContaining([
      'session/load',
      'session/prompt',
      'session/delete',
      '_turnwire/history',
      '_turnwire/enqueue',
    ]),
  );
});

const strangers: readonly (readonly [string, (sessionId: string) => Principal])[] = [
  ['another tenant', () => ({ tenant: 'red', scope: 'admin' })],
  ['another tenant, which may control', () => ({ tenant: 'red', scope: 'control' })],
  ['another tenant, which only watches', () => ({ tenant: 'red', scope: 'observe' })],
  ['another tenant that was shared a session of this id', (session) => ({ tenant: 'red', scope: 'observe', session })],
  ['its own tenant, to whom another session is shared', () => ({ tenant: 'blue', scope: 'observe', session: 'other' })],
];

test.each(strangers)(
  'every message of %s about a session is refused like one about an unknown session',
  async (_, principalOf) => {
    const audit: AuditEntry[] = [];
    const { definition, release } = speaker();
    await using gateway = new Gateway({
      store: memoryStore(),
      agents: { test: testAgent(definition).hosted },
      cwd,
      audit: (entry) => audit.push(entry),
    });
    const owner = await testClient(gateway, { principal: { tenant: 'blue', scope: 'admin' } });
    const { sessionId } = await owner.peer.request('session/new', { cwd, mcpServers: [] });
    const running = owner.peer.request('session/prompt', { sessionId, prompt: words('one wait two') });
    await expect.poll(() => owner.seen).toEqual(['one']);

    const client = new RawClient((transport) =>
      gateway.attach(transport, { principal: principalOf(sessionId), agent: 'test' }),
    );
    await client.request('initialize', { protocolVersion, clientCapabilities: {} });
    const answers = await answersAbout(client, sessionId);
    const deleted = principalOf(sessionId).scope === 'observe' ? [] : [['session/delete', { result: {} }]];
    // It is about the tenant of the client, not about a session.
    const own = [
      ['_turnwire/search', { result: { sessions: [] } }],
      ['_turnwire/usage', { result: { rows: [] } }],
    ];
    expect(answers).toEqual(await answersAbout(client, randomUUID()));
    // Deleting a session that does not exist succeeds.
    expect(answers.filter((answer) => !JSON.stringify(answer).includes('"error"'))).toEqual([...deleted, ...own]);
    const listed = await client.request('session/list', {});

    release();
    const { stopReason } = await running;
    const entries = audit.filter(({ session }) => session === sessionId).map(({ tenant, what }) => `${tenant} ${what}`);
    expect({ stopReason, seen: owner.seen, listed, entries }).toEqual({
      stopReason: 'end_turn',
      seen: ['one', 'wait', 'two'],
      listed: { result: { sessions: [] } },
      entries: ['blue created', 'blue prompt', 'blue turn-ended'],
    });
  },
);
