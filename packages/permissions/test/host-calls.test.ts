import { writeFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { ProtocolError, type SessionUpdate } from '@turnwire/protocol';
import { describe, expect, test } from 'vitest';
import {
  type Action,
  type Asker,
  createPermissions,
  hostActionOf,
  hostPreviewOf,
  type Permissions,
} from '../src/index.ts';
import { localFiles } from '@turnwire/client/node';
import { textHash } from '../src/text-hash.ts';
import { action, given, project, request, toRun } from './project.ts';

function notWithdrawn(): AbortSignal {
  return new AbortController().signal;
}

/** The outcome of a host call: `allowed`, or the code and message of the refusal. */
async function called(permissions: Permissions, call: Action, signal = notWithdrawn()): Promise<unknown> {
  try {
    await permissions.allowHostCall(call, signal);
    return 'allowed';
  } catch (error) {
    return error instanceof ProtocolError ? [error.code, error.message] : error;
  }
}

/** A user who answers every question the same way, and the questions received. */
function willing(kind: 'allow_once' | 'reject_once' = 'allow_once'): {
  readonly ask: Asker;
  readonly asked: unknown[];
} {
  const asked: unknown[] = [];
  const ask: Asker = ({ request: { toolCall, options: offered } }) => {
    asked.push([toolCall.title, toolCall.kind, toolCall.locations, offered.map((each) => each.kind)]);
    return Promise.resolve({ option: offered.find((each) => each.kind === kind)! });
  };
  return { ask, asked };
}

const needsAnswer = [-32602, 'Permission was refused: no user can be asked'];

test("a call that was allowed at the agent's request continues once, without a second question", async () => {
  const cwd = project();
  const { ask, asked } = willing();
  const permissions = createPermissions({ project: cwd, ask });
  const file = join(cwd, 'src/a.ts');
  const diff = { type: 'diff', path: file, newText: 'x' } as const;
  await permissions.policy(request({ toolCallId: 'edit', kind: 'edit', content: [diff] }), { signal: notWithdrawn() });
  await permissions.policy(toRun('npm test'), { signal: notWithdrawn() });
  const write = action(cwd, { kind: 'edit', paths: [file], writes: textHash('x') });
  const run = action(cwd, { command: ' npm test', cwd });
  const reasons: string[] = [];
  permissions.onDecision(({ reason }) => reasons.push(reason));
  const results = [await called(permissions, write), await called(permissions, run)];
  expect({ results, asked: asked.length, reasons }).toEqual({
    results: ['allowed', 'allowed'],
    asked: 2,
    reasons: [
      'allowed earlier in this turn, when the agent asked',
      'allowed earlier in this turn, when the agent asked',
    ],
  });
  await called(permissions, write);
  expect(asked[2]).toEqual([`edit ${file}`, 'edit', [{ path: file }], ['allow_once', 'reject_once']]);
});

const sentence = (text: string): object => ({ type: 'content', content: { type: 'text', text } });

test('a question about a write shows the change, and a write without a question reads no file', async () => {
  const cwd = project();
  const asked: unknown[] = [];
  const permissions = createPermissions({
    project: cwd,
    rules: [given('allow Edit(./free.txt)')],
    ask: ({ request: { toolCall, options } }) => {
      asked.push(toolCall.content);
      return Promise.resolve({ option: options[0]! });
    },
  });
  const reads: string[] = [];
  const { readTextFile } = localFiles();
  const files = {
    readTextFile: (...[wanted, context]: Parameters<typeof readTextFile>) => {
      reads.push(basename(wanted.path));
      return readTextFile(wanted, context);
    },
  };
  const write = async (name: string, content: string): Promise<void> => {
    const path = join(cwd, name);
    const params = { sessionId: 's', path, content };
    const call = {
      method: 'fs/write_text_file',
      params,
      sessionId: 's',
      roots: [cwd],
      signal: notWithdrawn(),
    } as const;
    await permissions.allowHostCall(hostActionOf(call), call.signal, () => hostPreviewOf(call, files));
  };
  await writeFile(join(cwd, 'old.txt'), 'old\n');
  await writeFile(join(cwd, 'binary'), Buffer.from([0xff, 0xfe, 0x00]));
  for (const [name, content] of [
    ['old.txt', 'new\n'],
    ['new.txt', 'new\n'],
    ['binary', 'text'],
    ['huge.txt', 'x'.repeat(1024 * 1024 + 1)],
    ['free.txt', 'free'],
  ] as const)
    await write(name, content);
  expect({ asked, reads }).toEqual({
    asked: [
      [{ type: 'diff', path: join(cwd, 'old.txt'), oldText: 'old\n', newText: 'new\n' }],
      [{ type: 'diff', path: join(cwd, 'new.txt'), oldText: null, newText: 'new\n' }],
      [
        sentence('The current content of the file cannot be read as text. All of it would be replaced.'),
        { type: 'diff', path: join(cwd, 'binary'), oldText: null, newText: 'text' },
      ],
      [sentence('The text it writes is too long to be shown: 1048577 characters, replacing 0')],
    ],
    reads: ['old.txt', 'new.txt', 'binary', 'huge.txt'],
  });
});

test('an allowed edit is worth one write, however often the agent reads the file before', async () => {
  const cwd = project();
  const { ask, asked } = willing();
  const permissions = createPermissions({ project: cwd, ask });
  const file = join(cwd, '../outside/b.txt');
  // The usual order: announced, asked about with a diff and a path, read twice, written.
  permissions.observe('s', {
    ...{ sessionUpdate: 'tool_call_update', toolCallId: 'call', status: 'in_progress', kind: 'edit', title: 'write' },
    ...{ rawInput: { content: 'x', filePath: file }, locations: [{ path: file }] },
  });
  const diff = { type: 'diff', path: file, oldText: '', newText: 'x' } as const;
  await permissions.policy(
    request({ kind: 'edit', locations: [{ path: file }], rawInput: { filepath: file, diff: '…' }, content: [diff] }),
    { signal: notWithdrawn() },
  );
  const read = action(cwd, { kind: 'read', paths: [file] });
  const write = action(cwd, { kind: 'edit', paths: [file], writes: textHash('x') });
  const results = [];
  for (const call of [read, read, write]) results.push(await called(permissions, call));
  expect({ results, asked: asked.length }).toEqual({ results: ['allowed', 'allowed', 'allowed'], asked: 1 });
  await called(permissions, write);
  expect(asked.length).toBe(2);
});

test('an approval does not apply to another path, another command, another session or the next turn', async () => {
  const cwd = project();
  const permissions = createPermissions({ project: cwd, rules: [given('allow Read'), given('allow Bash(npm test)')] });
  const file = join(cwd, 'src/a.ts');
  await permissions.policy(request({ kind: 'read', locations: [{ path: file }] }), { signal: notWithdrawn() });
  await permissions.policy(toRun('npm test', 'another'), { signal: notWithdrawn() });
  const [rule] = permissions.rules.slice(1);
  await permissions.removeRule(rule!);
  const attempts = [
    action(cwd, { kind: 'edit', paths: [file] }),
    action(cwd, { kind: 'edit', paths: [file], toolCallId: 'call' }),
    action(cwd, { command: 'npm test x', cwd }),
    action(cwd, { command: 'npm test', cwd: '/elsewhere' }),
    action(cwd, { command: 'npm test', cwd, unclear: 'it sets the variable PATH' }),
    action(cwd, { command: 'npm test', cwd, sessionId: 'another' }),
  ];
  const results = [];
  for (const attempt of attempts) results.push(await called(permissions, attempt));
  permissions.endTurn('s');
  results.push(await called(permissions, action(cwd, { command: 'npm test', cwd })));
  expect(results).toEqual([...attempts, 'after the turn'].map(() => needsAnswer));
});

test('a rejection says who rejected the call', async () => {
  const cwd = project();
  const write = action(cwd, { kind: 'edit', paths: [join(cwd, 'src/a.ts')] });
  const signal = AbortSignal.abort();
  expect([
    await called(createPermissions({ project: cwd, rules: [given('deny Edit(src/**)')] }), write),
    await called(createPermissions({ project: cwd, mode: 'plan' }), write),
    await called(createPermissions({ project: cwd, ask: willing('reject_once').ask }), write),
    await called(createPermissions({ project: cwd }), write),
    await called(createPermissions({ project: cwd, ask: willing().ask }), write, signal),
  ]).toEqual([
    [-32602, 'Permission was refused: denied by the rule Edit(src/**) from the command line'],
    [-32602, 'Permission was refused: denied: nothing runs while approval is plan'],
    [-32602, 'Permission was refused by the user'],
    needsAnswer,
    [-32800, 'Permission was not given: the question was withdrawn before it was answered'],
  ]);
});

test('a rule that denies wins over an earlier approval', async () => {
  const cwd = project();
  const permissions = createPermissions({ project: cwd, ask: willing().ask });
  await permissions.policy(toRun('npm test'), { signal: notWithdrawn() });
  await permissions.addRule('deny', 'Bash(npm *)', 'session');
  expect(await called(permissions, action(cwd, { command: 'npm test', cwd }))).toEqual([
    -32602,
    'Permission was refused: denied by the rule Bash(npm *) of this session',
  ]);
});

test('a call of a host service becomes an action, with quoted words and a warning about risky variables', () => {
  const about = { sessionId: 's', roots: ['/project'], signal: notWithdrawn() };
  const run = (params: object): Action =>
    hostActionOf({ ...about, method: 'terminal/create', params: { sessionId: 's', command: 'git', ...params } });
  const told = { sessionId: 's', roots: ['/project'], source: 'host', kind: 'execute', paths: [], cwd: '/project' };
  expect([
    hostActionOf({ ...about, method: 'fs/read_text_file', params: { sessionId: 's', path: '/a' } }),
    hostActionOf({ ...about, method: 'fs/write_text_file', params: { sessionId: 's', path: '/a', content: '' } }),
    run({ args: ['log', '#', '*', "it's"], cwd: '/x' }),
    run({ command: 'git log | cat', env: [{ name: 'CI', value: '1' }] }),
    run({ env: [{ name: 'PATH', value: '/tmp' }] }),
    run({ env: [{ name: 'PAGER', value: 'cat' }] }),
    run({ env: [{ name: 'PAGER', value: './cat' }] }),
    run({ env: [{ name: 'OPENAI_API_KEY', value: '' }] }),
    run({ env: [{ name: 'OPENAI_API_KEY', value: 'other' }] }),
  ]).toEqual([
    { sessionId: 's', roots: ['/project'], source: 'host', kind: 'read', paths: ['/a'] },
    { sessionId: 's', roots: ['/project'], source: 'host', kind: 'edit', paths: ['/a'], writes: textHash('') },
    { ...told, cwd: '/x', command: `git log '#' '*' 'it'\\''s'` },
    { ...told, command: 'git log | cat' },
    { ...told, command: 'git', unclear: 'it sets the variable PATH' },
    { ...told, command: 'git' },
    { ...told, command: 'git', unclear: 'it sets the variable PAGER' },
    { ...told, command: 'git' },
    { ...told, command: 'git', unclear: 'it sets the variable OPENAI_API_KEY' },
  ]);
});

test("a line's action names the shell that reads it: the one on the line, or the one of the terminals", () => {
  const cwd = project();
  const run = (params: { command: string; args?: string[] }): unknown => {
    const call = { sessionId: 's', roots: [cwd], signal: notWithdrawn(), method: 'terminal/create' } as const;
    const terminals = { shell: { path: '/bin/dash', reads: 'posix' } } as const;
    const { command, shell, unclear } = hostActionOf({ ...call, params: { sessionId: 's', ...params } }, terminals);
    return [command, shell, ...(unclear === undefined ? [] : [unclear])];
  };
  writeFileSync(join(cwd, 'my program'), '');
  expect([
    run({ command: 'a | b' }),
    run({ command: '/bin/bash', args: ['-c', 'a | b'] }),
    run({ command: '/bin/sh', args: ['-c', 'a | b'] }),
    run({ command: '/bin/bash', args: ['-c', 'exec </dev/null; a | b'] }),
    run({ command: '/bin/bash', args: ['-c', 'exec <secret; a | b'] }),
    run({ command: 'bash', args: ['-c', 'a'] }),
    run({ command: '/bin/bash', args: ['-lc', 'a'] }),
    run({ command: '/bin/bash', args: ['-c', 'a', 'b'] }),
    run({ command: 'a', args: ['b c'] }),
    run({ command: './my program' }),
  ]).toEqual([
    ['a | b', 'posix'],
    ['a | b', 'bash'],
    ['a | b', 'posix'],
    ['a | b', 'bash'],
    ['exec <secret; a | b', 'bash'],
    ['bash -c a', undefined],
    ['/bin/bash -lc a', undefined],
    ['/bin/bash -c a b', undefined],
    ["a 'b c'", undefined],
    ['./my program', 'posix', 'the command line is also the name of a file'],
  ]);
});

test("only a shell of this machine runs the line behind -c; a program that merely has a shell's name is an ordinary program", () => {
  const about = { sessionId: 's', roots: ['/project'], signal: notWithdrawn() };
  const line = (command: string): string | undefined =>
    hostActionOf({
      ...about,
      method: 'terminal/create',
      params: { sessionId: 's', command, args: ['-c', 'git status'] },
    }).command;
  expect([line('/bin/sh'), line('/usr/bin/bash'), line('/project/bash'), line('bash')]).toEqual([
    'git status',
    'git status',
    "/project/bash -c 'git status'",
    "bash -c 'git status'",
  ]);
});

test('a question about a command shows the variables that make it impossible to judge', async () => {
  const cwd = project();
  const asked: unknown[] = [];
  const permissions = createPermissions({
    project: cwd,
    ask: ({ view: { command, notes, agentWords } }) => {
      asked.push({ command, notes, agentWords });
      return Promise.resolve(undefined);
    },
  });
  const env = [
    { name: 'CI', value: '1' },
    { name: 'PATH', value: '/evil' },
  ];
  const params = { sessionId: 's', command: 'git', args: ['status'], env };
  const call = { method: 'terminal/create', params, sessionId: 's', roots: [cwd], signal: notWithdrawn() } as const;
  const refusal = permissions.allowHostCall(hostActionOf(call), call.signal, () => hostPreviewOf(call, undefined));
  await expect(refusal).rejects.toThrow('refused by the user');
  expect(asked).toEqual([{ command: 'git status', notes: ['It sets PATH=/evil'], agentWords: { texts: [] } }]);
});

/** Updates of one call. */
function call(cwd: string, facts: object, ...statuses: readonly string[]): readonly SessionUpdate[] {
  return statuses.map((status, at) => ({
    sessionUpdate: at === 0 ? 'tool_call' : 'tool_call_update',
    toolCallId: 'call',
    title: 'x',
    ...(at === 0 && { kind: 'execute', rawInput: { command: 'npm test', cwd } }),
    status,
    ...facts,
  })) as readonly SessionUpdate[];
}

const told = (what: string, reason: string): object => ({
  toolCallId: 'call',
  explanation: `The agent ran ${what} without asking for permission. It would have been ${reason}. Configure in the agent itself, or with its mode, what it may do without asking.`,
});

test('a tool that ran without a question is reported once, as soon as it certainly ran', () => {
  const cwd = project();
  const observed = (
    updates: readonly SessionUpdate[],
    rules: readonly string[] = [],
    mode?: 'bypassPermissions',
  ): unknown[] => {
    const permissions = createPermissions({ project: cwd, mode, rules: rules.map(given) });
    return updates.map((update) => permissions.observe('s', update));
  };
  const file = join(cwd, 'src/a.ts');
  const ran = told('the command npm test', 'asked: no rule covers the command npm test, and approval is default');
  const edit = { kind: 'edit', rawInput: undefined, locations: [{ path: file }] };
  expect([
    observed(call(cwd, {}, 'pending', 'in_progress', 'completed', 'completed')),
    observed(call(cwd, { rawOutput: 'x' }, 'in_progress', 'completed')),
    observed(call(cwd, edit, 'pending', 'completed')),
    observed(call(cwd, {}, 'pending', 'failed')),
    observed(call(cwd, { kind: 'read' }, 'pending', 'completed')),
    observed(call(cwd, {}, 'completed'), ['allow Bash(npm test)']),
    observed(call(cwd, {}, 'completed'), [], 'bypassPermissions'),
    observed([{ sessionUpdate: 'plan', entries: [] }]),
  ]).toEqual([
    [undefined, undefined, ran, undefined],
    [ran, undefined],
    [undefined, told(`a tool of kind edit (${file})`, 'asked: no rule applies, and approval is default')],
    [undefined, undefined],
    [undefined, undefined],
    [undefined],
    [undefined],
    [undefined],
  ]);
});

test('a call that the user approved, or that a host service ran after a decision, is not reported', async () => {
  const cwd = project();
  const permissions = createPermissions({ project: cwd, ask: willing().ask });
  await permissions.policy(toRun('npm test'), { signal: notWithdrawn() });
  const asked = call(cwd, {}, 'in_progress', 'completed').map((update) => permissions.observe('s', update));
  const file = join(cwd, 'src/a.ts');
  const write = { toolCallId: 'write', kind: 'edit', rawInput: { file_path: file } };
  const started = permissions.observe('s', call(cwd, write, 'in_progress')[0]!);
  await permissions.allowHostCall(action(cwd, { kind: 'edit', paths: [file] }), notWithdrawn());
  const done = permissions.observe('s', call(cwd, write, 'completed')[0]!);
  const elsewhere = permissions.observe('another', call(cwd, write, 'completed')[0]!);
  expect([asked, started, done, elsewhere?.toolCallId]).toEqual([
    [undefined, undefined],
    undefined,
    undefined,
    'write',
  ]);
});

describe('an agent that gives its commands as titles', () => {
  const titled = { toolCallId: 'shell__1', kind: 'execute', title: 'npm test' } as const;
  const rules = [given('allow Bash(npm test)')];

  test('titles are judged as commands for an agent that is known to send them, and for no other', async () => {
    const cwd = project();
    const judgedAs = async (call: object, commandInTitleOf?: string): Promise<string> => {
      const permissions = createPermissions({ project: cwd, rules, commandInTitleOf });
      return (await permissions.policy(request(call), { signal: notWithdrawn() }))?.kind ?? 'cancelled';
    };
    expect([
      await judgedAs(titled, 'shell__'),
      await judgedAs(titled),
      await judgedAs({ ...titled, toolCallId: 'other__1' }, 'shell__'),
      await judgedAs({ ...titled, kind: 'other' }, 'shell__'),
      await judgedAs({ ...titled, title: 'npm test; rm x' }, 'shell__'),
      await judgedAs({ ...titled, rawInput: { command: 'rm x' } }, 'shell__'),
    ]).toEqual(['allow_once', 'reject_once', 'reject_once', 'reject_once', 'reject_once', 'reject_once']);
  });

  test('a command in a title that a rule allows is not reported as an unasked run', () => {
    const ran = (title: string): string | undefined =>
      createPermissions({ project: project(), rules, commandInTitleOf: 'shell__' }).observe('s', {
        ...{ ...titled, title, sessionUpdate: 'tool_call_update', status: 'completed' },
      })?.explanation;
    expect([ran('npm test'), ran('rm x')?.slice(0, 31)]).toEqual([undefined, 'The agent ran the command rm x ']);
  });
});

test('for an agent that never asks, unasked runs are not reported at every call', () => {
  const permissions = createPermissions({ project: project(), asksNobody: true });
  const updates = call('/', {}, 'pending', 'completed');
  expect(updates.map((update) => permissions.observe('s', update))).toEqual([undefined, undefined]);
});
