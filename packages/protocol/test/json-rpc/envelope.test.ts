import { expect, test } from 'vitest';
import { readEnvelope } from '../../src/json-rpc/envelope.ts';

test('a request with an id of any legal kind keeps that id', () => {
  const ids = [0, -1, 1, '1', '', null, 1.5, Number.MAX_SAFE_INTEGER, 'x'.repeat(5_000)];
  expect(ids.map((id) => readEnvelope({ jsonrpc: '2.0', id, method: 'a' }))).toEqual(
    ids.map((id) => ({ kind: 'request', id, method: 'a', params: undefined })),
  );
});

test('a request is malformed, with the id null, if its id has an illegal type or does not fit in 53 bits', () => {
  const ids = ['true', 'false', '{}', '[]', '1e999', '-1e999', '9007199254740993'];
  expect(ids.map((id) => readEnvelope(JSON.parse(`{"jsonrpc":"2.0","id":${id},"method":"a"}`)))).toEqual(
    ids.map(() => ({
      kind: 'malformed',
      id: null,
      like: 'request',
      reason: 'id must be a string, null or a number of at most 53 bits',
    })),
  );
});

test.each<[string, unknown, unknown]>([
  [
    'a request',
    { jsonrpc: '2.0', id: 1, method: 'a', params: [] },
    { kind: 'request', id: 1, method: 'a', params: [] },
  ],
  ['a notification', { jsonrpc: '2.0', method: 'a', params: {} }, { kind: 'notification', method: 'a', params: {} }],
  ['a result', { jsonrpc: '2.0', id: 1, result: null }, { kind: 'response', id: 1, result: null, error: undefined }],
  [
    'an error',
    { jsonrpc: '2.0', id: 1, error: { code: 1 } },
    { kind: 'response', id: 1, result: undefined, error: { code: 1 } },
  ],
  [
    'an error beside a result',
    { jsonrpc: '2.0', id: 1, result: 1, error: 'x' },
    { kind: 'response', id: 1, result: 1, error: 'x' },
  ],
  [
    'a result beside a null error',
    { jsonrpc: '2.0', id: 1, result: 1, error: null },
    { kind: 'response', id: 1, result: 1, error: undefined },
  ],
  [
    'a request beside a result',
    { jsonrpc: '2.0', id: 1, method: 'a', result: 1 },
    { kind: 'request', id: 1, method: 'a', params: undefined },
  ],
  ['a message without jsonrpc', { id: 1, method: 'a' }, { kind: 'request', id: 1, method: 'a', params: undefined }],
])('%s is recognized by its members', (_, value, envelope) => {
  expect(readEnvelope(value)).toEqual(envelope);
});

const noObject = { kind: 'malformed', id: null, like: 'answer', reason: 'expected a JSON object' };
const noVersion = { kind: 'malformed', reason: 'jsonrpc must be "2.0"' };
const noMethod = { kind: 'malformed', like: 'request', reason: 'method must be a string' };
const nothing = { kind: 'malformed', like: 'answer', reason: 'expected a method, or an id with a result or an error' };
const batch = {
  kind: 'malformed',
  id: null,
  like: 'request',
  reason: 'JSON-RPC batches are not supported: send one message per line',
};

test.each<[string, unknown, unknown]>([
  ['null', null, noObject],
  ['a number', 42, noObject],
  ['a string', 'hello', noObject],
  ['a batch', [{ jsonrpc: '2.0', id: 1, method: 'a' }], batch],
  ['an empty batch', [], batch],
  ['an empty object', {}, { ...nothing, id: null }],
  ['a lone id', { jsonrpc: '2.0', id: 7 }, { ...nothing, id: 7 }],
  ['a result without id', { jsonrpc: '2.0', result: {} }, { ...nothing, id: null }],
  ['another version of a request', { jsonrpc: '1.0', id: 7, method: 'a' }, { ...noVersion, id: 7, like: 'request' }],
  ['another version of a notification', { jsonrpc: 2, method: 'a' }, { ...noVersion, id: null, like: 'notification' }],
  ['another version of an answer', { jsonrpc: null, id: 7, result: {} }, { ...noVersion, id: 7, like: 'answer' }],
  ['a method that is a number', { jsonrpc: '2.0', id: 7, method: 5 }, { ...noMethod, id: 7 }],
  ['a method that is null, without id', { jsonrpc: '2.0', method: null }, { ...noMethod, id: null }],
])('%s is read as malformed, with the reason and the kind of message it resembles', (_, value, envelope) => {
  expect(readEnvelope(value)).toEqual(envelope);
});
