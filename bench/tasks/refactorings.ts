import type { Task } from './task.ts';

const prices = `export function total(items) {
  let sum = 0;
  for (const item of items) sum += item.price * item.count;
  return Math.round(sum * 100) / 100;
}

export function tax(items) {
  let sum = 0;
  for (const item of items) sum += item.price * item.count;
  return Math.round(sum * 0.2 * 100) / 100;
}
`;

const testOfPrices = `import assert from 'node:assert';
import { tax, total } from './prices.js';
const items = [{ price: 1.5, count: 2 }, { price: 2, count: 1 }];
assert.deepEqual([total(items), tax(items)], [5, 1]);
`;

const users = (name: string): Readonly<Record<string, string>> => ({
  'src/users.js': `export function ${name}(id) {\n  return { id };\n}\n`,
  'src/login.js': `import { ${name} } from './users.js';\n\nexport const login = (id) => ${name}(id).id;\n`,
  'src/admin.js': `import { ${name} } from './users.js';\n\nexport const admin = () => ${name}(0);\n`,
});

const renamed = (path: string, ...texts: readonly string[]): Task['steps'][number][number] => ({
  do: 'edit',
  path,
  edits: texts.map((text) => ({ old: text, new: text.replace('getUser', 'findUser') })),
});

/** Tasks that keep the behaviour of the code. */
export const refactorings: readonly Task[] = [
  {
    name: 'common function',
    kind: 'refactor',
    files: { 'package.json': '{ "type": "module" }\n', 'prices.js': prices, 'test.js': testOfPrices },
    prompt: 'total and tax in prices.js compute the same sum. Give it a function of its own, and run test.js.',
    steps: [
      [{ do: 'read', path: 'prices.js' }],
      [
        {
          do: 'edit',
          path: 'prices.js',
          edits: [
            {
              old: 'export function total(items) {\n  let sum = 0;\n  for (const item of items) sum += item.price * item.count;\n  return Math.round(sum * 100) / 100;',
              new: 'function sumOf(items) {\n  return items.reduce((sum, item) => sum + item.price * item.count, 0);\n}\n\nexport function total(items) {\n  return Math.round(sumOf(items) * 100) / 100;',
            },
            {
              old: 'export function tax(items) {\n  let sum = 0;\n  for (const item of items) sum += item.price * item.count;\n  return Math.round(sum * 0.2 * 100) / 100;',
              new: 'export function tax(items) {\n  return Math.round(sumOf(items) * 0.2 * 100) / 100;',
            },
          ],
        },
      ],
      [{ do: 'run', command: 'node test.js' }],
    ],
    right: { command: 'node test.js && ! grep -q "let sum" prices.js && grep -q "function sumOf" prices.js' },
  },
  {
    name: 'function renamed everywhere',
    kind: 'refactor',
    files: users('getUser'),
    prompt: 'Call getUser findUser, everywhere.',
    steps: [
      [{ do: 'search', text: 'getUser' }],
      [
        { do: 'read', path: 'src/users.js' },
        { do: 'read', path: 'src/login.js' },
        { do: 'read', path: 'src/admin.js' },
      ],
      [
        renamed('src/users.js', 'function getUser('),
        renamed('src/login.js', '{ getUser }', '=> getUser('),
        renamed('src/admin.js', '{ getUser }', '=> getUser('),
      ],
    ],
    right: { files: users('findUser') },
  },
  {
    name: 'file moved',
    kind: 'refactor',
    files: {
      'package.json': '{ "type": "module" }\n',
      'utils.js': 'export const double = (number) => number * 2;\n',
      'main.js': "import { double } from './utils.js';\n\nconsole.log(double(21));\n",
    },
    prompt: 'Move utils.js to lib/numbers.js.',
    steps: [
      [{ do: 'search', text: 'utils.js' }],
      [{ do: 'read', path: 'main.js' }],
      [
        { do: 'move', path: 'utils.js', to: 'lib/numbers.js' },
        { do: 'edit', path: 'main.js', edits: [{ old: './utils.js', new: './lib/numbers.js' }] },
      ],
      [{ do: 'run', command: 'node main.js' }],
    ],
    right: { files: { 'utils.js': null }, command: 'test "$(node main.js)" = 42' },
  },
  {
    name: 'var to const and let',
    kind: 'refactor',
    files: { 'count.js': 'var limit = 3;\nvar count = 0;\nwhile (count < limit) count++;\nconsole.log(count);\n' },
    prompt: 'Use const and let in count.js.',
    steps: [
      [{ do: 'read', path: 'count.js' }],
      [
        {
          do: 'edit',
          path: 'count.js',
          edits: [
            { old: 'var limit', new: 'const limit' },
            { old: 'var count', new: 'let count' },
          ],
        },
      ],
    ],
    right: {
      files: { 'count.js': 'const limit = 3;\nlet count = 0;\nwhile (count < limit) count++;\nconsole.log(count);\n' },
    },
  },
  {
    name: 'callbacks to promises',
    kind: 'refactor',
    files: {
      'package.json': '{ "type": "module" }\n',
      'read.js':
        "import { readFile } from 'node:fs';\n\nexport function lines(path, done) {\n  readFile(path, 'utf8', (error, text) => (error ? done(error) : done(null, text.split('\\n'))));\n}\n",
      'main.js':
        "import { lines } from './read.js';\n\nlines('main.js', (error, found) => console.log(found.length));\n",
    },
    prompt: 'lines should return a promise.',
    steps: [
      [
        { do: 'read', path: 'read.js' },
        { do: 'search', text: 'lines(' },
      ],
      [{ do: 'read', path: 'main.js' }],
      [
        {
          do: 'write',
          path: 'read.js',
          text: "import { readFile } from 'node:fs/promises';\n\nexport async function lines(path) {\n  return (await readFile(path, 'utf8')).split('\\n');\n}\n",
        },
        {
          do: 'edit',
          path: 'main.js',
          edits: [
            {
              old: "lines('main.js', (error, found) => console.log(found.length));",
              new: "const found = await lines('main.js');\nconsole.log(found.length);",
            },
          ],
        },
      ],
      [{ do: 'run', command: 'node main.js' }],
    ],
    right: { command: 'test "$(node main.js)" = 5' },
  },
  {
    name: 'file split in two',
    kind: 'refactor',
    files: {
      'package.json': '{ "type": "module" }\n',
      'shapes.js':
        'export const square = (side) => side ** 2;\n\nexport const circle = (radius) => Math.PI * radius ** 2;\n',
      'test.js':
        "import assert from 'node:assert';\nimport { circle, square } from './shapes.js';\nassert.deepEqual([square(2), Math.round(circle(1))], [4, 3]);\n",
    },
    prompt: 'circle should have a file of its own; shapes.js goes on to export it.',
    steps: [
      [{ do: 'read', path: 'shapes.js' }],
      [
        { do: 'write', path: 'circle.js', text: 'export const circle = (radius) => Math.PI * radius ** 2;\n' },
        {
          do: 'edit',
          path: 'shapes.js',
          edits: [
            {
              old: 'export const circle = (radius) => Math.PI * radius ** 2;',
              new: "export { circle } from './circle.js';",
            },
          ],
        },
      ],
      [{ do: 'run', command: 'node test.js' }],
    ],
    right: { command: 'node test.js && grep -q PI circle.js && ! grep -q PI shapes.js' },
  },
  {
    name: 'magic number named',
    kind: 'refactor',
    files: {
      'retry.py':
        'def retry(call):\n    for attempt in range(5):\n        if call():\n            return attempt\n    raise TimeoutError(5)\n',
    },
    prompt: 'Give the 5 in retry.py a name.',
    steps: [
      [{ do: 'read', path: 'retry.py' }],
      [
        {
          do: 'edit',
          path: 'retry.py',
          edits: [
            { old: 'def retry(call):', new: 'ATTEMPTS = 5\n\n\ndef retry(call):' },
            { old: 'range(5)', new: 'range(ATTEMPTS)' },
            { old: 'TimeoutError(5)', new: 'TimeoutError(ATTEMPTS)' },
          ],
        },
      ],
    ],
    right: {
      files: {
        'retry.py':
          'ATTEMPTS = 5\n\n\ndef retry(call):\n    for attempt in range(ATTEMPTS):\n        if call():\n            return attempt\n    raise TimeoutError(ATTEMPTS)\n',
      },
    },
  },
  {
    name: 'early return',
    kind: 'refactor',
    files: {
      'greet.js':
        'function greet(user) {\n  if (user) {\n    const name = user.name ?? "you";\n    return `Hello ${name}`;\n  }\n  return "Hello";\n}\n',
    },
    prompt: 'Make greet return early.',
    steps: [
      [{ do: 'read', path: 'greet.js' }],
      [
        {
          do: 'edit',
          path: 'greet.js',
          edits: [
            {
              old: '  if (user) {\n    const name = user.name ?? "you";\n    return `Hello ${name}`;\n  }\n  return "Hello";',
              new: '  if (!user) return "Hello";\n  const name = user.name ?? "you";\n  return `Hello ${name}`;',
            },
          ],
        },
      ],
    ],
    right: {
      files: {
        'greet.js':
          'function greet(user) {\n  if (!user) return "Hello";\n  const name = user.name ?? "you";\n  return `Hello ${name}`;\n}\n',
      },
    },
  },
];
