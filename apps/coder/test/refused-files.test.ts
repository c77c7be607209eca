import type { ContentBlock } from '@turnwire/protocol';
import { expect, test } from 'vitest';
import { LoopFixture } from './loop-fixture.ts';
import { calls, finishes, says, ScriptedModel } from './scripted-model.ts';

const refusal = Object.assign(new Error('Could not process image'), { statusCode: 400 });
const cutShort = 'iVBORw0KGgo=';
const picture: ContentBlock = { type: 'image', mimeType: 'image/png', data: cutShort };
const left = {
  type: 'text',
  text: '<attachment type="image/png" omitted="the service of the model refused it" />',
};

test('an image that the provider refuses fails its prompt and is left out of later ones, also after a restart', async () => {
  const model = new ScriptedModel(refusal);
  await using fixture = await LoopFixture.open({ model, keeps: true });
  await expect(fixture.prompt([{ type: 'text', text: 'what is it?' }, picture])).rejects.toThrow(
    'Could not process image',
  );
  expect(fixture.said).toContain('perhaps because of an attachment, which is left out from now on.');
  await fixture.prompt('something else');
  const asked = [
    { role: 'user', content: [{ type: 'text', text: 'what is it?' }, left] },
    { role: 'user', content: [{ type: 'text', text: 'something else' }] },
  ];
  expect(fixture.conversation).toEqual(asked);
  await fixture.reload();
  await fixture.prompt('and now?');
  expect(fixture.conversation.slice(0, 2)).toEqual(asked);
});

test('an image from a tool that the provider refuses is left out, and the turn continues', async () => {
  const model = new ScriptedModel([calls('read', { path: 'cut.gif' }), finishes('tool-calls')], refusal, [
    ...says('It cannot be read.'),
    finishes(),
  ]);
  await using fixture = await LoopFixture.open({
    model,
    files: { 'cut.gif': 'GIF89a' },
  });
  await expect(fixture.prompt('look')).resolves.toMatchObject({ stopReason: 'end_turn' });
  const pictures = model.asked.map(({ prompt }) => JSON.stringify(prompt).includes('"mediaType":"image/gif"'));
  expect(pictures).toEqual([false, true, false]);
});

test('an accepted image stays when a request with another one is refused', async () => {
  const model = new ScriptedModel([...says('A dot.'), finishes()], refusal);
  await using fixture = await LoopFixture.open({ model });
  await fixture.prompt([picture]);
  await expect(fixture.prompt([picture])).rejects.toThrow('Could not process image');
  await fixture.prompt('go on');
  expect(fixture.conversation.filter(({ role }) => role === 'user').map(({ content }) => content)).toEqual([
    [{ type: 'file', mediaType: 'image/png', data: cutShort }],
    [left],
    [{ type: 'text', text: 'go on' }],
  ]);
});

test('a prompt whose image was refused can be undone', async () => {
  const model = new ScriptedModel(refusal);
  await using fixture = await LoopFixture.open({ model });
  await expect(fixture.prompt([{ type: 'text', text: 'look' }, picture])).rejects.toThrow('Could not process image');
  await fixture.prompt('/undo');
  await fixture.prompt('hello');
  expect(fixture.conversation).toEqual([{ role: 'user', content: [{ type: 'text', text: 'hello' }] }]);
});
