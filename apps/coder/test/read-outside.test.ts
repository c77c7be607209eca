import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { LoopFixture } from './loop-fixture.ts';
import { calls, finishes, says, ScriptedModel } from './scripted-model.ts';

/** What came of tool calls, with the folder around the workspace left out of texts. */
async function outcomes(
  toolCalls: readonly (readonly [name: string, input: object])[],
  optionId: 'allow_once' | 'reject_once',
): Promise<{ readonly asked: readonly unknown[]; readonly results: readonly unknown[] }> {
  const model = new ScriptedModel(
    [...toolCalls.map(([name, input], place) => calls(name, input, String(place))), finishes('tool-calls')],
    [...says('Done.'), finishes()],
  );
  await using fixture = await LoopFixture.open({
    model,
    within: 'project',
    files: { 'notes.txt': 'alpha\nbeta\n', 'project/a.txt': 'inside\n' },
  });
  await mkdir(join(fixture.folder, '.config', 'turnwire'), { recursive: true });
  await writeFile(join(fixture.folder, '.config', 'turnwire', 'keys.txt'), 'alpha secret\n');
  const asked: unknown[] = [];
  fixture.decide = ({ toolCall: { title } }) => {
    asked.push(title?.replaceAll(fixture.folder, '~'));
    return { outcome: { outcome: 'selected', optionId } };
  };
  await fixture.prompt('look around');
  const results = fixture.conversation.flatMap(({ role, content }) =>
    role === 'tool' ? content.map((part) => ('output' in part ? JSON.stringify(part.output) : '')) : [],
  );
  return { asked, results: results.map((text) => (JSON.parse(text.replaceAll(fixture.folder, '~')) as Result).value) };
}

interface Result {
  readonly value?: string;
}

test("files outside the workspace are read, listed and searched with the user's permission", async () => {
  const looks = [
    ['read', { path: '../notes.txt' }],
    ['search', { text: 'alpha', path: '..' }],
    ['read', { path: 'a.txt' }],
  ] as const;
  const { asked, results } = await outcomes(looks, 'allow_once');
  expect({ asked: new Set(asked), results }).toEqual({
    asked: new Set(['Read ~/notes.txt', 'Search for alpha in ~']),
    results: ['alpha\nbeta\n', expect.stringMatching(/^~\/notes\.txt:1: alpha(?:\n\[[^]*)?$/), 'inside\n'],
  });
});

test("outside the workspace a refused file is not read, nothing is changed, and the agent's own files are out of reach", async () => {
  const wanted = [
    ['read', { path: '../notes.txt' }],
    ['write', { path: '../new.txt', content: 'x' }],
    ['read', { path: '../.config/turnwire/keys.txt' }],
  ] as const;
  const { asked, results } = await outcomes(wanted, 'reject_once');
  expect({ asked, results }).toEqual({
    asked: ['Read ~/notes.txt'],
    results: [
      undefined,
      '../new.txt is outside the workspace (~/project). Outside of it files can be read, with permission, and nothing else.',
      expect.stringMatching(/^\.\.\/\.config\/turnwire\/keys\.txt is out of reach: /),
    ],
  });
});
