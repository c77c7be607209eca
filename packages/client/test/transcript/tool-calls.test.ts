import type { ToolCallUpdate } from '@turnwire/protocol';
import { expect, test } from 'vitest';
import { after, begun, callIn, changed, ended, prompt, said, shown, text, type Timeless, viewOf } from './events.ts';

const content = (words: string): ToolCallUpdate['content'] => [{ type: 'content', content: text(words) }];
const piece = (data: string, key = 'terminal_output'): Partial<ToolCallUpdate> => ({
  _meta: { [key]: { terminal_id: 'term', data } },
});
const asked = (toolCall: ToolCallUpdate): Timeless => ({
  type: 'permission-asked',
  request: { sessionId: 's', toolCall, options: [] },
});
const stateAfter = (...events: readonly Timeless[]): string => callIn(viewOf(prompt('go'), ...events), 'run').state;

test('all updates of a call make one entry', () => {
  const view = viewOf(
    prompt('go'),
    begun('run', {
      title: 'Run ls',
      kind: 'execute',
      name: 'Bash',
      rawInput: { command: 'ls' },
      locations: [{ path: '/a' }],
    }),
    changed('run', { status: 'in_progress', title: null, name: null, kind: null, locations: null, content: null }),
    changed('run', {
      status: 'completed',
      content: content('a.txt'),
      rawOutput: { exitCode: 0 },
      _meta: { vendor: 1 },
    }),
  );
  expect(callIn(view, 'run')).toEqual({
    type: 'tool-call',
    key: 'entry-1',
    at: 0,
    toolCallId: 'run',
    title: 'Run ls',
    name: 'Bash',
    kind: 'execute',
    state: 'completed',
    content: content('a.txt'),
    locations: [{ path: '/a' }],
    rawInput: { command: 'ls' },
    rawOutput: { exitCode: 0 },
    meta: { vendor: 1 },
    command: 'ls',
    output: 'a.txt',
    exitCode: 0,
    endedAt: 0,
    isReplay: false,
  });
});

test('lists replace the previous lists', () => {
  const view = viewOf(
    prompt('go'),
    begun('run', { content: content('a') }),
    changed('run', { content: [], locations: [] }),
  );
  expect(callIn(view, 'run').content).toEqual([]);
});

test('a call may start with an update', () => {
  const view = viewOf(
    prompt('go'),
    changed('run', { status: 'in_progress' }),
    begun('run', { title: 'Run ls', kind: 'execute' }),
  );
  expect(shown(view)).toEqual(['user: go', 'call Run ls: in_progress']);
});

test('a permission request may start a call, and updates a known one', () => {
  const view = viewOf(
    prompt('go'),
    begun('edit'),
    asked({ toolCallId: 'edit', title: 'Edit a.txt' }),
    asked({ toolCallId: 'run', title: 'Run ls' }),
  );
  expect(shown(view)).toEqual(['user: go', 'call Edit a.txt: pending', 'call Run ls: pending']);
  expect(callIn(view, 'run').permission).toEqual({ state: 'asked' });
});

test('a call shows the answer to its permission request, or that it ran unasked', () => {
  const outcome = { toolCallId: 'run', optionId: 'yes', allowed: true, reason: 'allowed by you' };
  const view = viewOf(
    prompt('go'),
    asked({ toolCallId: 'run' }),
    { type: 'permission-answered', outcome },
    { type: 'permission-answered', outcome: { ...outcome, toolCallId: 'nobody' } },
    { type: 'ran-unasked', toolCallId: 'run', explanation: 'It ran without asking.' },
  );
  expect(callIn(view, 'run')).toMatchObject({
    permission: { state: 'answered', ...outcome },
    ranUnasked: 'It ran without asking.',
  });
  expect(view.entries.length).toBe(2);
});

test('an unasked run of an unknown call is a notice', () => {
  const view = viewOf(prompt('go'), {
    type: 'ran-unasked',
    toolCallId: 'run',
    explanation: 'It wrote a.txt without asking.',
  });
  expect(shown(view)).toEqual(['user: go', 'notice from the client: It wrote a.txt without asking.']);
});

test('a final status stays despite a later open one, and running stays despite pending', () => {
  expect([
    stateAfter(begun('run', { status: 'in_progress' }), begun('run', { status: 'pending' })),
    stateAfter(begun('run'), changed('run', { status: 'failed' }), begun('run', { status: 'pending' })),
    stateAfter(begun('run'), changed('run', { status: 'completed' }), changed('run', { status: 'in_progress' })),
    stateAfter(begun('run'), changed('run', { status: 'failed' }), changed('run', { status: 'completed' })),
  ]).toEqual(['in_progress', 'failed', 'completed', 'completed']);
});

test('calls still open when a turn ends are cancelled or abandoned', () => {
  const calls = [begun('run'), begun('done', { status: 'completed' }), changed('edit', { status: 'in_progress' })];
  expect([
    shown(viewOf(prompt('go'), ...calls, ended('cancelled'))).slice(1),
    shown(viewOf(prompt('go'), ...calls, ended('end_turn'))).slice(1),
    shown(viewOf(prompt('go'), ...calls, { type: 'turn-failed', turnId: 'turn', message: 'gone' })).slice(1),
  ]).toEqual([
    ['call run: cancelled', 'call done: completed', 'call edit: cancelled', 'end: cancelled'],
    ['call run: abandoned', 'call done: completed', 'call edit: abandoned', 'end: end_turn'],
    ['call run: abandoned', 'call done: completed', 'call edit: abandoned', 'end: gone'],
  ]);
});

test('a cancel shows at once, and a later failure from the agent does not change it', () => {
  const view = viewOf(prompt('go'), begun('run'), { type: 'cancel-requested', turnId: 'turn' });
  const late = after(
    view,
    changed('run', { status: 'failed', content: content('killed') }),
    begun('more'),
    ended('cancelled'),
  );
  expect([shown(view), shown(late), callIn(late, 'run').output]).toEqual([
    ['user: go', 'call run: cancelled'],
    ['user: go', 'call run: cancelled', 'call more: cancelled', 'end: cancelled'],
    'killed',
  ]);
});

test('updates after the turn are added to a call but do not reopen it', () => {
  const view = viewOf(prompt('go'), begun('run'), ended(), changed('run', { status: 'in_progress', title: 'Run ls' }));
  expect(shown(view)).toEqual(['user: go', 'call Run ls: abandoned', 'end: end_turn']);
  expect(shown(after(view, changed('run', { status: 'completed' })))).toContain('call Run ls: completed');
});

test('a question that is open when the turn ends counts as refused', () => {
  const view = viewOf(prompt('go'), asked({ toolCallId: 'run' }), ended('cancelled'));
  expect(callIn(view, 'run').permission).toEqual({
    state: 'answered',
    toolCallId: 'run',
    allowed: false,
    reason: 'the turn ended before it was answered',
  });
});

test('a question after the cancel counts as refused', () => {
  const cancelled: Timeless = { type: 'cancel-requested', turnId: 'turn' };
  const view = viewOf(prompt('go'), begun('run'), cancelled, asked({ toolCallId: 'run' }), ended('cancelled'));
  expect(callIn(view, 'run').permission).toMatchObject({ state: 'answered', allowed: false });
});

test('an id that is announced again in a later turn is another call', () => {
  const first = [prompt('go', 't1'), begun('run', { status: 'completed' }), ended('end_turn', 't1')];
  const view = viewOf(...first, prompt('again', 't2'), begun('run'), changed('run', { status: 'failed' }));
  expect(shown(view)).toEqual(['user: go', 'call run: completed', 'end: end_turn', 'user: again', 'call run: failed']);
  expect(view.toolCallIndex('run')).toBe(4);
});

test('after lost context earlier ids are forgotten', () => {
  const view = viewOf(
    prompt('go'),
    begun('run', { status: 'completed' }),
    said('a', 'm'),
    ended(),
    { type: 'boundary', reason: 'context-lost', message: 'A new session began.' },
    changed('run', { status: 'in_progress' }),
    said('b', 'm'),
  );
  expect(shown(view).slice(-3)).toEqual(['boundary: context-lost', 'call run: in_progress', 'agent: b']);
  expect(view.knownFrom).toBe(4);
});

test('the command is the input of the tool, under any key', () => {
  const command = (rawInput: unknown): string | undefined => callIn(viewOf(begun('run', { rawInput })), 'run').command;
  expect(
    [
      { command: 'ls -l' },
      { cmd: 'ls' },
      { command: ['git', 'commit', '-m', "it's done"] },
      { command: ['/bin/bash', '-lc', 'ls | wc'] },
      { commands: ['ls', 'pwd'] },
      { command: '' },
      { path: '/a' },
      'ls',
      null,
    ].map(command),
  ).toEqual([
    'ls -l',
    'ls',
    `git commit -m 'it'\\''s done'`,
    'ls | wc',
    'ls\npwd',
    undefined,
    undefined,
    undefined,
    undefined,
  ]);
});

test('the output is found under any key that agents use', () => {
  const output = (fields: Partial<ToolCallUpdate>): string | undefined =>
    callIn(viewOf(begun('run', { status: 'completed', ...fields })), 'run').output;
  expect(
    [
      { content: content('plain\n') },
      { content: content('```console\nfenced\n```') },
      { rawOutput: 'text' },
      { rawOutput: { output: 'whole', metadata: { exit: 0 } } },
      { rawOutput: { stdout: 'out\n', stderr: 'err\n' } },
      { rawOutput: { formatted_output: 'formatted', exit_code: 1 } },
      { rawOutput: { content: [{ type: 'text', text: 'item' }] } },
      { rawOutput: [{ query: 'ls', result: 'cline', success: true }] },
      { rawOutput: { other: 1 } },
      {},
    ].map(output),
  ).toEqual(['plain\n', 'fenced', 'text', 'whole', 'out\nerr\n', 'formatted', 'item', 'cline', undefined, undefined]);
});

test('the content of a pending call is its description, not its output', () => {
  expect(callIn(viewOf(begun('run', { content: content('Lists the files') })), 'run').output).toBe(undefined);
});

test('output chunks are joined, and the whole output afterwards does not replace them', () => {
  const view = viewOf(
    prompt('go'),
    begun('run', { status: 'in_progress', content: content('about to run') }),
    changed('run', piece('one\n')),
    changed('run', piece('two\n', 'terminal_output_delta')),
    changed('run', {
      status: 'completed',
      rawOutput: { formatted_output: '[shortened]' },
      _meta: { terminal_exit: { exit_code: 3 } },
    }),
  );
  expect(callIn(view, 'run')).toMatchObject({
    output: 'one\ntwo\n',
    exitCode: 3,
    meta: { terminal_exit: { exit_code: 3 } },
  });
});

test('exit codes are found under any key that agents use', () => {
  const exitCode = (fields: Partial<ToolCallUpdate>): number | null | undefined =>
    callIn(viewOf(begun('run', fields)), 'run').exitCode;
  expect(
    [
      { _meta: { terminal_exit: { exit_code: 0 } } },
      { _meta: { terminal_exit: { exit_code: null, signal: 'SIGKILL' } } },
      { rawOutput: { exit_code: 1 } },
      { rawOutput: { exitCode: 2 } },
      { rawOutput: { metadata: { exit: 4 } } },
      { rawOutput: 'text' },
    ].map(exitCode),
  ).toEqual([0, null, 1, 2, 4, undefined]);
});

test('a long output keeps its end, cut between characters', () => {
  const limit = 256 * 1024;
  const whole =
    callIn(viewOf(begun('run', { status: 'completed', rawOutput: `${'😀'.repeat(limit)}x` })), 'run').output ?? '';
  expect([whole.length, whole.startsWith('😀'), whole.endsWith('😀x')]).toEqual([limit - 1, true, true]);
  const pieces = Array.from({ length: 40 }, (_, index) => changed('run', piece(`${index}${'é'.repeat(10_000)}`)));
  const streamed = callIn(viewOf(begun('run'), ...pieces), 'run').output ?? '';
  expect(streamed.length).toBeLessThanOrEqual(limit);
  expect(streamed.length).toBeGreaterThan(limit / 2);
  expect(streamed.endsWith(`39${'é'.repeat(10_000)}`)).toBe(true);
});

test('a nested call names its parent, even if the parent is announced later', () => {
  const child = { _meta: { claudeCode: { parentToolUseId: 'task' } } };
  const view = viewOf(begun('a', child), begun('task'), begun('b', child), changed('a', { status: 'completed' }));
  const key = callIn(view, 'task').key;
  expect([callIn(view, 'a').parentKey, callIn(view, 'b').parentKey]).toEqual([key, key]);
});

test('a late question about a call of an earlier turn does not stay open', () => {
  const view = viewOf(
    prompt('go'),
    begun('run', { status: 'completed' }),
    ended('end_turn'),
    prompt('again'),
    asked({ toolCallId: 'run' }),
    ended('end_turn'),
  );
  expect(callIn(view, 'run')).toMatchObject({ state: 'completed', permission: { state: 'answered', allowed: false } });
});
