import { describe, expect, test } from 'vitest';
import { checks } from '../../src/generated/checks.ts';
import { isAbsolutePath } from '../../src/validation/absolute-path.ts';
import { repair } from '../../src/repair.ts';

test('a tag that has the name of an inherited member is checked as an unknown tag', () => {
  const tags = ['constructor', 'toString', '__proto__', 'hasOwnProperty'];
  expect(tags.map((type) => [checks.ContentBlock({ type }), checks.AuthMethod({ type, id: 'a', name: 'A' })])).toEqual(
    tags.map(() => [true, false]),
  );
});

test('checks and repair do not descend into a value 200,000 levels deep', () => {
  const depth = 200_000;
  const deep: unknown = JSON.parse(`${'['.repeat(depth)}${']'.repeat(depth)}`);
  const update = { sessionUpdate: 'tool_call', toolCallId: 't', title: 'T', rawInput: deep, _meta: { deep } };
  expect(checks.SessionNotification({ sessionId: 's', update })).toBe(true);
  expect(repair('SessionNotification', { sessionId: deep, update }).problems).toEqual([
    { path: 'sessionId', expected: 'a string', received: 'a list', action: 'refused' },
  ]);
});

test('a field that is undefined counts as absent', () => {
  expect(
    checks.NewSessionRequest({ cwd: '/', mcpServers: [], additionalDirectories: undefined, _meta: undefined }),
  ).toBe(true);
  expect(checks.NewSessionRequest({ cwd: '/', mcpServers: undefined })).toBe(false);
});

test('Infinity and NaN are refused where a number is expected', () => {
  const amounts = [1.5, 0, Infinity, NaN];
  expect(amounts.map((amount) => checks.UsageUpdate({ used: 1, size: 2, cost: { amount, currency: 'EUR' } }))).toEqual([
    true,
    true,
    false,
    false,
  ]);
});

describe('an absolute path', () => {
  test.each(['/', '/home/me', 'C:\\', 'c:/Users', '\\\\server\\share', '/\u0000'])(
    'the path %j is absolute',
    (path) => {
      expect(isAbsolutePath(path)).toBe(true);
    },
  );

  test.each([
    '',
    '.',
    'src',
    '~/src',
    'C:',
    'C:src',
    '\\src',
    '1:/a',
    'file:///a',
    ' /a',
    '{:/',
    '[:/',
    '@:/',
    7,
    null,
    ['/'],
  ])('%j is not an absolute path', (value) => {
    expect(isAbsolutePath(value)).toBe(false);
  });
});
