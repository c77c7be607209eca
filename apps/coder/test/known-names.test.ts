import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { withKnownNames } from '../src/tools/known-names.ts';
import { toolbox } from '../src/tools/toolbox.ts';
import { ToolFixture } from './tool-fixture.ts';

test('an edit with the argument names of other agents is made', async () => {
  await using fixture = await ToolFixture.open();
  const file = join(fixture.folder, 'a.txt');
  await writeFile(file, 'one two\n');
  await fixture.use('read', { file_path: 'a.txt' });
  await fixture.use('edit', { file_path: 'a.txt', old_string: 'one', new_string: '1' });
  await fixture.use('edit', { filePath: 'a.txt', edits: [{ old_str: 'two', new_str: '2', replace_all: true }] });
  expect(await readFile(file, 'utf8')).toBe('1 2\n');
});

test.each([
  ['write', { filename: 'a', file_text: 'x' }, { path: 'a', content: 'x' }],
  ['execute', { cmd: 'ls', run_in_background: true }, { command: 'ls', background: true }],
  ['search', { query: 'x', directory: 'src' }, { text: 'x', path: 'src' }],
  ['move', { source: 'a', destination: 'b' }, { from: 'a', to: 'b' }],
  // Names that are right, unknown, or ambiguous.
  ['write', { path: 'a', content: 'x', file: 'b' }, { path: 'a', content: 'x', file: 'b' }],
  ['execute', { command: 'ls', description: 'x' }, { command: 'ls', description: 'x' }],
  ['read', { file: 'a', filename: 'b' }, { file: 'a', filename: 'b' }],
  ['read', ['a'], ['a']],
  ['read', JSON.parse('{"__proto__":"a","file":"b"}'), JSON.parse('{"__proto__":"a","path":"b"}')],
  ['read', null, null],
])('the input of %s: %j is read as %j', (tool, written, read) => {
  expect(withKnownNames(written, toolbox.get(tool)?.inputSchema ?? {})).toEqual(read);
});

test('an input that is invalid under any name is refused with the names it used', async () => {
  await using fixture = await ToolFixture.open();
  await expect(fixture.use('write', { file: 'a', body: 'x' })).rejects.toThrow(
    /^The input of write is invalid:\n.*Unrecognized keys: "file", "body"/s,
  );
});
