import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { LoopFixture } from './loop-fixture.ts';
import { calls, finishes, says, ScriptedModel } from './scripted-model.ts';

const write = [calls('write', { path: 'a.txt', content: 'new' }), finishes('tool-calls')];

/** The result of the last tool call in the next request to the model. */
function result({ conversation }: LoopFixture): unknown {
  const last = conversation.findLast(({ role }) => role === 'tool');
  return last?.role === 'tool' ? last.content.map((part) => ('output' in part ? part.output : undefined)) : undefined;
}

test.each([
  ['_meta', { _meta: { turnwire: { feedback: 'Write it below docs.' } } }],
  ['the field of the proposal', { feedback: 'Write it below docs.' }],
])('the model gets the reason for a rejection with the result of its call, from %s of the answer', async (_, extra) => {
  const model = new ScriptedModel(write, [...says('Below docs, then.'), finishes()]);
  await using fixture = await LoopFixture.open({ model });
  const offered: unknown[] = [];
  fixture.decide = ({ options }) => {
    offered.push(...options.filter(({ kind }) => kind === 'reject_once').map(({ _meta }) => _meta));
    return { outcome: { outcome: 'selected', optionId: 'reject_once', ...extra } };
  };
  const { stopReason } = await fixture.prompt('Write it.');
  expect({ offered, stopReason, result: result(fixture), said: fixture.said }).toEqual({
    offered: [{ turnwire: { allowFeedback: true } }],
    stopReason: 'end_turn',
    result: [
      {
        type: 'execution-denied',
        reason: 'Permission was refused; nothing was changed. The reason: Write it below docs.',
      },
    ],
    said: 'Below docs, then.',
  });
});

test('the model gets the message of the rule that denies its call', async () => {
  const model = new ScriptedModel(write, [...says('Below docs, then.'), finishes()]);
  await using fixture = await LoopFixture.open({ model });
  const file = join(fixture.cwd, '.turnwire/permissions.json');
  await mkdir(join(fixture.cwd, '.turnwire'));
  await writeFile(file, JSON.stringify({ deny: [{ rule: 'Write(*.txt)', message: 'Write it below docs.' }] }));
  await fixture.prompt('Write it.');
  expect(result(fixture)).toEqual([
    {
      type: 'execution-denied',
      reason: `Refused, denied by the rule Write(*.txt) in ${file}: Write it below docs.; nothing was done.`,
    },
  ]);
});
