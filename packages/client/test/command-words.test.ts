import { commandWords } from '@agentwire/client';
import { AgentwireError } from '@agentwire/protocol';
import { expect, test } from 'vitest';

test('quotes and backslashes group words, and nothing is expanded', () => {
  expect(commandWords(`agent "two words" 'a "b"' c\\ d $HOME | x`)).toEqual([
    'agent',
    'two words',
    'a "b"',
    'c d',
    '$HOME',
    '|',
    'x',
  ]);
});

test('an array is taken as it is', () => {
  expect(commandWords(['my agent', '$x'])).toEqual(['my agent', '$x']);
});

test.each([
  ['', 'is empty'],
  [[], 'is empty'],
  ['agent "open', 'is not closed'],
])('%j is refused', (command, reason) => {
  const refuse = (): unknown => commandWords(command);
  expect(refuse).toThrow(AgentwireError);
  expect(refuse).toThrow(reason);
});
