import { expect, test } from 'vitest';
import { answer, call, macrotask, note, outcome, readyClient, refusal } from './test-wire.ts';

const prompt = { sessionId: 's', prompt: [] } as const;
const deep = '['.repeat(100_000) + ']'.repeat(100_000);

function unfit(reason: string): unknown {
  return { code: 'invalid-response', message: `The answer to session/prompt does not fit the protocol: ${reason}` };
}

const stopReasons = '"end_turn", "max_tokens", "max_turn_requests", "refusal" or "cancelled"';
const neither = 'expected a method, or an id with a result or an error';
const undescribed = 'The peer answered with an error it did not describe';

test.each<[string, object | string, unknown]>([
  [
    'a result',
    answer(1, { stopReason: 'end_turn', extra: 1, _meta: { a: null } }),
    { resolved: { stopReason: 'end_turn', extra: 1, _meta: { a: null } } },
  ],
  [
    'a result beside a null error',
    { jsonrpc: '2.0', id: 1, result: { stopReason: 'refusal' }, error: null },
    { resolved: { stopReason: 'refusal' } },
  ],
  ['a result without jsonrpc', { id: 1, result: { stopReason: 'refusal' } }, { resolved: { stopReason: 'refusal' } }],
  ['its id as a string', answer('1', { stopReason: 'end_turn' }), { resolved: { stopReason: 'end_turn' } }],
  [
    'an unknown stop reason',
    answer(1, { stopReason: 'weird' }),
    unfit(`stopReason: expected ${stopReasons}, received another string`),
  ],
  ['an empty result', answer(1, {}), unfit(`stopReason: expected ${stopReasons}, received nothing`)],
  ['null', answer(1, null), unfit('expected an object, received null')],
  ['a list', answer(1, []), unfit('expected an object, received a list')],
  ['neither result nor error', { jsonrpc: '2.0', id: 1 }, unfit(neither)],
  ['another version', { jsonrpc: '1.0', id: 1, result: {} }, unfit('jsonrpc must be "2.0"')],
  [
    'a result too deep',
    `{"jsonrpc":"2.0","id":1,"result":{"stopReason":"end_turn","_meta":{"a":${deep}}}}`,
    unfit('nested deeper than 256 levels'),
  ],
  [
    'an error',
    refusal(1, -32000, 'Authentication required', { url: 'x' }),
    { code: -32000, message: 'Authentication required', data: { url: 'x' } },
  ],
  [
    'an error beside a result',
    { ...refusal(1, -32002, 'gone'), result: { stopReason: 'end_turn' } },
    { code: -32002, message: 'gone' },
  ],
  [
    'an error that is a string',
    { jsonrpc: '2.0', id: 1, error: 'out of memory' },
    { code: -32603, message: 'out of memory' },
  ],
  ['an error that is a number', { jsonrpc: '2.0', id: 1, error: 0 }, { code: -32603, message: undescribed }],
  ['an error without a code', { jsonrpc: '2.0', id: 1, error: { message: 'no' } }, { code: -32603, message: 'no' }],
  [
    'an error without a message',
    { jsonrpc: '2.0', id: 1, error: { code: -1.5, message: 5 } },
    { code: -32603, message: undescribed },
  ],
])(
  'a prompt answered with %s resolves or fails as expected, and the connection continues',
  async (_, frame, expected) => {
    const { wire, peer } = await readyClient();
    const prompted = outcome(peer.request('session/prompt', prompt));
    wire.feed(frame as never);
    expect(await prompted).toEqual(expected);
    const next = peer.request('_x');
    wire.feed(answer(2, 'next'));
    expect({ next: await next, sent: wire.take() }).toEqual({
      next: 'next',
      sent: [call(1, 'session/prompt', prompt), call(2, '_x', {})],
    });
  },
);

test('an answer to a request that is answered already or was never sent is dropped and logged', async () => {
  const warnings: unknown[] = [];
  const { wire, peer } = await readyClient(
    {},
    { log: ({ level, event, id }) => void (level === 'warn' && warnings.push([event, id])) },
  );
  const asked = peer.request('_x');
  wire.feed(
    answer(1, 'first'),
    answer(1, 'second'),
    answer('1', 'third'),
    refusal(1, 1, 'fourth'),
    answer(1.5, 'x'),
    answer(-1, 'x'),
    answer('', 'x'),
    answer(null, 'x'),
  );
  expect(await asked).toBe('first');
  await macrotask();
  const event = 'an answer without a waiting request';
  expect(warnings).toEqual([1, '1', 1, 1.5, -1, '', null].map((id) => [event, id]));
});

test('a call resolves even if its answer arrives before send has returned', async () => {
  const { wire, peer } = await readyClient();
  wire.onSend = () => wire.feed(answer(1, 'at once'));
  expect(await peer.request('_x')).toBe('at once');
});

test('each call gets its own answer when the answers arrive in another order', async () => {
  const { wire, peer } = await readyClient();
  const calls = [peer.request('_a'), peer.request('_b'), peer.request('_c')];
  wire.feed(answer(3, 'c'), answer(1, 'a'), answer(2, 'b'));
  expect(await Promise.all(calls)).toEqual(['a', 'b', 'c']);
});

test('a null answer is read as an empty object if the method may answer one, and refused otherwise', async () => {
  const { wire, peer } = await readyClient();
  const calls = [
    peer.request('session/set_mode', { sessionId: 's', modeId: 'm' }),
    peer.request('session/load', { sessionId: 's', cwd: '/', mcpServers: [] }),
    peer.request('logout', {}),
    peer.request('session/new', { cwd: '/', mcpServers: [] }),
  ];
  wire.feed(...calls.map((_, index) => answer(index + 1, null)));
  expect(await Promise.all(calls.map(outcome))).toEqual([
    { resolved: {} },
    { resolved: {} },
    { resolved: {} },
    {
      code: 'invalid-response',
      message: 'The answer to session/new does not fit the protocol: expected an object, received null',
    },
  ]);
});

test.each<[string, unknown, string]>([
  [
    'a BigInt',
    { sessionId: 's', prompt: [], _meta: { big: 1n } },
    'its parameters cannot be written as JSON (Do not know how to serialize a BigInt)',
  ],
  ['a BigInt where text belongs', { sessionId: 1n, prompt: [] }, 'it cannot be written as JSON'],
  ['a circle', circle(), 'its parameters cannot be written as JSON (Converting circular structure to JSON)'],
  ['a missing field', { sessionId: 's' }, 'prompt: expected a list, received nothing'],
  ['nothing', undefined, 'sessionId: expected a string, received nothing; prompt: expected a list, received nothing'],
])('a request with %s is refused before anything is written, and uses up no id', async (_, params, why) => {
  const { wire, peer } = await readyClient();
  expect(await outcome(peer.request('session/prompt', params as never))).toEqual({
    code: 'invalid-message',
    message: `session/prompt was not sent: ${why}`,
  });
  expect(await outcome(peer.notify('_x', 1n))).toEqual({
    code: 'invalid-message',
    message: '_x was not sent: its parameters cannot be written as JSON (Do not know how to serialize a BigInt)',
  });
  const next = peer.request('session/prompt', prompt);
  wire.feed(answer(1, { stopReason: 'end_turn' }));
  expect({ next: await next, sent: wire.take() }).toEqual({
    next: { stopReason: 'end_turn' },
    sent: [call(1, 'session/prompt', prompt)],
  });
});

function circle(): unknown {
  const meta: Record<string, unknown> = {};
  meta['self'] = meta;
  return { sessionId: 's', prompt: [], _meta: meta };
}

test.each<[string, (peer: never) => Promise<unknown>, string]>([
  [
    'a method nobody knows',
    (peer: { request(method: string): Promise<unknown> }) => peer.request('session/nothing'),
    'session/nothing was not sent: there is no such method; extensions start with "_", and peer.raw sends any',
  ],
  [
    'a method of its own side',
    (peer: { request(method: string): Promise<unknown> }) => peer.request('fs/read_text_file'),
    'fs/read_text_file was not sent: only the client handles it',
  ],
  [
    'a notification as a request',
    (peer: { request(method: string): Promise<unknown> }) => peer.request('session/cancel'),
    'session/cancel was not sent: it is a notification',
  ],
  [
    'a request as a notification',
    (peer: { notify(method: string): Promise<unknown> }) => peer.notify('session/prompt'),
    'session/prompt was not sent: it is a request',
  ],
])('%s is refused before anything is written', async (_, send, message) => {
  const { wire, peer } = await readyClient();
  expect(await outcome(send(peer as never))).toEqual({ code: 'invalid-message', message });
  expect(wire.take()).toEqual([]);
});

test('the caller’s object is sent as it is and never changed', async () => {
  const { wire, peer } = await readyClient();
  const params = Object.freeze({
    sessionId: 's',
    update: undefined,
    prompt: Object.freeze([]),
    extra: Object.freeze({ a: 1 }),
  });
  void peer.request('session/prompt', params).catch(() => undefined);
  expect(wire.take()).toEqual([call(1, 'session/prompt', { sessionId: 's', prompt: [], extra: { a: 1 } })]);
});

test('a peer without outgoing checks sends any JSON as params and handles the error answers', async () => {
  const { wire, peer } = await readyClient({}, { checkOutgoing: false, gates: false });
  const bad = [undefined, null, 5, [], { sessionId: 5 }];
  const methods = [
    'session/new',
    'session/load',
    'session/resume',
    'session/close',
    'session/delete',
    'session/prompt',
    'initialize',
  ] as const;
  const calls = methods.flatMap((method) => bad.map((params) => outcome(peer.request(method, params as never))));
  expect(wire.take()).toEqual(
    methods.flatMap((method, row) =>
      bad.map((params, column) => call(1 + row * bad.length + column, method, params === undefined ? {} : params)),
    ),
  );
  wire.feed(...calls.map((_, index) => refusal(index + 1, -32602, 'no')));
  expect(await Promise.all(calls)).toEqual(calls.map(() => ({ code: -32602, message: 'no' })));
  void peer.notify('session/cancel', 5 as never);
  expect(wire.take()).toEqual([note('session/cancel', 5)]);
});
