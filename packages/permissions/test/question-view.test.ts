import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import type { PermissionOption, ToolCallUpdate } from '@turnwire/protocol';
import { describe, expect, test } from 'vitest';
import { answerOf, createPermissions, type Question, type QuestionView } from '../src/index.ts';
import { given, options, project, request } from './project.ts';

/** The question about a request. */
async function questionFor(
  call: Partial<ToolCallUpdate>,
  { cwd = project(), offered = options }: { cwd?: string; offered?: readonly PermissionOption[] } = {},
): Promise<Question> {
  const questions: Question[] = [];
  const permissions = createPermissions({
    project: cwd,
    rules: [given('ask Other')],
    ask: (question) => {
      questions.push(question);
      return Promise.resolve(undefined);
    },
  });
  await permissions.policy(request(call, offered), { signal: new AbortController().signal, roots: [cwd] });
  return questions[0]!;
}

/** The view of a question, without empty fields and without answers. */
async function shown(call: Partial<ToolCallUpdate>, cwd?: string): Promise<unknown> {
  const { view } = await questionFor(call, { ...(cwd !== undefined && { cwd }) });
  const { choices: _, toolCallId: __, kind: ___, reason: ____, proposedRule: _____, ...facts } = view;
  return Object.fromEntries(
    Object.entries(facts).filter(
      ([, value]) => value !== undefined && !(Array.isArray(value) && value.length === 0) && !isSilent(value),
    ),
  );
}

function isSilent(value: unknown): boolean {
  return JSON.stringify(value) === '{"texts":[]}';
}

const text = (value: string) => ({ type: 'content', content: { type: 'text', text: value } }) as const;

describe('a question shows what is judged', () => {
  test("the command is shown with all its arguments, under any key; the agent's title is shown separately", async () => {
    const cwd = project();
    const words = { title: 'List files', content: [text('ls -la')] };
    const agentWords = { title: 'List files', texts: ['ls -la'] };
    const command = (line: string): object => ({
      heading: 'Run a command',
      summary: `Run a command: ${line}`,
      command: line,
      agentWords,
    });
    expect([
      await shown({ kind: 'execute', rawInput: { cmd: 'touch HID1' }, ...words }, cwd),
      await shown({ kind: 'execute', rawInput: { command: 'touch', args: ['HID2'] }, ...words }, cwd),
      await shown({ kind: 'execute', rawInput: { argv: ['touch', 'a b'] }, ...words }, cwd),
      await shown({ kind: 'execute', title: '`ls`', rawInput: { command: 'ls', cwd: '/etc' } }, cwd),
    ]).toMatchObject([
      command('touch HID1'),
      { heading: 'Run a command', command: 'touch HID2', agentWords },
      command("touch 'a b'"),
      { command: 'ls', folder: '/etc' },
    ]);
  });

  test('every path is shown, from any key of the agent, and risky ones first', async () => {
    const cwd = project();
    symlinkSync(join(cwd, '.git/hooks'), join(cwd, 'src/harmless'));
    const paths = ['README.md', 'src/harmless/pre-commit', '.turnwire/permissions.json', 'src/a.ts', 'out/b.txt'];
    const diff = { type: 'diff', path: join(cwd, 'README.md'), oldText: 'a', newText: 'b' } as const;
    const locations = paths.map((path) => ({ path: join(cwd, path) }));
    expect(await shown({ kind: 'edit', title: 'Fix a typo', content: [diff], locations }, cwd)).toEqual({
      heading: 'Change 5 files',
      summary: `Change 5 files: ${join(cwd, 'src/harmless/pre-commit')} and 4 more`,
      paths: [
        {
          path: join(cwd, 'src/harmless/pre-commit'),
          leadsTo: join(cwd, '.git/hooks/pre-commit'),
          caution: 'determines which programs run',
        },
        { path: join(cwd, '.turnwire/permissions.json'), caution: 'determines which programs run' },
        {
          path: join(cwd, 'out/b.txt'),
          leadsTo: join(cwd, '../outside/b.txt'),
          caution: 'outside the folders of the session',
        },
        { path: join(cwd, 'README.md') },
        { path: join(cwd, 'src/a.ts') },
      ],
      diffs: [{ path: join(cwd, 'README.md'), oldText: 'a', newText: 'b' }],
      agentWords: { title: 'Fix a typo', texts: [] },
    });
  });

  test('the address, the tool, the commands and the input of other tools are shown', async () => {
    const cwd = project();
    expect([
      await shown({ kind: 'fetch', rawInput: { url: 'https://example.com/x' } }, cwd),
      await shown({ kind: 'fetch', rawInput: { url: 'https://example.com/x', body: 'secret' } }, cwd),
      await shown({ kind: 'other', name: 'mcp__db__drop', title: 'Look', rawInput: { table: 'users' } }, cwd),
      await shown({ kind: 'other', name: 'ssh__run', rawInput: { command: 'rm x' } }, cwd),
      await shown({ kind: 'read', rawInput: { file_path: 'src/a.ts', offset: 1 } }, cwd),
      await shown({ kind: 'switch_mode', title: 'Ready?', rawInput: { plan: 'do it' }, content: [text('do it')] }, cwd),
    ]).toEqual([
      {
        heading: 'Fetch from an address',
        summary: 'Fetch from an address: https://example.com/x',
        url: 'https://example.com/x',
      },
      expect.objectContaining({
        input: JSON.stringify({ url: 'https://example.com/x', body: 'secret' }, undefined, 1),
      }),
      {
        heading: 'Use a tool',
        summary: 'Use a tool: mcp__db__drop',
        tool: 'mcp__db__drop',
        input: '{\n "table": "users"\n}',
        agentWords: { title: 'Look', texts: [] },
      },
      {
        heading: 'Use a tool',
        summary: 'Use a tool: rm x',
        namedCommands: ['rm x'],
        tool: 'ssh__run',
        input: '{\n "command": "rm x"\n}',
      },
      {
        heading: 'Read a file',
        summary: `Read a file: ${join(cwd, 'src/a.ts')}`,
        paths: [{ path: join(cwd, 'src/a.ts') }],
      },
      {
        heading: 'Change the mode of the session',
        summary: 'Change the mode of the session; the agent says "Ready?"',
        agentWords: { title: 'Ready?', texts: ['do it'] },
      },
    ]);
  });

  test('an unreadable call is shown as such, with its whole input', async () => {
    const rawInput = { command: 'npm test', stdin: 'rm -rf x' };
    const { view } = await questionFor({ kind: 'execute', rawInput });
    expect([
      view.command,
      view.input,
      view.reason.includes('"stdin"') || view.notes.join().includes('"stdin"'),
    ]).toEqual(['npm test', JSON.stringify(rawInput, undefined, 1), true]);
  });
});

/** The answers, in our words and in the agent's. */
async function choices(offered: readonly PermissionOption[], call: Partial<ToolCallUpdate> = {}): Promise<unknown> {
  const { view } = await questionFor({ kind: 'other', ...call }, { offered });
  return view.choices.map(({ word, agentName, letter, isKeptByAgent, remember, option }) =>
    [word, agentName, letter, isKeptByAgent && 'kept', remember, option].filter((each) => each !== undefined),
  );
}

const option = (kind: PermissionOption['kind'], name: string): PermissionOption => ({ optionId: name, name, kind });

describe('the choices of a question', () => {
  test('choices start with our word, whatever the agent calls them and in any order', async () => {
    const no = option('allow_once', 'No, do not run it');
    expect(await choices([option('reject_always', 'Yes'), option('reject_once', 'Reject'), no])).toEqual([
      ['Allow once', 'No, do not run it', 'y', 2],
      ['Reject once', 'n', 1],
      ['Reject always', 'Yes', 'kept', 0],
    ]);
  });

  test('choices have no letter if several are of one kind, and unknown kinds approve nothing', async () => {
    const odd = { ...option('allow_once', 'Allow it'), kind: 'allow_maybe' as 'allow_once' };
    expect(await choices([option('allow_once', 'Allow'), option('allow_once', 'Allow and edit'), odd])).toEqual([
      ['Allow once', 0],
      ['Allow once', 'Allow and edit', 1],
      ['Another answer', 'Allow it', 2],
    ]);
  });

  test('choices show at most 60 characters of the agent each, so that none pushes the others off the screen', async () => {
    expect(await choices([option('allow_once', '🧑‍🚀'.repeat(100)), option('reject_once', 'n'.repeat(61))])).toEqual([
      ['Allow once', `${'🧑‍🚀'.repeat(19)}🧑‍…`, 'y', 0],
      ['Reject once', `${'n'.repeat(59)}…`, 'n', 1],
    ]);
  });

  test('choices offer a rule once: the agent need not remember what we remember', async () => {
    const ask = { kind: 'execute', rawInput: { command: 'npm test' } } as const;
    const offered = [
      option('allow_once', 'Allow'),
      option('allow_always', 'Always allow Bash(npm test) in this session'),
      option('allow_always', 'All commands'),
    ];
    expect(await choices(offered, ask)).toEqual([
      ['Allow once', 'y', 0],
      ['Allow always in this session', 'session', 0],
      ['Allow always in this project', 'project', 0],
      ['Allow always', 'All commands', 'kept', 2],
    ]);
  });

  test('a question is answered with the choice object itself: a copy is refused', async () => {
    const question = await questionFor({ kind: 'execute', rawInput: { command: 'npm test' } });
    const [once, session] = question.view.choices as [QuestionView['choices'][0], QuestionView['choices'][0]];
    expect([answerOf(question, once), answerOf(question, session), answerOf(question, { ...once })]).toEqual([
      { option: options[3] },
      { option: options[3], remember: 'session' },
      undefined,
    ]);
  });
});
