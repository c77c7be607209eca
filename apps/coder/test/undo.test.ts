import { mkdtemp, readdir, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { CoderProcess, until } from './coder-process.ts';
import { defineTool } from '../src/tools/tool.ts';
import { type RecordedFiles, withEntry } from '../src/conversation/recorded-files.ts';
import { TurnFiles } from '../src/undo/turn-files.ts';
import { Workspace } from '../src/workspace/workspace.ts';
import { z } from 'zod';
import { ToolFixture } from './tool-fixture.ts';
import { calls, finishes, says, ScriptedModel, scriptedSession } from './scripted-model.ts';

let state: string;

beforeEach(async () => {
  state = await mkdtemp(join(tmpdir(), 'state-'));
});

afterEach(() => rm(state, { recursive: true, force: true }));

test('/undo restores files and conversation, turn by turn', async () => {
  await using coder = await CoderProcess.start(state);
  const session = await coder.open({ 'a.txt': 'alpha\n', 'b.txt': 'beta\n' });
  await session.prompt('read a.txt then replace "alpha" with "ALPHA" in a.txt');
  await session.prompt('list files');
  await session.prompt('delete b.txt then move a.txt to x/c.txt then create d.txt with "new"');
  expect(await session.files()).toEqual(['d.txt', 'x', 'x/c.txt']);
  expect((await session.prompt('/undo')).said).toBe(
    [
      'Dropped from the conversation: `delete b.txt then move a.txt to x/c.txt then create d.txt with "new"`',
      'Restored:\n- `d.txt` (removed)\n- `x/c.txt` (removed)\n- `a.txt` (restored)\n- `b.txt` (restored)',
    ].join('\n\n'),
  );
  expect([await session.files(), await session.read('a.txt')]).toEqual([['a.txt', 'b.txt'], 'ALPHA\n']);
  expect((await session.prompt('/undo')).said).toBe(
    'Dropped from the conversation: `list files`\n\nNo file had to be restored.',
  );
  expect((await session.prompt('/undo')).said).toContain('- `a.txt` (restored)');
  expect(await session.read('a.txt')).toBe('alpha\n');
  expect((await session.prompt('/undo')).said).toBe('There is nothing left to undo.');
});

test('several turns are undone at once, the last one first, as many as there are', async () => {
  await using coder = await CoderProcess.start(state);
  const session = await coder.open({ 'a.txt': 'one\n' });
  for (const [from, to] of [
    ['one', 'two'],
    ['two', 'three'],
    ['three', 'four'],
  ])
    await session.prompt(`read a.txt then replace "${from}" with "${to}" in a.txt`);
  const refused = (await session.prompt('/undo all')).said;
  const first = (await session.prompt('/undo 2')).said;
  const middle = await session.read('a.txt');
  const rest = (await session.prompt('/undo 5')).said;
  expect({ refused, first: first.match(/Dropped[^\n]*/g), middle, rest: rest.match(/Dropped|nothing left/g) }).toEqual({
    refused: expect.stringContaining('`all` is not a number of turns') as unknown,
    first: [
      'Dropped from the conversation: `read a.txt then replace "three" with "four" in a.txt`',
      'Dropped from the conversation: `read a.txt then replace "two" with "three" in a.txt`',
    ],
    middle: 'two\n',
    rest: ['Dropped'],
  });
  expect(await session.read('a.txt')).toBe('one\n');
});

test('each file that an undo restores or removes needs permission; without an answer it stays', async () => {
  await using coder = await CoderProcess.start(state);
  const session = await coder.open({ 'a.txt': 'alpha\n' });
  await session.prompt('create new.txt with "one"');
  await session.prompt('read a.txt then replace "alpha" with "ALPHA" in a.txt then move a.txt to b.txt');
  const asked: unknown[] = [];
  session.decide = ({ toolCall: { title, kind, content } }) => {
    asked.push([title, kind, ...(content ?? []).map((each) => each.type === 'diff' && each.newText)]);
    return { outcome: { outcome: 'selected', optionId: title === 'Delete new.txt' ? 'reject_once' : 'allow_once' } };
  };
  const { said } = await session.prompt('/undo 2');
  expect(asked).toEqual([
    ['Delete b.txt', 'delete', ''],
    ['Restore a.txt', 'edit', 'alpha\n'],
    ['Delete new.txt', 'delete', ''],
  ]);
  expect(said).toContain('- `new.txt`: you did not allow the change');
  expect([await session.files(), await session.read('a.txt')]).toEqual([['a.txt', 'new.txt'], 'alpha\n']);
});

test('/undo takes back what a command changed, and reports a file that the user has changed since', async () => {
  await using coder = await CoderProcess.start(state);
  const session = await coder.open({ 'a.txt': 'alpha\n' });
  await session.prompt('read a.txt then replace "alpha" with "ALPHA" in a.txt then run echo x > made.txt');
  await session.write('a.txt', 'mine\n');
  const { said } = await session.prompt('/undo');
  expect(said).toContain('- `a.txt`: it was changed since');
  expect(said).toContain('- `made.txt` (removed)');
  expect([await session.files(), await session.read('a.txt')]).toEqual([['a.txt'], 'mine\n']);
});

test('a turn that was killed is not undone by the next process, which refers to the review', async () => {
  const killed = await CoderProcess.start(state);
  const session = await killed.open({ 'a.txt': 'alpha\n' });
  const turn = session
    .prompt('read a.txt then replace "alpha" with "ALPHA" in a.txt then run sleep 60')
    .catch(() => undefined);
  await until(() =>
    session.updates.some((update) => update.sessionUpdate === 'tool_call' && update.kind === 'execute'),
  );
  killed.child.kill('SIGKILL');
  await turn;
  expect(await session.read('a.txt')).toBe('ALPHA\n');
  await using coder = await CoderProcess.start(state);
  const again = await coder.load(session);
  expect((await again.prompt('/undo')).said).toMatch(/\*\*Cannot be restored:\*\*\n- .*interrupted.*turnwire review/);
  expect(await again.read('a.txt')).toBe('ALPHA\n');
  await killed[Symbol.asyncDispose]();
});

test('the model does not see an undone turn', async () => {
  const model = new ScriptedModel(
    [calls('delete', { path: 'a.txt' }), finishes('tool-calls')],
    [...says('Gone.'), finishes()],
    [...says('Hello.'), finishes()],
  );
  await using session = await scriptedSession({ model }, { 'a.txt': 'alpha' });
  await session.prompt('remove it');
  await session.prompt('/undo');
  expect(await readdir(session.folder)).toEqual(['a.txt']);
  await session.prompt('hello');
  expect(JSON.stringify(model.asked.at(-1))).not.toContain('remove it');
});

test('undo records are removed with a session that is not stored', async () => {
  const temporary = await mkdtemp(join(tmpdir(), 'undo-'));
  vi.stubEnv('TMPDIR', temporary);
  const model = new ScriptedModel([calls('delete', { path: 'a.txt' }), finishes('tool-calls')]);
  const session = await scriptedSession({ model }, { 'a.txt': 'alpha' });
  await session.prompt('remove it');
  await writeFile(join(session.folder, 'b.txt'), '');
  const kept = (await readdir(temporary)).filter((name) => name.startsWith('turnwire-undo-'));
  await session[Symbol.asyncDispose]();
  const left = (await readdir(temporary)).filter((name) => name.startsWith('turnwire-undo-'));
  expect({ kept: kept.length, left }).toEqual({ kept: 1, left: [] });
});

test('an open file is restored through the editor, and unsaved changes of the user stay', async () => {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'editor-')));
  const [one, two] = [join(folder, 'one.txt'), join(folder, 'two.txt')];
  for (const path of [one, two]) await writeFile(path, 'alpha\n');
  const buffers = new Map<string, string>();
  await using fixture = await ToolFixture.open({
    capabilities: { fs: { readTextFile: true, writeTextFile: true } },
    handlers: {
      'fs/read_text_file': async ({ path }) => ({ content: buffers.get(path) ?? (await readFile(path, 'utf8')) }),
      'fs/write_text_file': async ({ path, content }) => {
        buffers.set(path, content);
        await writeFile(path, content);
        return {};
      },
    },
  });
  const workspace = await Workspace.open(folder);
  const turnFiles = new TurnFiles({ sessionId: 's', roots: workspace.roots, records: undefined });
  let recorded: RecordedFiles | undefined;
  turnFiles.begin({ recordedTurn: undefined, prompt: '', keep: (entry) => (recorded = withEntry(recorded, entry)) });
  for (const path of [one, two]) {
    await turnFiles.recordPath(path);
    await writeFile(path, 'ALPHA\n');
  }
  await turnFiles.end();
  buffers.set(one, 'ALPHA\n').set(two, 'ALPHA and mine\n');
  let report: unknown;
  await fixture.use(
    defineTool({
      name: 'undo',
      kind: 'other',
      description: '',
      effect: 'changes',
      input: () => z.object({}),
      prepare: async (_input, { files, turn: { client } }) => ({
        title: 'undo',
        facts: {},
        run: async () => {
          report = await turnFiles.takeBack(recorded, { through: { files, client, workspace } });
          return { text: '' };
        },
      }),
    }),
    {},
  );
  await turnFiles.close();
  expect(report).toMatchObject({
    undone: [{ kind: 'restored', path: one }],
    conflicts: [{ path: two, why: 'it has unsaved changes in the editor' }],
  });
  expect([buffers.get(one), await readFile(one, 'utf8')]).toEqual(['alpha\n', 'alpha\n']);
  expect([buffers.get(two), await readFile(two, 'utf8')]).toEqual(['ALPHA and mine\n', 'ALPHA\n']);
  await rm(folder, { recursive: true });
});
