import type { Task } from './task.ts';

const server = `import { createServer } from 'node:http';

const timeout = 1000;

createServer((request, response) => response.end(request.url)).setTimeout(timeout);
`;

const lines = (count: number, line: (number: number) => string): string =>
  Array.from({ length: count }, (_, index) => `${line(index + 1)}\n`).join('');

const table = lines(400, (number) => `row ${number}: ${number * 7}`);

/** Tasks that change one file. */
export const edits: readonly Task[] = [
  {
    name: 'longer timeout',
    kind: 'edit',
    files: { 'server.js': server },
    prompt: 'The server should time out after five seconds.',
    steps: [
      [{ do: 'read', path: 'server.js' }],
      [{ do: 'edit', path: 'server.js', edits: [{ old: 'timeout = 1000', new: 'timeout = 5000' }] }],
    ],
    right: { files: { 'server.js': server.replace('1000', '5000') } },
  },
  {
    name: 'two typos',
    kind: 'edit',
    files: { 'README.md': '# Tool\n\nIt recieves files.\n\n## Use\n\nRun it seperately.\n' },
    prompt: 'Fix the typos in the README.',
    steps: [
      [{ do: 'read', path: 'README.md' }],
      [
        {
          do: 'edit',
          path: 'README.md',
          edits: [
            { old: 'recieves', new: 'receives' },
            { old: 'seperately', new: 'separately' },
          ],
        },
      ],
    ],
    right: { files: { 'README.md': '# Tool\n\nIt receives files.\n\n## Use\n\nRun it separately.\n' } },
  },
  {
    name: 'license field',
    kind: 'edit',
    files: { 'package.json': '{\n  "name": "tool",\n  "version": "1.0.0"\n}\n' },
    prompt: 'The package has the MIT license; say so in its package.json.',
    steps: [
      [{ do: 'read', path: 'package.json' }],
      [
        {
          do: 'edit',
          path: 'package.json',
          edits: [{ old: '"version": "1.0.0"', new: '"version": "1.0.0",\n  "license": "MIT"' }],
        },
      ],
    ],
    right: { files: { 'package.json': '{\n  "name": "tool",\n  "version": "1.0.0",\n  "license": "MIT"\n}\n' } },
  },
  {
    name: 'line in a long file',
    kind: 'edit',
    files: { 'table.txt': table },
    prompt: 'Row 250 of the table should say 0.',
    steps: [
      [{ do: 'search', text: 'row 250:' }],
      [{ do: 'edit', path: 'table.txt', edits: [{ old: 'row 250: 1750', new: 'row 250: 0' }] }],
    ],
    right: { files: { 'table.txt': table.replace('row 250: 1750', 'row 250: 0') } },
  },
  {
    name: 'Windows line endings',
    kind: 'edit',
    files: { 'settings.ini': '[display]\r\nwidth=80\r\nheight=24\r\n' },
    prompt: 'Make the display 120 columns wide.',
    steps: [
      [{ do: 'read', path: 'settings.ini' }],
      [{ do: 'edit', path: 'settings.ini', edits: [{ old: 'width=80', new: 'width=120' }] }],
    ],
    right: { files: { 'settings.ini': '[display]\r\nwidth=120\r\nheight=24\r\n' } },
  },
  {
    name: 'import and call',
    kind: 'edit',
    files: {
      'main.js': "import { load } from './load.js';\n\nconst data = load();\nprint(data);\n",
      'load.js': '',
      'print.js': '',
    },
    prompt: 'print is not imported in main.js; it is in print.js. Sort the data before it is printed.',
    steps: [
      [{ do: 'read', path: 'main.js' }],
      [
        {
          do: 'edit',
          path: 'main.js',
          edits: [
            { old: "'./load.js';\n", new: "'./load.js';\nimport { print } from './print.js';\n" },
            { old: 'print(data)', new: 'print(data.toSorted())' },
          ],
        },
      ],
    ],
    right: {
      files: {
        'main.js':
          "import { load } from './load.js';\nimport { print } from './print.js';\n\nconst data = load();\nprint(data.toSorted());\n",
      },
    },
  },
  {
    name: 'version in a workflow',
    kind: 'edit',
    files: {
      '.github/workflows/test.yml':
        'jobs:\n  test:\n    steps:\n      - uses: actions/setup-node@v3\n        with:\n          node-version: 18\n',
    },
    prompt: 'Test on Node 22.',
    steps: [
      [{ do: 'read', path: '.github/workflows/test.yml' }],
      [
        {
          do: 'edit',
          path: '.github/workflows/test.yml',
          edits: [{ old: 'node-version: 18', new: 'node-version: 22' }],
        },
      ],
    ],
    right: {
      files: {
        '.github/workflows/test.yml':
          'jobs:\n  test:\n    steps:\n      - uses: actions/setup-node@v3\n        with:\n          node-version: 22\n',
      },
    },
  },
  {
    name: 'file written anew',
    kind: 'edit',
    files: { '.gitignore': 'node_modules\n' },
    prompt: 'Ignore node_modules, dist and logs.',
    steps: [
      [{ do: 'read', path: '.gitignore' }],
      [{ do: 'write', path: '.gitignore', text: 'node_modules\ndist\n*.log\n' }],
    ],
    right: { files: { '.gitignore': 'node_modules\ndist\n*.log\n' } },
  },
];
