import type { Replacement, Task } from './task.ts';

interface Bug {
  readonly name: string;
  readonly source: string;
  /** An assertion about the exports of `source`. */
  readonly test: string;
  readonly fix: Replacement;
}

const bugs: readonly Bug[] = [
  {
    name: 'off by one',
    source: 'export const last = (list) => list[list.length];\n',
    test: 'assert.equal(subject.last([1, 2, 3]), 3);',
    fix: { old: 'list[list.length]', new: 'list[list.length - 1]' },
  },
  {
    name: 'wrong operator',
    source: 'export const isAdult = ({ age }) => age > 18;\n',
    test: 'assert.equal(subject.isAdult({ age: 18 }), true);',
    fix: { old: 'age > 18', new: 'age >= 18' },
  },
  {
    name: 'missing await',
    source:
      "const load = async () => ({ name: 'x' });\n\nexport async function name() {\n  const loaded = load();\n  return loaded.name;\n}\n",
    test: "assert.equal(await subject.name(), 'x');",
    fix: { old: 'const loaded = load();', new: 'const loaded = await load();' },
  },
  {
    name: 'greedy pattern',
    source: 'export const first = (text) => /"(.*)"/.exec(text)?.[1];\n',
    test: `assert.equal(subject.first('"a" and "b"'), 'a');`,
    fix: { old: '"(.*)"', new: '"(.*?)"' },
  },
  {
    name: 'nothing there',
    source: 'export const city = (user) => user.address.city;\n',
    test: 'assert.equal(subject.city({}), undefined);',
    fix: { old: 'user.address.city', new: 'user.address?.city' },
  },
  {
    name: 'order of numbers',
    source: 'export const sorted = (numbers) => [...numbers].sort();\n',
    test: 'assert.deepEqual(subject.sorted([10, 9]), [9, 10]);',
    fix: { old: '.sort()', new: '.sort((a, b) => a - b)' },
  },
  {
    name: 'shared default',
    source: 'const empty = [];\n\nexport function add(item, list = empty) {\n  list.push(item);\n  return list;\n}\n',
    test: 'subject.add(1);\nassert.deepEqual(subject.add(2), [2]);',
    fix: { old: 'list = empty', new: 'list = []' },
  },
  {
    name: 'wrong unit',
    source: 'export const seconds = (milliseconds) => milliseconds / 100;\n',
    test: 'assert.equal(subject.seconds(2000), 2);',
    fix: { old: '/ 100', new: '/ 1000' },
  },
];

/** Tasks with a failing test, which runs before and after the fix. */
export const fixes: readonly Task[] = bugs.map(({ name, source, test, fix }) => ({
  name,
  kind: 'fix',
  files: {
    'package.json': '{ "type": "module", "scripts": { "test": "node test/subject.test.js" } }\n',
    'src/subject.js': source,
    'test/subject.test.js': `import assert from 'node:assert';\nimport * as subject from '../src/subject.js';\n${test}\nconsole.log('passed');\n`,
  },
  prompt: 'The test fails. Fix the code.',
  steps: [
    [{ do: 'run', command: 'node test/subject.test.js' }],
    [
      { do: 'read', path: 'test/subject.test.js' },
      { do: 'read', path: 'src/subject.js' },
    ],
    [{ do: 'edit', path: 'src/subject.js', edits: [fix] }],
    [{ do: 'run', command: 'node test/subject.test.js' }],
  ],
  answer: /(passed)/,
  right: {
    files: { 'src/subject.js': source.replace(fix.old, () => fix.new) },
    answer: 'passed',
    command: 'node test/subject.test.js',
  },
}));
