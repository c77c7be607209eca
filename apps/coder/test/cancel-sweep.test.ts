import { expect, test } from 'vitest';
import { brokenPairs, LoopRoom } from './loop-room.ts';
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

/** The turn, with something happening at one moment: before a part of the model's answers, or at an update. */
async function turnWith(
  moment: number,
  happens: (room: LoopRoom) => void,
): Promise<{ readonly room: LoopRoom; readonly passed: number }> {
  let passed = 0;
  const at = { reach: (): void => undefined };
  async function* streamed(parts: readonly Part[]): AsyncGenerator<Part> {
    for (const part of parts) {
      at.reach();
      yield part;
    }
  }
  const model = new ScriptedModel(...answers.map(streamed));
  const room = await LoopRoom.open({ model, files: { a: 'A' }, chosen: { contextWindow: 200_000 } });
  at.reach = (): void => {
    if (passed++ === moment) happens(room);
  };
  room.onUpdate = at.reach;
  room.decide = () => {
    at.reach();
    return { outcome: { outcome: 'selected', optionId: 'allow_once' } };
  };
  return { room, passed: await room.prompt('go').then(() => passed) };
}

test('a cancel at any moment of a turn ends it as cancelled, leaves nothing open, and the next prompt works', async () => {
  const { room: whole, passed } = await turnWith(-1, () => undefined);
  await using _whole = whole;
  expect([passed > 40, whole.said.endsWith('Done.')]).toEqual([true, true]);
  const troubles: unknown[] = [];
  for (let moment = 0; moment < passed; moment++) {
    const { room } = await turnWith(moment, (running) => void running.cancel());
    await using _room = room;
    const { stopReason } = await room.prompt('next');
    if (stopReason !== 'end_turn') troubles.push([moment, stopReason]);
    troubles.push(...[...room.violations, ...brokenPairs(room.conversation)].map((trouble) => [moment, trouble]));
  }
  expect(troubles).toEqual([]);
});

test('a cancel while a question is open runs nothing of what is left', async () => {
  const model = new ScriptedModel([
    calls('write', { path: 'b', content: 'B' }, '1'),
    calls('write', { path: 'c', content: 'C' }, '2'),
    finishes('tool-calls'),
  ]);
  await using room = await LoopRoom.open({ model });
  room.decide = async () => {
    await room.cancel();
    return new Promise(() => undefined);
  };
  expect(await room.prompt('go')).toEqual({ stopReason: 'cancelled' });
  await room.prompt('and?');
  const results = room.conversation.flatMap((message) => (message.role === 'tool' ? message.content : []));
  expect([results.map((part) => part.type === 'tool-result' && part.output), room.violations]).toEqual([
    [
      { type: 'error-text', value: 'Cancelled; nothing was changed.' },
      { type: 'error-text', value: 'Not run: the turn ended before.' },
    ],
    [],
  ]);
});
