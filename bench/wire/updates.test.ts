import { checks } from '@turnwire/protocol';
import { expect, test } from 'vitest';
import { bytesOf, textLength, type UpdateKind, updatesOf } from './updates.ts';

const kinds: readonly (readonly [UpdateKind, number])[] = [
  ['small-update', 172],
  ['tool-call', 509],
  ['update-4k', 4096],
];

test.each(kinds)('every %s is valid, holds text that is read, and is %i bytes long', (kind, size) => {
  const updates = updatesOf(kind, 'sess_0000001');
  expect(updates.map(bytesOf)).toEqual(updates.map(() => size));
  expect(updates.every((params) => checks.SessionNotification(params) && textLength(params.update) > 0)).toBe(true);
});

test('every diff-1m is valid, and its two texts together are 1 MiB long', () => {
  const updates = updatesOf('diff-1m', 'sess_0000001');
  expect(updates.map(({ update }) => textLength(update) * 2)).toEqual(updates.map(() => 2 ** 20));
  expect(updates.every((params) => checks.SessionNotification(params))).toBe(true);
});
