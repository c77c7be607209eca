import type { PermissionEvent, UpdateContext } from '@turnwire/client';
import { cancelWork, childSessions } from '@turnwire/client/extensions';
import type { RequestPermissionResponse, SessionUpdate } from '@turnwire/protocol';
import { expect, test } from 'vitest';
import { pair, said } from '../agent/agent-pair.ts';

const announced = (fields: object = {}): SessionUpdate =>
  ({ sessionUpdate: 'subagent_update', sessionId: 'child', title: 'Reviewer', ...fields }) as SessionUpdate;
const options = [{ optionId: 'yes', name: 'Yes', kind: 'allow_once' }] as const;

test('updates of a child session are separate from those of its parent', async () => {
  await using connected = await pair({ childSessions });
  const received: (readonly [string, SessionUpdate])[] = [];
  const session = await connected.agent.newSession({
    cwd: '/w',
    onUpdate: (update) => void received.push(['parent', update]),
    onChildUpdate: (child: string, update: SessionUpdate, _: UpdateContext) => void received.push([child, update]),
  });
  const send = (sessionId: string, update: SessionUpdate): Promise<void> =>
    connected.theirs.notify('session/update', { sessionId, update });
  await send('child', said('too early'));
  await send('one', announced());
  await send('child', said('a'));
  await send('one', said('b'));
  await connected.theirs.request('session/request_permission', {
    sessionId: session.id,
    toolCall: { toolCallId: 't' },
    options,
  });
  expect(received).toEqual([
    ['parent', announced()],
    ['child', said('a')],
    ['parent', said('b')],
  ]);
});

test('a child session asks its parent for permission, with the facts of its own calls', async () => {
  const asked: PermissionEvent[] = [];
  await using connected = await pair({ childSessions, permission: (request) => request.options[0] });
  const { theirs, agent } = connected;
  await agent.newSession({ cwd: '/w', onPermission: (event) => asked.push(event) });
  const call = (sessionId: string, title: string): Promise<void> =>
    theirs.notify('session/update', { sessionId, update: { sessionUpdate: 'tool_call', toolCallId: 't', title } });
  await theirs.notify('session/update', { sessionId: 'one', update: announced() });
  await call('one', 'of the parent');
  await call('child', 'of the child');
  const request = { sessionId: 'child', toolCall: { toolCallId: 't' }, options };
  const answer = await theirs.request('session/request_permission', request);
  expect([answer, asked]).toEqual([
    { outcome: { outcome: 'selected', optionId: 'yes' } },
    [
      {
        type: 'permission-asked',
        child: 'child',
        request: { ...request, toolCall: { toolCallId: 't', title: 'of the child' } },
      },
      {
        type: 'permission-answered',
        child: 'child',
        outcome: { toolCallId: 't', optionId: 'yes', allowed: true, reason: 'answered with "Yes"' },
      },
    ],
  ]);
});

test('a client with child sessions offers them, and cancels one by its id', async () => {
  let received!: (params: unknown) => void;
  const cancelled = new Promise((resolve) => (received = resolve));
  await using connected = await pair({ childSessions, handlers: { 'session/cancel': (params) => received(params) } });
  const { said: introduction, agent } = connected;
  expect(introduction.clientCapabilities?.subagents).toEqual({});
  await cancelWork(agent, 'one', { type: 'subagent', sessionId: 'child' });
  expect(await cancelled).toEqual({ sessionId: 'child' });
});

test('a cancelled turn leaves the questions of work in the background open', async () => {
  let bothAsked!: () => void;
  const asked = new Promise<void>((resolve) => (bothAsked = resolve));
  const open: ((optionId: string) => void)[] = [];
  await using connected = await pair({
    childSessions,
    permission: (request) => {
      const answer = new Promise<(typeof request.options)[number] | undefined>((resolve) =>
        open.push(() => resolve(request.options[0])),
      );
      if (open.length === 2) bothAsked();
      return answer;
    },
    handlers: { 'session/prompt': () => new Promise(() => undefined), 'session/cancel': () => undefined },
    timeouts: { cancel: 60_000 },
  });
  const { theirs, agent } = connected;
  const session = await agent.newSession({ cwd: '/w' });
  const background = [{ type: 'tool_call', toolCallId: 'behind' }];
  const state = { sessionUpdate: 'state_update', state: 'running', background } as unknown as SessionUpdate;
  const ask = (toolCallId: string): Promise<RequestPermissionResponse> =>
    theirs.request('session/request_permission', { sessionId: 'one', toolCall: { toolCallId }, options });
  const turn = session.prompt('go');
  await theirs.notify('session/update', { sessionId: 'one', update: state });
  const answers = [ask('ahead'), ask('behind')] as const;
  await asked;
  void turn.cancel().catch(() => undefined);
  expect(await answers[0]).toEqual({ outcome: { outcome: 'cancelled' } });
  for (const answer of open) answer('yes');
  expect(await answers[1]).toEqual({ outcome: { outcome: 'selected', optionId: 'yes' } });
});
