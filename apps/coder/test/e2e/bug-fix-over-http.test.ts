import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { CoderAtWork, CoderHome } from './coder-home.ts';
import { calls, inTurn, says, ScriptServer } from './script-server.ts';

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

/** What the model makes of it. */
const repaired = {
  ...repository,
  'sum.js': repository['sum.js'].replace('total - number', 'total + number'),
  'average.js': repository['average.js'].replace('(numbers.length - 1)', 'numbers.length'),
};

/** What a developer would do, step by step. */
const script = inTurn(
  calls('execute', { command: 'node average.test.js' }),
  calls('read', { path: 'average.js' }),
  calls('search', { text: 'sum(' }),
  calls('read', { path: 'sum.js' }),
  calls('edit', { path: 'sum.js', edits: [{ oldText: 'total - number', newText: 'total + number' }] }),
  calls('edit', { path: 'average.js', oldText: '(numbers.length - 1)', newText: 'numbers.length' }),
  calls('execute', { command: 'node average.test.js' }),
  says('Both bugs are repaired, and the test passes.'),
);

/** Whether the tests of these files pass, run by us and not by the agent. */
async function testsPass(files: Readonly<Record<string, string>>): Promise<boolean> {
  await using home = await CoderHome.open({ files });
  const { NODE_OPTIONS: _, NODE_TEST_CONTEXT: __, ...env } = process.env;
  const run = promisify(execFile)(process.execPath, ['--test', '.'], { cwd: home.work, env });
  return await run.then(
    () => true,
    () => false,
  );
}

test('the tests of the repository fail with its bugs and pass once they are fixed', async () => {
  expect([await testsPass(repository), await testsPass(repaired)]).toEqual([false, true]);
});

const providers = [
  ['anthropic/claude-sonnet-5', '/v1/messages'],
  ['openai/gpt-6-sol', '/v1/responses'],
  ['openai-compatible/some-model', '/v1/chat/completions'],
  ['google/gemini-3.8-flash', '/v1beta/models/gemini-3.8-flash:streamGenerateContent'],
] as const;

test.each(providers)('%s finds a bug in two files over HTTP, fixes it and runs the tests', async (model, path) => {
  await using server = await ScriptServer.start(script);
  const env = { ANTHROPIC_API_KEY: 'a', OPENAI_API_KEY: 'o', GEMINI_API_KEY: 'g', TURNWIRE_CODER_MODEL: model };
  const { url } = server;
  const addresses = {
    ANTHROPIC_BASE_URL: url,
    OPENAI_BASE_URL: url,
    OPENAI_COMPATIBLE_BASE_URL: url,
    GOOGLE_GENERATIVE_AI_BASE_URL: url,
  };
  await using home = await CoderHome.open({ files: repository, env: { ...env, ...addresses } });
  const isApart = model === providers[0][0];
  await using coder = await (isApart ? CoderAtWork.start(home) : CoderAtWork.startHere(home));
  const end = await coder.prompt('The average is wrong. Find out why and repair it.');
  const names = Object.keys(repository);
  const files = Object.fromEntries(await Promise.all(names.map(async (name) => [name, await home.read(name)])));
  expect({ end, files, said: coder.said }).toEqual({
    end: { stopReason: 'end_turn' },
    files: repaired,
    said: 'Both bugs are repaired, and the test passes.',
  });
  expect({
    calls: coder.calls,
    asked: coder.user.asked,
    paths: new Set(server.asked.map((each) => each.path)),
  }).toEqual({
    // The first run of the tests fails, as it should.
    calls: [
      'execute failed',
      'read completed',
      'search completed',
      'read completed',
      'edit completed',
      'edit completed',
      'execute completed',
    ],
    asked: ['node average.test.js', 'Edit sum.js', 'Edit average.js', 'node average.test.js'],
    paths: new Set([path]),
  });
  // The results of the tools are those the model received.
  expect(server.asked.at(-1)?.results[3]).toContain('total - number');
});
