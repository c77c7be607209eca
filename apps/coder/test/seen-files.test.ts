import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { SeenFiles } from '../src/workspace/seen-files.ts';
import { LoopFixture } from './loop-fixture.ts';
import { calls, finishes, says, ScriptedModel } from './scripted-model.ts';
import type { Part } from './scripted-model.ts';

const uses = (...parts: readonly Part[]): readonly Part[] => [...parts, finishes('tool-calls')];
const ends: readonly Part[] = [...says('Done.'), finishes()];
const edit = (path: string): Part => calls('edit', { path, oldText: 'one', newText: 'two' }, path);

/** The results of the model's last calls: type and first line. */
function outcomes({ conversation }: LoopFixture): readonly unknown[] {
  const last = conversation.at(-1);
  if (last?.role !== 'tool') return [];
  return last.content.flatMap((part) =>
    part.type === 'tool-result' && (part.output.type === 'text' || part.output.type === 'error-text')
      ? [[part.output.type, part.output.value.split('\n')[0]]]
      : [],
  );
}

test('a file read before a load may be changed, unless others changed it meanwhile', async () => {
  const reads = ['a', 'b'].map((path) => calls('read', { path }, path));
  const model = new ScriptedModel(
    uses(...reads),
    ends,
    uses(edit('a'), edit('b'), edit('c')),
    ends,
    uses(edit('a')),
    ends,
  );
  await using fixture = await LoopFixture.open({ model, keeps: true, files: { a: 'one', b: 'one', c: 'one' } });
  const at = (name: string): string => join(fixture.folder, name);
  await fixture.prompt('read');
  await writeFile(at('b'), 'one, by hand');
  await fixture.reload();
  await fixture.prompt('edit');
  const results = outcomes(fixture);
  await writeFile(at('a'), 'one');
  await fixture.reload();
  await fixture.prompt('edit what was edited');
  expect([
    ...results,
    ...outcomes(fixture),
    ...(await Promise.all(['a', 'b', 'c'].map((name) => readFile(at(name), 'utf8')))),
  ]).toEqual([
    ['text', expect.stringContaining('a')],
    ['error-text', 'b changed since it was read; nothing was changed. Read it again.'],
    ['error-text', 'c exists and was not read in this session; nothing was changed. Read it first.'],
    ['error-text', 'a changed since it was read; nothing was changed. Read it again.'],
    'one',
    'one, by hand',
    'one',
  ]);
});

test('a seen file is stored once, and again when it changes', () => {
  const kept: unknown[] = [];
  const files = new SeenFiles();
  const see = (text: string): void => {
    files.set('/a', { text, disk: new Set([text]) });
    files.keepNew((value) => kept.push(value));
  };
  for (const text of ['one', 'one', 'two']) see(text);
  expect([kept, new SeenFiles([...kept, null, { type: 'seen-file', path: 7 }, { type: 'usage' }]).get('/a')]).toEqual([
    [
      { type: 'seen-file', path: '/a', text: 'one', disk: 'one' },
      { type: 'seen-file', path: '/a', text: 'two', disk: 'two' },
    ],
    { text: 'two', disk: new Set(['two']) },
  ]);
});
