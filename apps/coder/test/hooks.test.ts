import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { LoopFixture } from './loop-fixture.ts';
import { calls, finishes, says, ScriptedModel } from './scripted-model.ts';

/** A session in which the model makes one call, then ends, with hooks in the user's settings. */
async function withHooks(hooks: object, call: readonly [tool: string, input: object]): Promise<LoopFixture> {
  const model = new ScriptedModel([calls(...call), finishes('tool-calls')], [...says('Done.'), finishes()]);
  const fixture = await LoopFixture.open({
    model,
    files: { '.config/turnwire/coder.json': JSON.stringify({ hooks }) },
  });
  await fixture.prompt('go');
  return fixture;
}

/** What the model got as the result of its call. */
function result({ model }: LoopFixture): unknown {
  const parts = model.asked.at(-1)?.prompt.flatMap(({ role, content }) => (role === 'tool' ? content : []));
  return parts?.map((part) => (part.type === 'tool-result' ? part.output : part))[0];
}

const write = ['write', { path: 'src/b.ts', content: 'two\n' }] as const;

test('a failing hook before a call forbids it, with its output as the reason', async () => {
  const before = [{ tools: ['write'], command: 'echo "no $TURNWIRE_TOOL of $TURNWIRE_PATHS"; exit 3' }];
  await using fixture = await withHooks({ before }, write);
  expect(result(fixture)).toEqual({
    type: 'execution-denied',
    reason: expect.stringMatching(
      /^A command of the user's settings forbids this call. `echo .+` exited with 3.\n<output .+>\nno write of .+src\/b.ts\n<\/output/,
    ),
  });
  await expect(stat(join(fixture.folder, 'src/b.ts'))).rejects.toThrow('ENOENT');
});

test('a succeeding hook before a call allows it, and does not run for other tools', async () => {
  const before = [{ command: 'true' }, { tools: ['execute'], command: 'false' }, { files: ['*.md'], command: 'false' }];
  await using fixture = await withHooks({ before }, write);
  expect([result(fixture), await readFile(join(fixture.folder, 'src/b.ts'), 'utf8')]).toEqual([
    { type: 'text', value: 'Created src/b.ts (1 line).' },
    'two\n',
  ]);
});

test('the output and failure of a hook after an edit reach the model', async () => {
  const after = [
    { files: ['*.ts'], command: 'echo "src/b.ts(1,1): error"; exit 2' },
    { files: ['src/*'], command: 'true' },
    { files: ['lib/**'], command: 'echo never' },
  ];
  await using fixture = await withHooks({ after }, write);
  expect(result(fixture)).toEqual({
    type: 'text',
    value: expect.stringMatching(
      /^Created src\/b.ts \(1 line\).\n`echo .+` exited with 2.\n<output .+>\nsrc\/b.ts\(1,1\): error\n<\/output id="\w+">$/,
    ),
  });
});

test('a hook can check a command line before it runs', async () => {
  const before = [{ tools: ['execute'], command: 'case $TURNWIRE_COMMAND in *touch*) exit 1 ;; esac' }];
  await using fixture = await withHooks({ before }, ['execute', { command: 'touch x' }]);
  expect(result(fixture)).toEqual({
    type: 'execution-denied',
    reason: expect.stringContaining('exited with 1.'),
  });
});

test('a hook that exceeds its timeout is ended and counts as failed', async () => {
  await using fixture = await withHooks({ before: [{ command: 'sleep 60', timeoutSeconds: 0.2 }] }, write);
  expect(result(fixture)).toEqual({
    type: 'execution-denied',
    reason: "A command of the user's settings forbids this call. `sleep 60` was ended after 0.2 seconds.",
  });
});
