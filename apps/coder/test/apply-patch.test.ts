import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { applyPatchTool } from '../src/patch/apply-patch.ts';
import { applyHunks } from '../src/patch/apply-hunks.ts';
import { parsePatch } from '../src/patch/parse-patch.ts';
import { LoopFixture } from './loop-fixture.ts';
import { ScriptedModel } from './scripted-model.ts';
import { ToolFixture } from './tool-fixture.ts';

const patchOf = (...lines: readonly string[]): string => ['*** Begin Patch', ...lines, '*** End Patch'].join('\n');

async function withFiles(files: Readonly<Record<string, string>>): Promise<ToolFixture> {
  const fixture = await ToolFixture.open();
  for (const [path, text] of Object.entries(files)) await writeFile(join(fixture.folder, path), text);
  return fixture;
}

test('a patch adds, changes and deletes files', async () => {
  await using fixture = await withFiles({ 'a.ts': 'one\r\ntwo\r\nthree\r\n', 'old.ts': 'old\n' });
  const patch = patchOf(
    '*** Update File: a.ts',
    '@@ one',
    '-two',
    '+2',
    '+2.5',
    ' three',
    '*** Add File: src/new.ts',
    '+new',
    '*** Delete File: old.ts',
  );
  const { text } = await fixture.use(applyPatchTool, { input: patch });
  expect([
    text,
    await readFile(join(fixture.folder, 'a.ts'), 'utf8'),
    await readFile(join(fixture.folder, 'src/new.ts'), 'utf8'),
  ]).toEqual([
    expect.stringMatching(/^Changed a.ts.\nChanged src\/new.ts.\nDeleted old.ts./),
    'one\r\n2\r\n2.5\r\nthree\r\n',
    'new\n',
  ]);
  await expect(stat(join(fixture.folder, 'old.ts'))).rejects.toThrow('ENOENT');
});

test('a patch is shown with all its files before anything is changed', async () => {
  await using fixture = await withFiles({ 'a.ts': 'one\n' });
  const input = patchOf('*** Update File: a.ts', '-one', '+1', '*** Add File: b.ts', '+b');
  const { title, facts, preview } = await fixture.prepare(applyPatchTool, { input });
  const [a, b] = ['a.ts', 'b.ts'].map((name) => join(fixture.folder, name));
  expect({ title, facts, preview }).toEqual({
    title: 'Edit a.ts, Create b.ts',
    facts: { paths: [a, b] },
    preview: [
      { type: 'diff', path: a, oldText: 'one\n', newText: '1\n' },
      { type: 'diff', path: b, oldText: null, newText: 'b\n' },
    ],
  });
});

test.each([
  ['no patch', /^A patch begins with the line/],
  [patchOf(), /^The patch names no file/],
  [patchOf('+x'), /^The line "\+x" of the patch is not understood: a file comes first/],
  [patchOf('*** Add File: b.ts', 'x'), /^The line "x" of the patch is not understood: each line of a new file/],
  [patchOf('*** Update File: a.ts', '?x'), /^The line "\?x" of the patch is not understood: a line begins with/],
  [patchOf('*** Update File: a.ts', '*** Move to: b.ts'), /move the file with the tool move/],
  [patchOf('*** Add File: a.ts', '+x'), /^a.ts exists; nothing was changed/],
  [patchOf('*** Update File: c.ts', '+x'), /^There is no file c.ts/],
  [patchOf('*** Update File: a.ts', '-four', '+x'), /^Change 1 of a.ts does not match the file; nothing was changed/],
  [patchOf('*** Update File: a.ts', ' one'), /^The patch changes nothing in a.ts/],
  [patchOf('*** Update File: a.ts', '+x', '*** Delete File: a.ts'), /^The patch names a file twice/],
  [
    patchOf('*** Add File: b.ts', '+b', '*** Update File: a.ts', '-four', '+x'),
    /^Change 1 of a.ts does not match the file/,
  ],
])('%j is refused, and nothing is changed', async (input, message) => {
  await using fixture = await withFiles({ 'a.ts': 'one\ntwo\n' });
  await expect(fixture.use(applyPatchTool, { input })).rejects.toThrow(message);
  expect(await readFile(join(fixture.folder, 'a.ts'), 'utf8')).toBe('one\ntwo\n');
  await expect(stat(join(fixture.folder, 'b.ts'))).rejects.toThrow('ENOENT');
});

test.each([
  ['a\nb\na\nb\n', ['@@', '-b', '+1', '@@', '-b', '+2'], 'a\n1\na\n2\n'],
  ['f() {\n  x\n}\ng() {\n  x\n}\n', ['@@ g() {', '-  x', '+  y'], 'f() {\n  x\n}\ng() {\n  y\n}\n'],
  ['a  \nb\n', [' a', '-b', '+c'], 'a\nc\n'],
  ['  a\nb\n', [' a', '-b', '+c'], 'a\nc\n'],
  ['a\n', ['+b'], 'a\nb\n'],
  ['', ['+a'], 'a\n'],
  ['a\nb', ['-b', '+c'], 'a\nc'],
  ['a\n', ['@@ zzz', '+b'], { misplaced: 1 }],
  ['a\nb\n', ['-b', '@@', '-a'], { misplaced: 2 }],
])('%j with %j becomes %j', (text, lines, after) => {
  const [part] = parsePatch(patchOf('*** Update File: a', ...lines));
  expect(part?.kind === 'update' && applyHunks(text, part.hunks)).toEqual(after);
});

test.each([
  ['openai/gpt-5.1', true],
  ['openrouter/openai/gpt-5-codex', true],
  ['openai/o3', true],
  ['anthropic/claude-sonnet-5', false],
  ['ollama/gpt-oss', false],
])('%s gets the tool apply_patch: %s', async (id, isOffered) => {
  const model = new ScriptedModel();
  await using fixture = await LoopFixture.open({ model, chosen: { id } });
  await fixture.prompt('go');
  expect(model.tools.at(-1)?.includes('apply_patch')).toBe(isOffered);
});
