import { ProtocolError } from '@turnwire/protocol';
import { expect, test } from 'vitest';
import { errorText } from '@turnwire/client/error-text';

test.each<[what: string, message: string, data: unknown, text: string]>([
  ['details of a vague message', 'Internal error', { details: 'disk full' }, 'Internal error (disk full)'],
  ['data that is a text', 'It failed.', 'disk full', 'It failed (disk full)'],
  ['data that repeats the message', 'It failed: disk full', { details: 'disk full' }, 'It failed: disk full'],
  ['an object behind a vague message', 'Internal error', { status: 500 }, 'Internal error ({"status":500})'],
  [
    'an object behind a message that says it all',
    'The model is overloaded.',
    { status: 529 },
    'The model is overloaded.',
  ],
  ['null', 'Internal error', null, 'Internal error'],
  ['no data', 'Internal error', undefined, 'Internal error'],
  ['data that is too long', 'Invalid params', 'x'.repeat(301), `Invalid params (${'x'.repeat(300)}…)`],
])('the text of an error with %s', (_what, message, data, text) => {
  expect(errorText(new ProtocolError(-32603, message, data))).toBe(text);
});

test('the text of a value that is not a protocol error', () => {
  expect([errorText(new Error('no')), errorText('no'), errorText(undefined)]).toEqual(['no', 'no', 'undefined']);
});
