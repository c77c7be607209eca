import { expect, test } from 'vitest';
import { arrangeWords } from '../src/grammar/arrange-words.ts';
import { commandNames, Grammar } from '../src/grammar/grammar.ts';
import { Invocation } from '../src/grammar/invocation.ts';

test.each([
  ['', { words: [], hasCommand: false }],
  ['--format json', { words: ['--format', 'json'], hasCommand: false }],
  ['prompt fix it', { words: ['prompt', 'fix', 'it'], hasCommand: true }],
  ['codex fix it', { agent: 'codex', next: 'fix', words: ['fix', 'it'], hasCommand: false }],
  ['--resume ab12 fix it', { stray: 'fix', next: 'it', words: ['--resume', 'ab12', 'fix', 'it'], hasCommand: false }],
  ['--resume --verbose status', { words: ['status', '--resume', '--verbose'], hasCommand: true }],
  ['codex -s api status', { agent: 'codex', words: ['status', '-s', 'api'], hasCommand: true }],
  ['-s codex codex status', { agent: 'codex', words: ['status', '-s', 'codex'], hasCommand: true }],
  ['--format json status', { words: ['status', '--format', 'json'], hasCommand: true }],
  ['sessions --format json new', { words: ['sessions', 'new', '--format', 'json'], hasCommand: true }],
  ['sessions -s x', { words: ['sessions', '-s', 'x'], hasCommand: true }],
  ['sessions nwe', { words: ['sessions', 'nwe'], unknown: 'nwe', hasCommand: true }],
  ['prompt status', { words: ['prompt', 'status'], hasCommand: true }],
  ['fix the tests', { stray: 'fix', next: 'the', words: ['fix', 'the', 'tests'], hasCommand: false }],
  ['-- status', { words: ['--', 'status'], hasCommand: false }],
  ['--formt json exec hi', { words: ['--formt', 'json', 'exec', 'hi'], unknownOption: '--formt', hasCommand: false }],
  ['-s --odd status', { words: ['status', '-s', '--odd'], hasCommand: true }],
  ['-fx --no-fs --format=json status', { words: ['status', '-fx', '--no-fs', '--format=json'], hasCommand: true }],
  ['coder', { words: ['coder'], hasCommand: true }],
  ['coder --verbose', { words: ['coder', '--verbose'], hasCommand: true }],
  ['coder sessions new', { agent: 'coder', words: ['sessions', 'new'], hasCommand: true }],
  ['coder login openai', { words: ['coder', 'login', 'openai'], hasCommand: true }],
  ['coder fix it', { agent: 'coder', next: 'fix', words: ['fix', 'it'], hasCommand: false }],
])('the words of a command line are arranged: %j', async (line, arranged) => {
  const grammar = new Grammar(new Invocation(commandNames));
  expect(await arrangeWords(line.split(' ').filter(Boolean), grammar, (word) => word === 'codex')).toEqual(arranged);
});

test('a run builds only the command that it names', async () => {
  const invocation = new Invocation(commandNames);
  await arrangeWords(['--format=json', 'exec', '--continue', 'fix it'], new Grammar(invocation), () => false);
  expect(invocation.program.commands.map((command) => command.name())).toEqual(['exec']);
});
