import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { expect, test } from 'vitest';
import { failureMessage, ToolError } from '../src/tool-error.ts';

test("a system error is shown with the system's message, without a path", async () => {
  const error: unknown = await readFile(tmpdir()).catch((reason: unknown) => reason);
  expect(failureMessage(error)).toBe('The system reported: illegal operation on a directory.');
});

test.each(['EACCES: permission denied, open', "EACCES: permission denied, rename '/a' -> '/b'"])(
  '%s is shown with advice',
  (message) => {
    const error = Object.assign(new Error(message), { code: 'EACCES', syscall: 'open' });
    expect(failureMessage(error)).toBe(
      'The system reported: permission denied. Check the permissions of the file and its folder.',
    );
  },
);

test('other errors are shown with their own message', () => {
  expect([new ToolError('There is no file a.'), new Error('spawn failed'), 'thrown'].map(failureMessage)).toEqual([
    'There is no file a.',
    'spawn failed',
    'thrown',
  ]);
});
