import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { SessionUpdate } from '@turnwire/protocol';
import { expect, test } from 'vitest';
import { LoopFixture } from './loop-fixture.ts';
import { calls, finishes, says, ScriptedModel } from './scripted-model.ts';

const explore = (title: string, id?: string): ReturnType<typeof calls> =>
  calls('explore', { title, task: `Find out: ${title}` }, id);

/** The tool calls at their end: title, state, and whether they are shown below another one. */
function shownCalls(updates: readonly SessionUpdate[]): readonly string[] {
  const found = new Map<string, { readonly title: unknown; readonly status: unknown; readonly isNested: boolean }>();
  for (const update of updates) {
    if (update.sessionUpdate !== 'tool_call' && update.sessionUpdate !== 'tool_call_update') continue;
    const { toolCallId, title, status, _meta } = update;
    const before = found.get(toolCallId);
    found.set(toolCallId, {
      title: title ?? before?.title,
      status: status ?? before?.status,
      isNested: before?.isNested === true || _meta?.['claudeCode'] !== undefined,
    });
  }
  return [...found.values()].map(
    ({ title, status, isNested }) => `${isNested ? '- ' : ''}${String(title)} ${String(status)}`,
  );
}

function results(fixture: LoopFixture): readonly unknown[] {
  return fixture.conversation.flatMap(({ role, content }) =>
    role === 'tool' ? content.map((part) => ('output' in part ? part.output : undefined)) : [],
  );
}

test('a sub-agent has its own conversation, and only its report is returned', async () => {
  const model = new ScriptedModel(
    [...says('I look.'), explore('what is in it'), finishes('tool-calls')],
    [...says('Reading.'), calls('read', { path: 'a.txt' }), finishes('tool-calls')],
    [...says('a.txt holds alpha.'), finishes()],
    [...says('It is alpha.'), finishes()],
  );
  await using fixture = await LoopFixture.open({ model, files: { 'a.txt': 'alpha\n' } });
  const { stopReason } = await fixture.prompt('What is in a.txt?');
  const [, asked] = model.asked;
  expect({
    stopReason,
    said: fixture.said,
    calls: shownCalls(fixture.updates),
    tools: model.tools.map((names) => names.filter((name) => /^(?:read|list|search|explore|edit)$/.test(name)).sort()),
    task: asked?.prompt.slice(1),
    isTold: JSON.stringify(asked?.prompt[0]).includes('You are a sub-agent'),
    results: results(fixture),
    violations: fixture.violations,
  }).toEqual({
    stopReason: 'end_turn',
    said: 'I look.It is alpha.',
    calls: ['what is in it completed', '- Read a.txt completed'],
    tools: [
      ['edit', 'explore', 'list', 'read', 'search'],
      ['list', 'read', 'search'],
      ['list', 'read', 'search'],
      ['edit', 'explore', 'list', 'read', 'search'],
    ],
    task: [{ role: 'user', content: [{ type: 'text', text: 'Find out: what is in it' }] }],
    isTold: true,
    results: [{ type: 'text', value: 'a.txt holds alpha.' }],
    violations: [],
  });
});

test('read-only sub-agents run in parallel', async () => {
  let waiting = 0;
  let release = (): void => undefined;
  const both = new Promise<void>((resolve) => (release = resolve));
  async function* together(text: string): AsyncGenerator<ReturnType<typeof calls>> {
    if (++waiting === 2) release();
    await both;
    yield* [...says(text), finishes()];
  }
  const model = new ScriptedModel(
    [explore('one', '1'), explore('two', '2'), finishes('tool-calls')],
    together('a report'),
    together('a report'),
    [...says('Done.'), finishes()],
  );
  await using fixture = await LoopFixture.open({ model });
  await fixture.prompt('both');
  expect(results(fixture)).toEqual([
    { type: 'text', value: 'a report' },
    { type: 'text', value: 'a report' },
  ]);
});

test('changes of a sub-agent need the same permission and are undone with the turn', async () => {
  const write = (path: string): ReturnType<typeof calls> => calls('write', { path, content: 'new\n' });
  const model = new ScriptedModel(
    [calls('delegate', { title: 'make it', task: 'Make a.txt' }), finishes('tool-calls')],
    [write('a.txt'), finishes('tool-calls')],
    [...says('Made a.txt.'), finishes()],
    [...says('Done.'), finishes()],
  );
  await using fixture = await LoopFixture.open({ model, keeps: true });
  const asked: unknown[] = [];
  fixture.decide = ({ toolCall }) => {
    asked.push(toolCall.title);
    return { outcome: { outcome: 'selected', optionId: 'allow_once' } };
  };
  await fixture.prompt('make it');
  const path = join(fixture.cwd, 'a.txt');
  const made = await readFile(path, 'utf8');
  await fixture.reload();
  await fixture.prompt('/undo');
  await expect(readFile(path)).rejects.toThrow('ENOENT');
  expect({ asked, made }).toEqual({ asked: [expect.stringContaining('a.txt'), 'Delete a.txt'], made: 'new\n' });
});

test('the conversation of a sub-agent is not stored with that of its session', async () => {
  const model = new ScriptedModel(
    [explore('it'), finishes('tool-calls')],
    [...says('a report'), finishes()],
    [...says('Done.'), finishes()],
    [...says('Yes.'), finishes()],
  );
  await using fixture = await LoopFixture.open({ model, keeps: true });
  await fixture.prompt('look');
  await fixture.reload();
  await fixture.prompt('again');
  expect(fixture.conversation.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'assistant', 'user']);
});

test('a sub-agent counts towards the limits of the turn, and one without a report is an error', async () => {
  const model = new ScriptedModel(
    [explore('it'), finishes('tool-calls')],
    [calls('list', {}), finishes('tool-calls')],
    [...says('never asked'), finishes()],
  );
  await using fixture = await LoopFixture.open({ model, options: { maxSteps: 2 } });
  const { stopReason } = await fixture.prompt('look');
  expect({ stopReason, asked: model.asked.length, calls: shownCalls(fixture.updates) }).toEqual({
    stopReason: 'max_turn_requests',
    asked: 2,
    calls: ['it failed', '- List files completed'],
  });
});

test('a cancel ends the sub-agent with its turn', async () => {
  const model = new ScriptedModel(
    [calls('delegate', { title: 'run it', task: 'Run it' }), finishes('tool-calls')],
    [calls('execute', { command: 'echo it' }), finishes('tool-calls')],
  );
  await using fixture = await LoopFixture.open({ model });
  fixture.decide = async () => {
    await fixture.cancel();
    return { outcome: { outcome: 'cancelled' } };
  };
  const { stopReason } = await fixture.prompt('run it');
  expect({ stopReason, asked: model.asked.length, states: shownCalls(fixture.updates) }).toEqual({
    stopReason: 'cancelled',
    asked: 2,
    states: ['run it failed', expect.stringMatching(/^- .*echo it.* failed$/)],
  });
});

test('a client that shows child sessions gets the work of a sub-agent in one, also when it loads the session', async () => {
  const model = new ScriptedModel(
    [explore('what is in it'), finishes('tool-calls')],
    [...says('Reading.'), calls('read', { path: 'a.txt' }), finishes('tool-calls')],
    [...says('a.txt holds alpha.'), finishes()],
    [...says('It is alpha.'), finishes()],
  );
  await using fixture = await LoopFixture.open({
    model,
    files: { 'a.txt': 'alpha\n' },
    keeps: true,
    capabilities: { subagents: {} },
  });
  await fixture.prompt('What is in a.txt?');
  const live = fixture.updates.splice(0);
  const loaded = await fixture.reload();
  const shown = (updates: readonly SessionUpdate[]): unknown => ({
    calls: shownCalls(updates),
    children: updates.flatMap((update) =>
      update.sessionUpdate === 'subagent_update' ? [[update.title, update.state]] : [],
    ),
    task: updates.flatMap((update) => (update.sessionUpdate === 'session_message' ? update.content : [])),
    results: results(fixture),
    violations: fixture.violations,
  });
  const task = { type: 'text', text: 'Find out: what is in it' };
  const both = {
    calls: ['what is in it completed', 'Read a.txt completed'],
    task: [task, task],
    results: [{ type: 'text', value: 'a.txt holds alpha.' }],
    violations: [],
  };
  const idle = { state: 'idle', stopReason: 'end_turn' };
  expect([shown(live), shown(loaded)]).toEqual([
    {
      ...both,
      children: [
        ['what is in it', undefined],
        [undefined, { state: 'running' }],
        [undefined, idle],
      ],
    },
    { ...both, children: [['what is in it', idle]] },
  ]);
});
