import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { bundleProgram } from '../../../tools/bundle-program.mjs';
import { AnswerSchema } from '../src/driving/answer-schema.ts';
import type { Outcome } from './command.ts';
import { sessionFixture } from './session-fixture.ts';

const bugs = {
  type: 'object',
  properties: { bugs: { type: 'array', items: { type: 'string' } } },
  required: ['bugs'],
  additionalProperties: false,
};

/** Runs `exec` with an agent that gives these answers; `file` is the content of out.json afterwards. */
async function ask(
  answers: readonly string[],
  ...words: readonly string[]
): Promise<Outcome & { readonly file: string | undefined }> {
  const { bare, project } = await sessionFixture();
  const program = bundleProgram(fileURLToPath(new URL('fixtures/answering-agent.ts', import.meta.url)));
  const agent = [process.execPath, program, ...answers].map((word) => `'${word}'`).join(' ');
  await writeFile(join(project, 'bugs.json'), JSON.stringify(bugs));
  const outcome = await bare(['exec', '--agent', agent, ...words, 'list the bugs']);
  return { ...outcome, file: await readFile(join(project, 'out.json'), 'utf8').catch(() => undefined) };
}

const quiet = ['--format', 'quiet', '--output-schema', 'bugs.json'];
const fits = '{"bugs":["one"]}';

test('--output-last-message writes the last message to a file, and prints the turn as usual', async () => {
  expect(await ask(['Found two.'], '--output-last-message', 'out.json')).toEqual({
    code: 0,
    stdout: 'I look first.\n✓ Read notes\nFound two.\n',
    stderr: '',
    file: 'Found two.\n',
  });
});

test('a file in a folder that does not exist is refused before the agent starts', async () => {
  expect(await ask(['Found two.'], '--output-last-message', 'none/out.json')).toEqual({
    code: 2,
    stdout: '',
    stderr: expect.stringMatching(
      /^turnwire: --output-last-message: nothing can be written to the folder .*\/project\/none: it does not exist\nSee turnwire --help\.\n$/,
    ),
    file: undefined,
  });
});

test('a last message that cannot be written is an error after the turn', async () => {
  expect(await ask(['Found two.'], '--format', 'quiet', '--output-last-message', '.git')).toEqual({
    code: 1,
    stdout: 'Found two.\n',
    stderr: expect.stringMatching(/^turnwire: the last message cannot be written to \.git: .+\n$/),
    file: undefined,
  });
});

test('with --output-schema and --format quiet, only the JSON that fits is printed, also if it is in a block of code', async () => {
  const fenced = `\`\`\`json\n${fits}\n\`\`\``;
  expect(await ask([fenced], ...quiet, '--output-last-message', 'out.json')).toEqual({
    code: 0,
    stdout: `${fits}\n`,
    stderr: '',
    file: `${fits}\n`,
  });
});

test('an agent whose message does not fit the schema is asked once more', async () => {
  expect(await ask(['{"bugs":[1],"more":2}', fits], ...quiet)).toEqual({
    code: 0,
    stdout: `${fits}\n`,
    stderr:
      'turnwire: the last message does not fit the JSON Schema: the value must NOT have additional properties (more); /bugs/0 must be string. The agent is asked for it once more\n',
    file: undefined,
  });
});

test('if the second message does not fit either, nothing is printed or written, and the exit code is 1', async () => {
  const { code, stdout, stderr, file } = await ask(
    ['Sorry.', 'Still sorry.'],
    ...quiet,
    '--output-last-message',
    'out.json',
  );
  expect({ code, stdout, file, last: stderr.trimEnd().split('\n').at(-1) }).toEqual({
    code: 1,
    stdout: '',
    file: undefined,
    last: expect.stringMatching(/^turnwire: the last message is not JSON \(.*Still sorry.*\)$/),
  });
});

test('the prompt is followed by the schema', () => {
  expect(new AnswerSchema('{"type":"array"}').request).toEqual({
    type: 'text',
    text: 'Your last message must be JSON only, without any other text. It must fit this JSON Schema:\n{"type":"array"}',
  });
});

test.each([
  [
    '{"type":"unknown"}',
    'is not a valid JSON Schema: schema is invalid: data/type must be equal to one of the allowed values',
  ],
  ['{', 'the text after --output-schema is not valid JSON'],
  ['nowhere.json', 'nowhere.json: cannot be read: there is no such file.'],
])('the schema %s is refused before the agent starts', (given, message) => {
  expect(() => new AnswerSchema(given)).toThrow(
    expect.objectContaining({ exitCode: 2, message: expect.stringContaining(message) }),
  );
});

test('a schema of draft 7 is used if it means the same in draft 2020-12, and refused otherwise', () => {
  const draft = { $schema: 'http://json-schema.org/draft-07/schema#' };
  const schema = new AnswerSchema(
    JSON.stringify({ ...draft, definitions: { id: { type: 'number' } }, items: { $ref: '#/definitions/id' } }),
  );
  expect([schema.judge('[1]'), schema.judge('["a"]')]).toEqual([
    { json: '[1]' },
    { fault: 'does not fit the JSON Schema: /0 must be number' },
  ]);
  expect(() => new AnswerSchema(JSON.stringify({ ...draft, items: [{ type: 'number' }] }))).toThrow(
    expect.objectContaining({ exitCode: 2, message: expect.stringContaining('data/items must be object,boolean') }),
  );
});
