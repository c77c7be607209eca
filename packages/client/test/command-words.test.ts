import { commandWords } from '@turnwire/client/node';
import { TurnwireError } from '@turnwire/protocol';
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

test('an array is used unchanged', () => {
  expect(commandWords(['my agent', '$x'])).toEqual(['my agent', '$x']);
});

test.each([
  ['', 'is empty'],
  [[], 'is empty'],
  ['agent "open', 'is not closed'],
])('%j is refused', (command, reason) => {
  const refuse = (): unknown => commandWords(command);
  expect(refuse).toThrow(TurnwireError);
  expect(refuse).toThrow(reason);
});
