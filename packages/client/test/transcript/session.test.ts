import { expect, test } from 'vitest';
import { emptyTranscript, reduce } from '@turnwire/client/transcript';
import { after, chunk, ended, prompt, replayed, said, shown, text, update, viewOf } from './events.ts';

const step = (content: string, status = 'pending'): object => ({ content, priority: 'high', status });
const plan = (...entries: readonly object[]) => update({ sessionUpdate: 'plan', entries });
const compaction = (fields: object) =>
  update({ sessionUpdate: 'compaction_update', compactionId: 'c', status: 'in_progress', ...fields });
const summary = (words: string) =>
  update({ sessionUpdate: 'compaction_summary_chunk', compactionId: 'c', content: text(words) });

test('an empty transcript has no entries', () => {
  const { entries, terminals, ...rest } = emptyTranscript();
  expect([[...entries], [...terminals], entries.length, entries.at(0)]).toEqual([[], [], 0, undefined]);
  expect(rest).toMatchObject({ plans: [], background: [], modes: [], configOptions: [], commands: [], knownFrom: 0 });
});

test('a turn runs from its prompt to its end', () => {
  const running = viewOf(prompt('hi'));
  const over = after(running, ended());
  expect([running.turnId, 'turnId' in over, over.entries.at(1)]).toEqual([
    'turn',
    false,
    { type: 'turn-end', key: 'entry-1', at: 0, turnId: 'turn', stopReason: 'end_turn' },
  ]);
});

test('the end of another turn leaves the running one', () => {
  const view = viewOf(prompt('hi'), said('a'), ended('cancelled', 'queued'));
  expect([view.turnId, shown(view)]).toEqual(['turn', ['user: hi', 'agent: a', 'end: cancelled']]);
});

test('a plan replaces the previous plan of its turn, in the same position', () => {
  const first = viewOf(prompt('hi', 't1'), plan(step('a'), step('b')), said('x'), plan(step('a', 'completed')));
  const second = after(first, ended('end_turn', 't1'), prompt('ho', 't2'));
  expect([shown(first), first.plans, second.plans]).toEqual([
    ['user: hi', 'plan: a', 'agent: x'],
    [{ entries: [step('a', 'completed')] }],
    [],
  ]);
  expect(shown(after(second, plan(step('c')))).slice(-2)).toEqual(['user: ho', 'plan: c']);
});

test('an empty plan removes the current one, and adds nothing by itself', () => {
  const view = viewOf(prompt('hi'), plan());
  const emptied = after(view, plan(step('a')), plan());
  expect([shown(view), shown(emptied), emptied.plans]).toEqual([
    ['user: hi'],
    ['user: hi', 'plan: '],
    [{ entries: [] }],
  ]);
});

test('each turn of a replay has its own plan', () => {
  const replayedPlan = (content: string) => replayed({ sessionUpdate: 'plan', entries: [step(content)] });
  const view = viewOf(
    replayed(chunk('user', 'hi')),
    replayedPlan('a'),
    replayed(chunk('user', 'ho')),
    replayedPlan('b'),
  );
  expect(shown(view)).toEqual(['user: hi', 'plan: a', 'user: ho', 'plan: b']);
});

test('modes, options and commands have their last values', () => {
  const modes = {
    currentModeId: 'ask',
    availableModes: [
      { id: 'ask', name: 'Ask' },
      { id: 'code', name: 'Code' },
    ],
  };
  const option = { type: 'boolean', id: 'fast', name: 'Fast', currentValue: false } as const;
  const view = viewOf(
    { type: 'setup', modes, configOptions: [option] },
    update({ sessionUpdate: 'current_mode_update', currentModeId: 'code' }),
    update({ sessionUpdate: 'config_option_update', configOptions: [{ ...option, currentValue: true }] }),
    update({ sessionUpdate: 'available_commands_update', availableCommands: [{ name: 'web', description: 'Search' }] }),
  );
  expect(view).toMatchObject({
    modes: modes.availableModes,
    currentModeId: 'code',
    configOptions: [{ ...option, currentValue: true }],
    commands: [{ name: 'web', description: 'Search' }],
  });
  const without = after(view, { type: 'setup', modes: null, configOptions: null });
  expect([without.modes, without.configOptions, 'currentModeId' in without]).toEqual([[], [], false]);
  expect(after(view, { type: 'setup' })).toEqual(view);
});

test('a title stays when it is absent and disappears when it is null', () => {
  const info = (fields: object) => update({ sessionUpdate: 'session_info_update', ...fields });
  const titled = viewOf(info({ title: 'Bug hunt' }), info({ updatedAt: '2026-01-01T00:00:00Z' }));
  expect([titled.title, 'title' in after(titled, info({ title: null }))]).toEqual(['Bug hunt', false]);
});

test('usage has its last value, and an absent cost stays', () => {
  const cost = { amount: 0.5, currency: 'USD' };
  const view = viewOf(
    update({ sessionUpdate: 'usage_update', used: 10, size: 100, cost }),
    update({ sessionUpdate: 'usage_update', used: 20, size: 100, cost: null }),
  );
  expect([view.usage, view.cost]).toEqual([{ used: 20, size: 100 }, cost]);
});

test('notices name their source', () => {
  const view = viewOf(update({ sessionUpdate: 'notice', severity: '_odd', title: 'Rate limited', description: null }), {
    type: 'remark',
    severity: 'warning',
    title: 'No file access',
    description: 'It was not offered.',
  });
  expect([...view.entries]).toEqual([
    { type: 'notice', key: 'entry-0', at: 0, severity: '_odd', title: 'Rate limited', from: 'agent' },
    {
      type: 'notice',
      key: 'entry-1',
      at: 0,
      severity: 'warning',
      title: 'No file access',
      description: 'It was not offered.',
      from: 'client',
    },
  ]);
});

test('a compaction is patched: absent keeps, null clears, chunks are added', () => {
  const begun = viewOf(prompt('hi'), compaction({}), said('x'), summary('We '), summary('fixed it.'));
  const done = after(begun, compaction({ status: 'completed' }));
  const cleared = after(
    done,
    compaction({ status: '_odd', summary: null, error: 'too long' }),
    compaction({ status: 'failed' }),
  );
  expect([begun, done, cleared, after(cleared, compaction({ error: null }))].map((view) => view.entries.at(1))).toEqual(
    [
      {
        type: 'compaction',
        key: 'entry-1',
        at: 0,
        compactionId: 'c',
        status: 'in_progress',
        summary: [text('We fixed it.')],
      },
      {
        type: 'compaction',
        key: 'entry-1',
        at: 0,
        compactionId: 'c',
        status: 'completed',
        summary: [text('We fixed it.')],
      },
      {
        type: 'compaction',
        key: 'entry-1',
        at: 0,
        compactionId: 'c',
        status: 'failed',
        summary: [],
        error: 'too long',
      },
      { type: 'compaction', key: 'entry-1', at: 0, compactionId: 'c', status: 'in_progress', summary: [] },
    ],
  );
});

test('a chunk of a summary may be the first update of a compaction', () => {
  expect(viewOf(summary('We')).entries.at(0)).toMatchObject({ status: 'in_progress', summary: [text('We')] });
});

test('a terminal shows its last state and stays', () => {
  const snapshot = { terminalId: 't', sessionId: 's', command: 'npm test', output: 'ok', truncated: false };
  const view = viewOf(
    { type: 'terminal', snapshot },
    { type: 'terminal', snapshot: { ...snapshot, terminalId: 'u' } },
    { type: 'terminal', snapshot: { ...snapshot, output: 'ok\ndone', exitStatus: { exitCode: 0 } } },
    ended(),
  );
  expect([...view.terminals]).toEqual([
    [
      't',
      {
        terminalId: 't',
        command: 'npm test',
        output: 'ok\ndone',
        truncated: false,
        exitCode: 0,
        signal: null,
        isRunning: false,
      },
    ],
    ['u', { terminalId: 'u', command: 'npm test', output: 'ok', truncated: false, isRunning: true }],
  ]);
});

test('unknown updates are kept unchanged', () => {
  const future = { sessionUpdate: '_weather', text: 'rain' };
  expect([...viewOf(update(future)).entries]).toEqual([{ type: 'unknown', key: 'entry-0', at: 0, update: future }]);
});

test("lost context moves the boundary of the agent's memory; other boundaries do not", () => {
  const line = (reason: 'loaded' | 'context-lost') => ({ type: 'boundary', reason, message: 'line' }) as const;
  const view = viewOf(prompt('hi'), ended(), line('loaded'));
  expect([view.knownFrom, after(view, line('context-lost')).knownFrom]).toEqual([0, 3]);
});

test('a view from another source is refused', () => {
  const { entries } = emptyTranscript();
  const foreign = { ...emptyTranscript(), memory: undefined, entries };
  delete (foreign as { memory?: unknown }).memory;
  expect(() => reduce(foreign, { at: 0, type: 'remark', severity: 'info', title: 'x' })).toThrow(
    'This view was not created by emptyTranscript() or reduce(); start with one that was',
  );
});
