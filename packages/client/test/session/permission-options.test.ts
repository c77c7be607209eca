import { approveAll, type PermissionEvent, type PermissionPolicy } from '@turnwire/client';
import { childSessions } from '@turnwire/client/extensions';
import { type LogEntry, type PermissionOption, ProtocolError, type SessionUpdate } from '@turnwire/protocol';
import { expect, test } from 'vitest';
import { pair } from '../agent/agent-pair.ts';

/** The answer to an agent that offers these options, and the events on this side. */
async function asked(options: readonly PermissionOption[], policy: PermissionPolicy): Promise<unknown> {
  let isAsked = false;
  const events: PermissionEvent[] = [];
  const log: LogEntry[] = [];
  await using wire = await pair({
    permission: (request, context) => {
      isAsked = true;
      return policy(request, context);
    },
    peer: { log: (entry) => void log.push(entry) },
  });
  const { id } = await wire.agent.newSession({ cwd: '/project', onPermission: (event) => void events.push(event) });
  const params = { sessionId: id, toolCall: { toolCallId: 'call', title: 'Write' }, options: [...options] };
  const answer = await wire.theirs.request('session/request_permission', params).then(
    ({ outcome }) => outcome,
    (error: unknown) => (error instanceof ProtocolError ? { code: error.code, message: error.message } : error),
  );
  return {
    answer,
    isAsked,
    outcomes: events.flatMap((event) => (event.type === 'permission-answered' ? [event.outcome] : [])),
    warnings: log.filter(({ level }) => level === 'warn').map(({ event, method, detail }) => [event, method, detail]),
  };
}

test('two options with one id are refused without a question, even if they mean the same', async () => {
  const options = [
    { optionId: 'x', name: 'Yes', kind: 'allow_once' },
    { optionId: 'other', name: 'Perhaps', kind: 'allow_always' },
    { optionId: 'x', name: 'No', kind: 'reject_once' },
  ] as const;
  expect(await asked(options, approveAll)).toEqual({
    answer: { code: -32602, message: 'options: several have the id "x"; give each its own id' },
    isAsked: false,
    outcomes: [
      {
        toolCallId: 'call',
        allowed: false,
        reason: 'refused: several of its options have the id "x", so an answer would be ambiguous',
      },
    ],
    warnings: [
      ['a permission request was refused', 'session/request_permission', 'several of its options have the id "x"'],
    ],
  });
});

test('only the offered option object is an answer; a copy is refused', async () => {
  const options = [{ optionId: 'x', name: 'No', kind: 'reject_once' }] as const;
  const outcome = { toolCallId: 'call', allowed: false, reason: 'answered with cancelled: nothing was decided' };
  expect(await asked(options, () => ({ optionId: 'x', name: 'No', kind: 'allow_once' }))).toEqual({
    answer: { outcome: 'cancelled' },
    isAsked: true,
    outcomes: [outcome],
    warnings: [],
  });
});

const no = { optionId: 'no', name: 'No', kind: 'reject_once' } as const;
const places = [
  [
    'in `_meta.turnwire`, if the option says so there',
    { _meta: { turnwire: { allowFeedback: true } } },
    {
      _meta: { turnwire: { feedback: 'not here' } },
    },
  ],
  ['in the field of the proposal, if the option has it', { allowFeedback: true }, { feedback: 'not here' }],
] as const;

test.each(places)(
  'the reason for a rejection is part of the answer %s, and is not sent again',
  async (_, offer, extra) => {
    const unsent: unknown[] = [];
    await using wire = await pair({
      permission: ({ options }, { feedback }) => {
        feedback?.('not here');
        return options[0];
      },
    });
    const { id } = await wire.agent.newSession({ cwd: '/project', onFeedback: (feedback) => unsent.push(feedback) });
    const toolCall = { toolCallId: 'call', title: 'Write' };
    const answer = await wire.theirs.request('session/request_permission', {
      ...{ sessionId: id, toolCall },
      options: [{ ...no, ...offer }],
    });
    expect([answer, unsent]).toEqual([{ outcome: { outcome: 'selected', optionId: 'no', ...extra } }, []]);
  },
);

test('the session gets the reason for a rejection if the agent does not read it in the answer', async () => {
  const unsent: unknown[] = [];
  await using wire = await pair({
    permission: ({ options }, { feedback }) => {
      feedback?.('not here');
      return options[0];
    },
  });
  const { id } = await wire.agent.newSession({ cwd: '/project', onFeedback: (feedback) => unsent.push(feedback) });
  const toolCall = { toolCallId: 'call', title: 'Write' };
  const params = { sessionId: id, toolCall, options: [no] };
  const answer = await wire.theirs.request('session/request_permission', params);
  expect([answer, unsent]).toEqual([
    { outcome: { outcome: 'selected', optionId: 'no' } },
    [{ text: 'not here', title: 'Write' }],
  ]);
});

test('the policy learns which subagent asks: the child session, or the call that the agent reports as the parent', async () => {
  const asking: unknown[] = [];
  await using wire = await pair({
    childSessions,
    permission: ({ options }, { child }) => {
      asking.push(child);
      return options[0];
    },
  });
  const { id: sessionId } = await wire.agent.newSession({ cwd: '/project' });
  const update = (content: SessionUpdate, of = sessionId): Promise<void> =>
    wire.theirs.notify('session/update', { sessionId: of, update: content });
  const subagent = (id: string, fields: object): SessionUpdate =>
    ({ sessionUpdate: 'subagent_update', sessionId: id, ...fields }) as SessionUpdate;
  await update(subagent('first', { title: 'Fix it', _meta: { turnwire: { child: 'claude' } } }));
  await update(subagent('second', { title: 'Reviewer' }));
  await update(subagent('third', {}));
  await update({
    ...{ sessionUpdate: 'tool_call', toolCallId: 'task', title: 'Look' },
    rawInput: { subagent_type: 'Explore', prompt: 'look' },
  });
  const ask = (of: string, _meta?: object): Promise<unknown> =>
    wire.theirs.request('session/request_permission', {
      ...{ sessionId: of, options: [no] },
      toolCall: { toolCallId: 'call', ...(_meta && { _meta: { claudeCode: _meta } }) },
    });
  for (const of of ['first', 'second', 'third', sessionId]) await ask(of);
  await ask(sessionId, { parentToolUseId: 'task' });
  await ask(sessionId, { parentToolUseId: 'gone' });
  expect(asking).toEqual([
    { name: 'claude', title: 'Fix it' },
    { name: 'Reviewer' },
    { name: 'subagent' },
    undefined,
    { name: 'Explore', title: 'Look' },
    { name: 'subagent' },
  ]);
});
