import type { Task } from './task.ts';

const modules = (count: number, more: Readonly<Record<string, string>>): Readonly<Record<string, string>> => ({
  ...Object.fromEntries(
    Array.from({ length: count }, (_, index) => [
      `src/part-${index}/module.js`,
      `export const part${index} = { name: 'part ${index}', port: ${4000 + index} };\n`.repeat(5),
    ]),
  ),
  ...more,
});

/** Tasks that change nothing: the answer is somewhere in the folder. */
export const finds: readonly Task[] = [
  {
    name: 'where a function is',
    kind: 'find',
    files: modules(30, {
      'src/part-7/deep/parse.js': 'export function parseDate(text) {\n  return new Date(text);\n}\n',
    }),
    prompt: 'Which file has the function parseDate?',
    steps: [[{ do: 'search', text: 'function parseDate' }]],
    answer: /(src\/part-7\/deep\/parse\.js)/,
    right: { answer: 'src/part-7/deep/parse.js' },
  },
  {
    name: 'value of a setting',
    kind: 'find',
    files: modules(20, {
      'config/production.json': '{\n  "database": { "pool": 17 }\n}\n',
      'config/test.json': '{ "database": {} }\n',
    }),
    prompt: 'How large is the database pool in production?',
    steps: [[{ do: 'list', glob: 'config/*.json' }], [{ do: 'read', path: 'config/production.json' }]],
    answer: /"pool": (\d+)/,
    right: { answer: '17' },
  },
  {
    name: 'urgent remark',
    kind: 'find',
    files: modules(30, { 'src/part-3/pay.js': '// TODO(urgent): round up\nexport const pay = 1;\n' }),
    prompt: 'What is the urgent thing to do?',
    steps: [[{ do: 'search', text: 'TODO(urgent)' }]],
    answer: /TODO\(urgent\): ([a-z ]+)/,
    right: { answer: 'round up' },
  },
  {
    name: 'test of a module',
    kind: 'find',
    files: modules(10, { 'src/part-4/module.test.js': '', 'test/part-9.test.js': '' }),
    prompt: 'Is there a test for part 9? Where?',
    steps: [[{ do: 'list', glob: '**/*.test.js' }]],
    answer: /(test\/part-9\.test\.js)/,
    right: { answer: 'test/part-9.test.js' },
  },
  {
    name: 'line of a long log',
    kind: 'find',
    files: {
      'service.log': `${'12:00:00 info request served\n'.repeat(1500)}12:00:07 error disk sda1 is full\n${'12:00:08 info request served\n'.repeat(1500)}`,
    },
    prompt: 'Why did the service fail?',
    steps: [[{ do: 'search', text: ' error ' }]],
    answer: /error (disk sda1 is full)/,
    right: { answer: 'disk sda1 is full' },
  },
  {
    name: 'what a program prints',
    kind: 'find',
    files: { 'port.js': 'console.log(`port ${[4, 0, 9, 6].join("")}`);\n' },
    prompt: 'Which port does port.js use?',
    steps: [[{ do: 'read', path: 'port.js' }], [{ do: 'run', command: 'node port.js' }]],
    answer: /port (\d{4})/,
    right: { answer: '4096' },
  },
  {
    name: 'who uses a name',
    kind: 'find',
    files: modules(25, { 'src/part-11/caller.js': 'start(legacyMode);\n', 'docs/legacy.md': 'legacyMode is gone.\n' }),
    prompt: 'Is legacyMode still used in the code?',
    steps: [[{ do: 'search', text: 'legacyMode' }], [{ do: 'read', path: 'src/part-11/caller.js' }]],
    answer: /(start\(legacyMode\))/,
    right: { answer: 'start(legacyMode)' },
  },
  {
    name: 'two files compared',
    kind: 'find',
    files: { 'a/limits.env': 'MEMORY=512\nTIME=30\n', 'b/limits.env': 'MEMORY=512\nTIME=90\n' },
    prompt: 'What is the time limit in b, and is it that of a?',
    steps: [
      [
        { do: 'read', path: 'a/limits.env' },
        { do: 'read', path: 'b/limits.env' },
      ],
    ],
    answer: /TIME=(90)/,
    right: { answer: '90' },
  },
];
