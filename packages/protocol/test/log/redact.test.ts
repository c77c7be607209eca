import { redact } from '@turnwire/protocol';
import { expect, test } from 'vitest';

test('a redacted message keeps its shape and says how much was hidden', () => {
  const message = {
    jsonrpc: '2.0',
    id: 1,
    method: 'session/new',
    params: {
      cwd: '/a',
      mcpServers: [
        { name: 'a', command: '/b', args: ['c'], env: [{ name: 'A', value: 'secret' }] },
        { type: 'http', name: 'd', url: 'https://d', headers: [{ name: 'Authorization', value: 'Bearer secret' }] },
      ],
    },
  };
  expect(redact(message)).toEqual({
    jsonrpc: '2.0',
    id: 1,
    method: 'session/new',
    params: {
      cwd: '/a',
      mcpServers: [
        { name: 'a', command: '/b', args: ['c'], env: '[redacted, 1 items]' },
        { type: 'http', name: 'd', url: 'https://d', headers: '[redacted, 1 items]' },
      ],
    },
  });
});

test.each([
  ['text', 'secret', '[redacted, 6 characters]'],
  ['a list', ['secret'], '[redacted, 1 items]'],
  ['an object', { a: 'secret', b: 1 }, '[redacted, 2 keys]'],
  ['a number', 5, 5],
  ['true', true, true],
  ['null', null, null],
])('a sensitive key that holds %s is redacted if the value is text, a list or an object', (_, value, hidden) => {
  expect(redact({ token: value })).toEqual({ token: hidden });
});

test.each([
  'env',
  'ENV',
  'headers',
  'credentials',
  'credential',
  'userCredentials',
  'prompt',
  'authorization',
  'Proxy-Authorization',
  'cookie',
  'Set-Cookie',
  'password',
  'passwd',
  'db_password',
  'passphrase',
  'secret',
  'clientSecret',
  'client_secret',
  'token',
  'accessToken',
  'access_token',
  'id-token',
  'apiKey',
  'api_key',
  'api-key',
  'x-api-key',
  'privateKey',
  'APIKEY',
  'bearer',
  'pwd',
])('the value of the key %s is hidden', (key) => {
  expect(redact({ a: [{ [key]: 'secret' }] })).toEqual({ a: [{ [key]: '[redacted, 6 characters]' }] });
});

test.each([
  'cwd',
  'name',
  'title',
  'content',
  'promptCapabilities',
  'maxTokens',
  'totalTokens',
  'sessionId',
  'toolCallId',
  'keys',
  'environment',
  'auth',
  'authMethods',
  'stopReason',
])('the value of the key %s is kept', (key) => {
  expect(redact({ [key]: { a: 'plain' } })).toEqual({ [key]: { a: 'plain' } });
});

test('the user’s words are hidden in updates, and the agent’s words are kept', () => {
  const chunk = (sessionUpdate: string): object => ({ sessionUpdate, content: { type: 'text', text: 'words' } });
  expect(redact([chunk('user_message_chunk'), chunk('agent_message_chunk')])).toEqual([
    { sessionUpdate: 'user_message_chunk', content: '[redacted, 2 keys]' },
    { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: 'words' } },
  ]);
});

test('redacting leaves the original message unchanged and treats __proto__ and constructor as ordinary keys', () => {
  const message = JSON.parse('{"__proto__":{"token":"secret"},"constructor":{"a":1}}') as object;
  const before = JSON.stringify(message);
  expect(JSON.stringify(redact(message))).toBe(
    '{"__proto__":{"token":"[redacted, 6 characters]"},"constructor":{"a":1}}',
  );
  expect(JSON.stringify(message)).toBe(before);
});

test('values nested deeper than 32 levels are left out of a redacted message', () => {
  let value: unknown = 'bottom';
  for (let level = 0; level < 10_000; level++) value = [value];
  expect(JSON.stringify(redact(value))).toBe(`${'['.repeat(32)}"[deeper]"${']'.repeat(32)}`);
});
