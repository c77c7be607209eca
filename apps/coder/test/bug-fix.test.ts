import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { calls, finishes, says, scriptedSession, ScriptedModel } from './scripted-model.ts';

/** A small repository with a bug in each of two files, and a test that finds both. */
const repository = {
  'package.json': '{ "type": "module" }\n',
  'sum.js': 'export function sum(numbers) {\n  return numbers.reduce((total, number) => total - number, 0);\n}\n',
  'average.js':
    "import { sum } from './sum.js';\n\nexport function average(numbers) {\n  return sum(numbers) / (numbers.length - 1);\n}\n",
  'average.test.js': [
    "import assert from 'node:assert/strict';",
    "import test from 'node:test';",
    "import { average } from './average.js';",
    '',
    "test('the average of two and four is three', () => assert.equal(average([2, 4]), 3));",
    '',
  ].join('\n'),
};

/** What the tests of the repository say. */
async function testsPass(folder: string): Promise<boolean> {
  const { NODE_OPTIONS: _, NODE_TEST_CONTEXT: __, ...env } = process.env;
  const run = promisify(execFile)(process.execPath, ['--test', '.'], { cwd: folder, env });
  return run.then(
    () => true,
    () => false,
  );
}

test('a bug in two files is found, mended and proved mended', async () => {
  const model = new ScriptedModel(
    [...says('I run the tests first.'), calls('execute', { command: 'node --test .' }), finishes('tool-calls')],
    [
      calls('read', { path: 'average.js' }, 'look-1'),
      calls('read', { path: 'sum.js' }, 'look-2'),
      calls('search', { text: 'sum(' }, 'look-3'),
      finishes('tool-calls'),
    ],
    [
      calls('edit', { path: 'sum.js', edits: [{ oldText: 'total - number', newText: 'total + number' }] }, 'edit-1'),
      calls('edit', { path: 'average.js', oldText: '(numbers.length - 1)', newText: 'numbers.length' }, 'edit-2'),
      finishes('tool-calls'),
    ],
    [calls('execute', { command: 'node --test .' }, 'proof'), finishes('tool-calls')],
    [...says('Both bugs are mended, and the test passes.'), finishes()],
  );
  await using session = await scriptedSession({ model }, repository);
  const before = await testsPass(session.folder);
  const answer = await session.prompt('The average is wrong. Find out why and mend it.');
  const ended = session.updates.flatMap((update) =>
    update.sessionUpdate === 'tool_call_update' && update.status !== 'in_progress' && update.status
      ? [update.status]
      : [],
  );
  expect({ before, answer, ended, after: await testsPass(session.folder) }).toEqual({
    before: false,
    answer: { stopReason: 'end_turn' },
    // The first run of the tests fails, as it should.
    ended: ['failed', 'completed', 'completed', 'completed', 'completed', 'completed', 'completed'],
    after: true,
  });
});
