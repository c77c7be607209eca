import { approveAll, type PermissionEvent, type PermissionPolicy } from '@turnwire/client';
import { type LogEntry, type PermissionOption, ProtocolError } from '@turnwire/protocol';
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
