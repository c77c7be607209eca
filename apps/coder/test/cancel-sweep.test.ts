import { expect, test } from 'vitest';
import { brokenPairs, LoopFixture } from './loop-fixture.ts';
import { calls, finishes, says, ScriptedModel } from './scripted-model.ts';
import type { Part } from './scripted-model.ts';

/** A turn with all that can happen in one: words, thoughts, calls side by side and in turn, questions, a failure, a compaction. */
const answers: readonly (readonly Part[])[] = [
  [
    { type: 'reasoning-start', id: 'r' },
    { type: 'reasoning-delta', id: 'r', delta: 'Hm.' },
    { type: 'reasoning-end', id: 'r' },
    ...says('Looking.'),
    { type: 'tool-input-start', id: '1', toolName: 'read' },
    { type: 'tool-input-delta', id: '1', delta: '{"path":' },
    calls('read', { path: 'a' }, '1'),
    calls('read', { path: 'none' }, '2'),
    finishes('tool-calls'),
  ],
  [
    calls('write', { path: 'b', content: 'B' }, '3'),
    calls('execute', { command: 'cat a' }, '4'),
    calls('dance', {}, '5'),
    finishes('tool-calls'),
  ],
  says('It breaks'),
  [...says('Done.'), finishes()],
];

/** The turn, with an event at one moment: before a part of the model's answers, or at an update. */
async function turnWith(
  moment: number,
  happens: (fixture: LoopFixture) => void,
): Promise<{ readonly fixture: LoopFixture; readonly passed: number }> {
  let passed = 0;
  const at = { reach: (): void => undefined };
  async function* streamed(parts: readonly Part[]): AsyncGenerator<Part> {
    for (const part of parts) {
      at.reach();
      yield part;
    }
  }
  const model = new ScriptedModel(...answers.map(streamed));
  const fixture = await LoopFixture.open({ model, files: { a: 'A' }, chosen: { contextWindow: 200_000 } });
  at.reach = (): void => {
    if (passed++ === moment) happens(fixture);
  };
  fixture.onUpdate = at.reach;
  fixture.decide = () => {
    at.reach();
    return { outcome: { outcome: 'selected', optionId: 'allow_once' } };
  };
  return { fixture, passed: await fixture.prompt('go').then(() => passed) };
}

test('a cancel at any moment ends the turn as cancelled, leaves nothing open, and the next prompt works', async () => {
  const { fixture: whole, passed } = await turnWith(-1, () => undefined);
  await using _whole = whole;
  expect([passed > 40, whole.said.endsWith('Done.')]).toEqual([true, true]);
  const warnings: unknown[] = [];
  for (let moment = 0; moment < passed; moment++) {
    const { fixture } = await turnWith(moment, (running) => void running.cancel());
    await using _room = fixture;
    const { stopReason } = await fixture.prompt('next');
    if (stopReason !== 'end_turn') warnings.push([moment, stopReason]);
    warnings.push(...[...fixture.violations, ...brokenPairs(fixture.conversation)].map((warning) => [moment, warning]));
  }
  expect(warnings).toEqual([]);
});

test('a cancel while a question is open runs none of the remaining calls', async () => {
  const model = new ScriptedModel([
    calls('write', { path: 'b', content: 'B' }, '1'),
    calls('write', { path: 'c', content: 'C' }, '2'),
    finishes('tool-calls'),
  ]);
  await using fixture = await LoopFixture.open({ model });
  fixture.decide = async () => {
    await fixture.cancel();
    return new Promise(() => undefined);
  };
  expect(await fixture.prompt('go')).toEqual({ stopReason: 'cancelled' });
  await fixture.prompt('and?');
  const results = fixture.conversation.flatMap((message) => (message.role === 'tool' ? message.content : []));
  expect([results.map((part) => part.type === 'tool-result' && part.output), fixture.violations]).toEqual([
    [
      { type: 'error-text', value: 'Cancelled; nothing was changed.' },
      { type: 'error-text', value: 'Not run: the turn ended before.' },
    ],
    [],
  ]);
});
