import type { Task, Action } from './task.ts';

type Files = Readonly<Record<string, string>>;

/** The same replacement in some files, which the model reads first. */
function everywhere(files: Files, old: string, text: string): Task['steps'] {
  const paths = Object.keys(files);
  return [
    paths.map((path): Action => ({ do: 'read', path })),
    paths.map((path): Action => ({ do: 'edit', path, edits: [{ old, new: text }] })),
  ];
}

function replaced(files: Files, old: string, text: string): Files {
  return Object.fromEntries(Object.entries(files).map(([path, content]) => [path, content.replace(old, () => text)]));
}

const versions: Files = {
  'package.json': '{\n  "version": "1.2.0"\n}\n',
  'src/version.js': "export const version = '1.2.0';\n",
  'docs/install.md': 'npm install tool@1.2.0\n',
  Dockerfile: 'FROM node:22\nRUN npm install --global tool@1.2.0\n',
};

const names: Files = {
  'package.json': '{ "name": "old-tool" }\n',
  'README.md': '# old-tool\n',
  'bin/run.js': "console.log('old-tool');\n",
};

const sources: Files = Object.fromEntries(
  ['a', 'b', 'c', 'd'].map((name) => [`src/${name}.js`, `export const ${name} = 1;\n`]),
);

const locales: Files = {
  'locales/en.json': '{\n  "save": "Save"\n}\n',
  'locales/de.json': '{\n  "save": "Sichern"\n}\n',
  'locales/fr.json': '{\n  "save": "Enregistrer"\n}\n',
};

const words = { en: 'Open', de: 'Öffnen', fr: 'Ouvrir' } as const;

function withOpen(path: string): { readonly old: string; readonly new: string } {
  const language = path.slice(8, 10) as keyof typeof words;
  return { old: '{\n', new: `{\n  "open": "${words[language]}",\n` };
}

/** Tasks that change related files. */
export const severalFiles: readonly Task[] = [
  {
    name: 'new version',
    kind: 'several files',
    files: versions,
    prompt: 'The next version is 1.3.0.',
    steps: [[{ do: 'search', text: '1.2.0' }], ...everywhere(versions, '1.2.0', '1.3.0')],
    right: { files: replaced(versions, '1.2.0', '1.3.0') },
  },
  {
    name: 'package renamed',
    kind: 'several files',
    files: names,
    prompt: 'The package is called new-tool from now on.',
    steps: [[{ do: 'search', text: 'old-tool' }], ...everywhere(names, 'old-tool', 'new-tool')],
    right: { files: replaced(names, 'old-tool', 'new-tool') },
  },
  {
    name: 'header in every file',
    kind: 'several files',
    files: sources,
    prompt: 'Every file in src begins with // MIT.',
    steps: [
      [{ do: 'list', glob: 'src/*.js' }],
      Object.keys(sources).map((path): Action => ({ do: 'read', path })),
      Object.entries(sources).map(([path, text]): Action => ({ do: 'write', path, text: `// MIT\n${text}` })),
    ],
    right: { files: Object.fromEntries(Object.entries(sources).map(([path, text]) => [path, `// MIT\n${text}`])) },
  },
  {
    name: 'text in three languages',
    kind: 'several files',
    files: locales,
    prompt: 'Add "open" to the locales, before "save".',
    steps: [
      [{ do: 'list', glob: 'locales/*.json' }],
      Object.keys(locales).map((path): Action => ({ do: 'read', path })),
      Object.keys(locales).map((path): Action => ({ do: 'edit', path, edits: [withOpen(path)] })),
    ],
    right: {
      files: Object.fromEntries(
        Object.entries(locales).map(([path, text]) => [path, text.replace('{\n', () => withOpen(path).new)]),
      ),
    },
  },
  {
    name: 'option with its test',
    kind: 'several files',
    files: {
      'package.json': '{ "type": "module" }\n',
      'greet.js': 'export function greet(name) {\n  return `Hello ${name}`;\n}\n',
      'greet.test.js':
        "import assert from 'node:assert';\nimport { greet } from './greet.js';\nassert.equal(greet('Ada'), 'Hello Ada');\n",
      'README.md': '# greet\n\n`greet(name)`\n',
    },
    prompt: 'greet should take a second parameter, whether it shouts. With a test, and in the README.',
    steps: [
      [
        { do: 'read', path: 'greet.js' },
        { do: 'read', path: 'greet.test.js' },
        { do: 'read', path: 'README.md' },
      ],
      [
        {
          do: 'edit',
          path: 'greet.js',
          edits: [
            { old: 'greet(name)', new: 'greet(name, shouts = false)' },
            {
              old: 'return `Hello ${name}`;',
              new: 'const text = `Hello ${name}`;\n  return shouts ? text.toUpperCase() : text;',
            },
          ],
        },
        {
          do: 'edit',
          path: 'greet.test.js',
          edits: [{ old: "'Hello Ada');", new: "'Hello Ada');\nassert.equal(greet('Ada', true), 'HELLO ADA');" }],
        },
        { do: 'edit', path: 'README.md', edits: [{ old: '`greet(name)`', new: '`greet(name, shouts)`' }] },
      ],
      [{ do: 'run', command: 'node greet.test.js' }],
    ],
    right: { command: 'node greet.test.js && grep -q HELLO greet.test.js && grep -q shouts README.md' },
  },
  {
    name: 'new module',
    kind: 'several files',
    files: {
      'package.json': '{ "type": "module" }\n',
      'index.js': "export { sum } from './sum.js';\n",
      'sum.js': 'export const sum = (list) => list.reduce((a, b) => a + b, 0);\n',
    },
    prompt: 'Add mean(list), with a test, and export it.',
    steps: [
      [
        { do: 'read', path: 'index.js' },
        { do: 'read', path: 'sum.js' },
      ],
      [
        {
          do: 'write',
          path: 'mean.js',
          text: "import { sum } from './sum.js';\n\nexport const mean = (list) => sum(list) / list.length;\n",
        },
        {
          do: 'write',
          path: 'mean.test.js',
          text: "import assert from 'node:assert';\nimport { mean } from './index.js';\nassert.equal(mean([1, 2, 6]), 3);\n",
        },
        {
          do: 'edit',
          path: 'index.js',
          edits: [
            {
              old: "export { sum } from './sum.js';",
              new: "export { mean } from './mean.js';\nexport { sum } from './sum.js';",
            },
          ],
        },
      ],
      [{ do: 'run', command: 'node mean.test.js' }],
    ],
    right: { command: 'node mean.test.js' },
  },
  {
    name: 'dead file',
    kind: 'several files',
    files: {
      'index.js': "export { a } from './a.js';\nexport { b } from './b.js';\n",
      'a.js': 'export const a = 1;\n',
      'b.js': 'export const b = 2;\n',
    },
    prompt: 'Nobody needs b any more.',
    steps: [
      [{ do: 'search', text: 'b.js' }],
      [{ do: 'read', path: 'index.js' }],
      [
        { do: 'edit', path: 'index.js', edits: [{ old: "export { b } from './b.js';\n", new: '' }] },
        { do: 'delete', path: 'b.js' },
      ],
    ],
    right: { files: { 'index.js': "export { a } from './a.js';\n", 'b.js': null } },
  },
  {
    name: 'page with its link',
    kind: 'several files',
    files: { 'docs/index.md': '# Docs\n\n- [Start](start.md)\n', 'docs/start.md': '# Start\n' },
    prompt: 'Add a page about the configuration, and a link to it.',
    steps: [
      [{ do: 'list', glob: 'docs/*.md' }],
      [{ do: 'read', path: 'docs/index.md' }],
      [
        { do: 'write', path: 'docs/configuration.md', text: '# Configuration\n\nIt is in `config.json`.\n' },
        {
          do: 'edit',
          path: 'docs/index.md',
          edits: [{ old: '- [Start](start.md)', new: '- [Start](start.md)\n- [Configuration](configuration.md)' }],
        },
      ],
    ],
    right: {
      files: {
        'docs/index.md': '# Docs\n\n- [Start](start.md)\n- [Configuration](configuration.md)\n',
        'docs/configuration.md': '# Configuration\n\nIt is in `config.json`.\n',
      },
    },
  },
];
