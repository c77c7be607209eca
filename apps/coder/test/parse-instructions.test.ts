import { expect, test } from 'vitest';
import { parseInstructions } from '../src/model/offline/parse-instructions.ts';

const single: readonly (readonly [prompt: string, tool: string, input: object])[] = [
  ['list files', 'list', {}],
  ['List all the files.', 'list', {}],
  ['list files in src', 'list', { path: 'src' }],
  ['list files in @src', 'list', { path: 'src' }],
  ['read @src/new.ts', 'read', { path: 'src/new.ts' }],
  ['read @"my notes.txt".', 'read', { path: 'my notes.txt' }],
  ['read "@notes.txt"', 'read', { path: '@notes.txt' }],
  ['read ./@notes.txt', 'read', { path: './@notes.txt' }],
  ['read @', 'read', { path: '@' }],
  ['search for @user in @"a dir"', 'search', { text: '@user', path: 'a dir' }],
  ['replace @a with @b in @"my notes.txt"', 'edit', { path: 'my notes.txt', oldText: '@a', newText: '@b' }],
  ['create @"go with me.md" with @x', 'write', { path: 'go with me.md', content: '@x' }],
  ['move @"go to.txt" to @b.txt', 'move', { from: 'go to.txt', to: 'b.txt' }],
  ['delete @a.txt', 'delete', { path: 'a.txt' }],
  ['run npm install @scope/name', 'execute', { command: 'npm install @scope/name' }],
  ['list files in .', 'list', { path: '.' }],
  ['read notes.txt', 'read', { path: 'notes.txt' }],
  ['READ "my notes.txt".', 'read', { path: 'my notes.txt' }],
  ['please read the file ‘notes.txt’!', 'read', { path: 'notes.txt' }],
  ['search for TODO', 'search', { text: 'TODO' }],
  ['search for TODO in src?', 'search', { text: 'TODO', path: 'src' }],
  ['search for for', 'search', { text: 'for' }],
  ['search for "in memory"', 'search', { text: 'in memory' }],
  ['search for two words in "a dir"', 'search', { text: 'two words', path: 'a dir' }],
  ['replace "alpha" with "beta" in notes.txt', 'edit', { path: 'notes.txt', oldText: 'alpha', newText: 'beta' }],
  ['replace “alpha” with “” in notes.txt.', 'edit', { path: 'notes.txt', oldText: 'alpha', newText: '' }],
  [
    "replace 'go with me' with 'in or out' in notes.txt",
    'edit',
    { path: 'notes.txt', oldText: 'go with me', newText: 'in or out' },
  ],
  ['replace alpha with beta in notes.txt', 'edit', { path: 'notes.txt', oldText: 'alpha', newText: 'beta' }],
  ['replace all "a" with "b" in c.txt', 'edit', { path: 'c.txt', oldText: 'a', newText: 'b', replaceAll: true }],
  ['create notes.md with "First, then second."', 'write', { path: 'notes.md', content: 'First, then second.' }],
  ['create a file "my notes.md" with "one\ntwo"', 'write', { path: 'my notes.md', content: 'one\ntwo' }],
  ['create a.json with "{"a": 1}"', 'write', { path: 'a.json', content: '{"a": 1}' }],
  ['create notes.md with ""', 'write', { path: 'notes.md', content: '' }],
  ['move a.txt to b.txt', 'move', { from: 'a.txt', to: 'b.txt' }],
  ['rename "go to.txt" to b.txt', 'move', { from: 'go to.txt', to: 'b.txt' }],
  ['delete a.txt', 'delete', { path: 'a.txt' }],
  ['run npm test', 'execute', { command: 'npm test' }],
  ['Run `npm test`.', 'execute', { command: 'npm test' }],
  ['run ls .', 'execute', { command: 'ls .' }],
  ['run echo "a then b" "c"', 'execute', { command: 'echo "a then b" "c"' }],
  ["run echo don't list", 'execute', { command: "echo don't list" }],
  ['run "if true; then echo yes; fi"', 'execute', { command: 'if true; then echo yes; fi' }],
  [
    'plan: first; second; third',
    'plan',
    { entries: [{ content: 'first' }, { content: 'second' }, { content: 'third' }] },
  ],
  [
    'plan: [x] first; [~] second; third',
    'plan',
    {
      entries: [
        { content: 'first', status: 'completed' },
        { content: 'second', status: 'in_progress' },
        { content: 'third' },
      ],
    },
  ],
  ['fetch https://example.com/a?b.', 'fetch', { url: 'https://example.com/a?b' }],
  ['get "http://localhost:3000/"', 'fetch', { url: 'http://localhost:3000/' }],
  ['ask "What is it?"', 'ask', { question: 'What is it?' }],
  [
    'ask "Which one?" choices: red, "dark green" or blue',
    'ask',
    { question: 'Which one?', choices: ['red', 'dark green', 'blue'] },
  ],
  ['ask "Which?", several of a, b', 'ask', { question: 'Which?', choices: ['a', 'b'], answer: 'several' }],
  ['ask yes or no "Go on?"', 'ask', { question: 'Go on?', answer: 'yes-or-no' }],
  ['switch to architect', 'switch-mode', { mode: 'architect' }],
  ['switch to mode Code with plan "1. do it"', 'switch-mode', { mode: 'code', plan: '1. do it' }],
];

test.each(single)('%j is parsed as its instruction', (prompt, tool, input) => {
  expect(parseInstructions(prompt)).toEqual({ instructions: [{ tool, input }] });
});

const list = { tool: 'list', input: {} };
const read = { tool: 'read', input: { path: 'a.txt' } };

test.each([
  ['at once: list files; read a.txt', [{ together: [list, read] }]],
  ['think "what then?" then say it is done', [{ think: 'what then?' }, { say: 'it is done' }]],
  ['list files then end with an error', [list, { end: 'error' }]],
  ['end with Max Tokens', [{ end: 'max tokens' }]],
])('%j is parsed literally', (prompt, instructions) => {
  expect(parseInstructions(prompt)).toEqual({ instructions });
});

test.each([
  'list files then read a.txt then run npm test',
  'list files, then read a.txt, and then run npm test.',
  'list files\nread a.txt\nrun npm test',
  'list files\nthen read a.txt\n  then: run npm test\n',
])('%j is parsed as a chain of three', (prompt) => {
  expect(parseInstructions(prompt)).toEqual({
    instructions: [
      { tool: 'list', input: {} },
      { tool: 'read', input: { path: 'a.txt' } },
      { tool: 'execute', input: { command: 'npm test' } },
    ],
  });
});

test.each([
  ['what is the meaning of this?', 'what is the meaning of this?'],
  ['list files then dance', 'dance'],
  ['replace "a" in b.txt', 'replace "a" in b.txt'],
  ['plan: ;', 'plan:'],
  ['at once: list files; dance', 'at once: list files; dance'],
  ['at once: list files; say "x"', 'at once: list files; say "x"'],
  ['ask me something', 'ask me something'],
  ['switch to fifth gear', 'switch to fifth gear'],
  ['fetch ftp://example.com', 'fetch ftp://example.com'],
  ['search for', 'search for'],
  ['  \n ', ''],
])('%j is not an instruction, and its unknown part is returned', (prompt, unknown) => {
  expect(parseInstructions(prompt)).toEqual({ unknown });
});

test('a very long prompt is not an instruction', () => {
  expect(parseInstructions(`create a.txt with "${'then x '.repeat(20_000)}`)).toHaveProperty('unknown');
});
