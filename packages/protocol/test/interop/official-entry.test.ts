import { readFileSync } from 'node:fs';
import * as official from '@agentclientprotocol/sdk/unstable';
import { connectAgent, connectClient, strict } from '@turnwire/protocol';
import { type Definitions, unstableMethods, v1Unstable } from '@turnwire/protocol/unstable';
import { memoryPair } from '@turnwire/transports/memory';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { unstableArbitraryOf } from '../schema/arbitrary.ts';
import { until } from '../peer/test-wire.ts';

/* What can be said with the unstable entry of the official SDK can be said with ours. */

type Sent = readonly [from: 'client' | 'agent', method: string];

const everyMethod: readonly Sent[] = [
  ...Object.values(official.AGENT_METHODS).map((method): Sent => ['client', method]),
  ...Object.values(official.CLIENT_METHODS).map((method): Sent => ['agent', method]),
  ...[...Object.values(official.PROTOCOL_METHODS), ...Object.values(official.PROXY_METHODS)].flatMap(
    (method): readonly Sent[] => [
      ['client', method],
      ['agent', method],
    ],
  ),
];

/** Both ends, which record what they receive and answer with what they are given. */
function connected(results: readonly unknown[]) {
  const received: unknown[] = [];
  const handle = (params: unknown, { requestId }: { readonly requestId?: unknown }): unknown =>
    results[received.push({ params, kind: requestId === undefined ? 'notification' : 'request' }) - 1];
  const [agentEnd, clientEnd] = memoryPair();
  const options = { edition: v1Unstable, gates: false, dialect: strict } as const;
  const agent = connectAgent(agentEnd, { '*': handle }, options);
  const client = connectClient(clientEnd, { '*': handle }, options);
  return { received, peers: { agent, client } };
}

function samples(definition: string): readonly unknown[] {
  return fc.sample(unstableArbitraryOf(definition as keyof Definitions), { seed: 7, numRuns: 20 });
}

const typed = everyMethod.flatMap(([from, method]) => {
  const row = Object.entries(unstableMethods).find(([name]) => name === method)?.[1];
  return row !== undefined && row.side !== from && row.side !== 'both' ? [{ from, method, row }] : [];
});

const untyped = everyMethod.filter(
  ([from, method]) => !typed.some((each) => each.from === from && each.method === method),
);

describe('the methods of the official entry', () => {
  test('every method of the official entry is typed, except cancelling, notifications to MCP servers and messages between proxies', () => {
    expect(untyped).toEqual([
      ['client', 'mcp/message'],
      ['client', '$/cancel_request'],
      ['agent', '$/cancel_request'],
      ['client', 'proxy/initialize'],
      ['agent', 'proxy/initialize'],
      ['client', 'proxy/successor'],
      ['agent', 'proxy/successor'],
    ]);
  });

  test.each(typed)(
    '$method sent by the $from arrives unchanged, and so does its answer',
    async ({ from, method, row }) => {
      const params = samples(row.params);
      const results = 'result' in row ? samples(row.result) : [];
      const { received, peers } = connected(results);
      const peer = peers[from] as unknown as Sender;
      const answers: unknown[] = [];
      if (row.kind === 'notification') for (const each of params) await peer.notify(method, each);
      else for (const each of params) answers.push(await peer.request(method, each));
      await until(() => received.length === params.length);
      expect({ received, answers }).toEqual({
        received: params.map((each) => ({ params: each, kind: row.kind })),
        answers: results,
      });
    },
  );

  test.each(untyped.filter(([, method]) => method !== '$/cancel_request'))(
    'the %s can send the untyped method %s raw, and a handler for all methods receives it',
    async (from, method) => {
      const { received, peers } = connected([{ any: 'answer' }]);
      const params = { any: ['thing'] };
      expect(await peers[from].raw.request(method, params)).toEqual({ any: 'answer' });
      await peers[from].raw.notify(method, params);
      await until(() => received.length === 2);
      expect(received).toEqual([
        { params, kind: 'request' },
        { params, kind: 'notification' },
      ]);
    },
  );
});

interface Sender {
  request(method: string, params: unknown): Promise<unknown>;
  notify(method: string, params: unknown): Promise<void>;
}

test('the migration page has every method, function, class and member of the official entry', () => {
  const page = readFileSync(new URL('../../../../docs/guide/from-the-official-sdk.md', import.meta.url), 'utf8');
  const internal = new Set([
    'constructor',
    'create',
    'connectConnection',
    'openStreamConnection',
    'toResult',
    'toErrorResponse',
    'toMcpError',
  ]);
  const names = Object.entries(official).flatMap(([name, value]) => {
    const members = typeof value === 'function' ? Object.getOwnPropertyNames(value.prototype ?? {}) : [];
    return [name, ...members.filter((member) => !internal.has(member)).map((member) => `${name}.${member}`)];
  });
  const methods = everyMethod.map(([, method]) => method);
  expect([...names, ...methods].filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
});
