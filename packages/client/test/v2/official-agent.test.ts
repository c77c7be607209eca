import { fileURLToPath } from 'node:url';
import { type Agent, approveAll, type AgentOptions, type PermissionEvent } from '@turnwire/client';
import { cancelWork } from '@turnwire/client/extensions';
import { launchAgent } from '@turnwire/client/node';
import { emptyTranscript, reduce, type TranscriptEvent } from '@turnwire/client/transcript';
import { protocolVersions } from '@turnwire/client/v2';
import { backgroundItems, cancellableItems, childBlock, runningChildren } from '@turnwire/client/view';
import type { SessionUpdate } from '@turnwire/protocol';
import { expect, test } from 'vitest';
import { collect, scripted } from '../scripted.ts';

const command = [process.execPath, fileURLToPath(new URL('official-agent.mjs', import.meta.url))];

function launch(options: AgentOptions = {}, offered: readonly [2] | readonly [1, 2] = [1, 2]): Promise<Agent> {
  return launchAgent(command, { versions: protocolVersions(offered), ...options });
}

test('an agent of version 2 is offered with its capabilities, logins and sessions', async () => {
  await using agent = await launch();
  const { version, info, capabilities, authMethods } = agent;
  expect({ version, info, capabilities, authMethods }).toEqual({
    version: 2,
    info: { name: 'official', version: '2.0.0' },
    capabilities: {
      loadSession: true,
      promptCapabilities: { image: true, audio: false, embeddedContext: false },
      mcpCapabilities: { http: true, sse: false },
      sessionCapabilities: { list: {}, resume: {}, close: {}, delete: {} },
      auth: { logout: {} },
    },
    authMethods: [{ id: 'web', name: 'Web' }],
  });
  expect(await agent.authenticate('web')).toEqual({ needsRestart: false });
  await agent.logout?.();
  const sessions = [];
  for await (const session of agent.listSessions?.() ?? []) sessions.push(session);
  expect(sessions).toEqual([{ sessionId: 's', cwd: '/', title: 'early' }]);
});

test('a turn asks for a permission, and ends when the agent is idle after its prompt', async () => {
  await using agent = await launch({ permission: approveAll });
  const questions: PermissionEvent[] = [];
  const session = await agent.newSession({ cwd: process.cwd(), onPermission: (event) => questions.push(event) });
  const turn = session.prompt('work');
  expect(await collect(turn)).toEqual([
    { sessionUpdate: 'session_info_update', title: 'early' },
    {
      sessionUpdate: 'available_commands_update',
      availableCommands: [{ name: 'plan', description: 'Plan the work', input: { hint: 'task' } }],
    },
    { sessionUpdate: 'user_message_chunk', messageId: 'u1', content: { type: 'text', text: 'work' } },
    { sessionUpdate: 'state_update', state: 'running' },
    { sessionUpdate: 'tool_call', toolCallId: 't', title: 'Delete a.txt', kind: 'delete', status: 'in_progress' },
    { sessionUpdate: 'state_update', state: 'requires_action' },
    { sessionUpdate: 'tool_call_update', toolCallId: 't', locations: [{ path: '/a.txt' }] },
    { sessionUpdate: 'state_update', state: 'running' },
    { sessionUpdate: 'tool_call_update', toolCallId: 't', status: 'completed' },
    {
      sessionUpdate: 'agent_message_chunk',
      messageId: 'a1',
      content: { type: 'text', text: 'yes' },
    },
    { sessionUpdate: 'state_update', state: 'idle', stopReason: 'end_turn' },
  ]);
  expect(await turn.result).toEqual({ stopReason: 'end_turn' });
  expect(questions).toEqual([
    {
      type: 'permission-asked',
      request: {
        sessionId: 's',
        toolCall: {
          toolCallId: 't',
          title: 'Delete a.txt',
          kind: 'delete',
          status: 'in_progress',
          locations: [{ path: '/a.txt' }],
        },
        options: [
          { optionId: 'yes', name: 'Yes', kind: 'allow_once' },
          { optionId: 'no', name: 'No', kind: 'reject_once' },
        ],
      },
    },
    {
      type: 'permission-answered',
      outcome: { toolCallId: 't', optionId: 'yes', allowed: true, reason: 'answered with "Yes"' },
    },
  ]);
});

test('a session has the options, the commands and the title of its agent', async () => {
  await using agent = await launch();
  let onCommands!: () => void;
  const reported = new Promise<void>((resolve) => (onCommands = resolve));
  const session = await agent.newSession({
    cwd: process.cwd(),
    onUpdate: ({ sessionUpdate }) => void (sessionUpdate === 'available_commands_update' && onCommands()),
  });
  await reported;
  await session.configOptions?.set('mode', 'code');
  const { commands, info, configOptions } = session;
  expect({ commands, info, options: configOptions?.list }).toEqual({
    commands: [{ name: 'plan', description: 'Plan the work', input: { hint: 'task' } }],
    info: { title: 'early' },
    options: [
      {
        id: 'mode',
        name: 'Mode',
        type: 'select',
        category: 'mode',
        currentValue: 'code',
        options: [
          { value: 'ask', name: 'Ask' },
          { value: 'code', name: 'Code' },
        ],
      },
    ],
  });
});

test('a cancelled turn withdraws its question and ends as cancelled', async () => {
  let asked!: () => void;
  const isAsked = new Promise<void>((resolve) => (asked = resolve));
  await using agent = await launch({
    permission: (_, { signal }) => {
      asked();
      return new Promise((resolve) => signal.addEventListener('abort', () => resolve(undefined)));
    },
  });
  const session = await agent.newSession({ cwd: process.cwd() });
  const turn = session.prompt('work');
  const updates = collect(turn);
  await isAsked;
  expect(await turn.cancel()).toEqual({ stopReason: 'cancelled' });
  expect((await updates).slice(-2)).toEqual([
    { sessionUpdate: 'tool_call_update', toolCallId: 't', status: 'cancelled' },
    { sessionUpdate: 'state_update', state: 'idle', stopReason: 'cancelled' },
  ]);
});

test('work in the background continues after its turn, and each part can be cancelled', async () => {
  await using agent = await launch();
  let view = emptyTranscript();
  let onChange = (): void => undefined;
  const add = (event: TranscriptEvent): void => {
    view = reduce(view, event);
    onChange();
  };
  const until = (isReached: () => boolean): Promise<void> =>
    new Promise((resolve) => {
      onChange = () => isReached() && resolve();
      onChange();
    });
  const session = await agent.newSession({
    cwd: process.cwd(),
    onUpdate: (update) => add({ at: 0, type: 'update', update }),
    onChildUpdate: (child, update) => add({ at: 0, type: 'child-update', child, update }),
  });
  expect(await session.prompt('background').result).toEqual({ stopReason: 'end_turn' });
  const reviewer = { type: 'subagent', sessionId: 'child' };
  const others = [
    { text: 'npm run dev', cancel: { type: 'terminal', terminalId: 'p' } },
    { text: 'Build it', cancel: { type: 'tool_call', toolCallId: 'b' } },
  ];
  const items = cancellableItems(view);
  const tree = runningChildren(view).map(({ title, cancel }) => ({ title, cancel }));
  expect({ items, tree, background: backgroundItems(view) }).toEqual({
    items: [{ text: 'Reviewer', cancel: reviewer }, ...others],
    tree: [{ title: 'Reviewer', cancel: reviewer }],
    background: others,
  });
  const child = view.entries.at(view.childIndex('child') ?? -1);
  expect(child?.type === 'child-session' && childBlock(child)).toMatchObject({
    ...{ title: 'Reviewer', stateText: 'running', lastLine: 'Reading', canCancel: true },
  });
  for (const { cancel } of items) if (cancel) await cancelWork(agent, session.id, cancel);
  await until(() => view.background.length === 0);
  const ended = view.entries.at(view.childIndex('child') ?? -1);
  const build = view.entries.at(view.toolCallIndex('b') ?? -1);
  expect([
    ended?.type === 'child-session' && childBlock(ended).stateText,
    view.terminals.get('p')?.isRunning,
    build?.type === 'tool-call' && build.state,
  ]).toEqual(['cancelled', false, 'cancelled']);
  await expect(cancelWork(agent, session.id, { type: 'tool_call', toolCallId: 't' })).rejects.toMatchObject({
    code: 'not-advertised',
    message: 'The agent cannot cancel the tool call t separately',
  });
});

test('a turn that the agent ends with an error rejects with it', async () => {
  await using agent = await launch();
  const session = await agent.newSession({ cwd: process.cwd() });
  await expect(session.prompt('fail').result).rejects.toMatchObject({
    code: -32603,
    message: 'The model is overloaded',
  });
  expect(await session.prompt('work').result).toEqual({ stopReason: 'end_turn' });
});

test('a loaded session replays its history until the agent marks the end, and a resumed one does not', async () => {
  await using agent = await launch();
  const updates: (readonly [SessionUpdate, boolean])[] = [];
  const options = {
    sessionId: 's',
    cwd: process.cwd(),
    onUpdate: (update: SessionUpdate, { isReplay }: { readonly isReplay: boolean }) =>
      void updates.push([update, isReplay]),
  };
  await agent.loadSession?.(options);
  const text = (value: string): object => ({ type: 'text', text: value });
  const resumed = [
    [{ sessionUpdate: 'session_info_update', title: 'resumed' }, false],
    [{ sessionUpdate: 'state_update', state: 'idle' }, false],
  ];
  expect(updates).toEqual([
    [{ sessionUpdate: 'user_message_chunk', messageId: 'u0', content: text('Hello') }, true],
    // A whole message without content changes nothing in version 1.
    [{ sessionUpdate: 'session_info_update' }, true],
    [{ sessionUpdate: 'agent_message_chunk', messageId: 'a0', content: text('Hi') }, true],
    [{ sessionUpdate: 'agent_message_chunk', messageId: 'a0', content: text(', all') }, true],
    ...resumed,
  ]);
  updates.length = 0;
  const session = await agent.resumeSession?.(options);
  expect(updates).toEqual(resumed);
  expect(session?.configOptions?.list.map(({ id }) => id)).toEqual(['mode']);
});

test('closing or deleting a session that the agent does not know succeeds', async () => {
  await using agent = await launch();
  const session = await agent.newSession({ cwd: process.cwd() });
  expect(await session.close?.()).toBeUndefined();
  expect(await agent.deleteSession?.('s')).toBeUndefined();
});

test('the end of an agent during a turn rejects the turn with its exit', async () => {
  const agent = await launch({ permission: () => new Promise(() => undefined) });
  const session = await agent.newSession({ cwd: process.cwd() });
  const turn = session.prompt('work');
  for await (const { sessionUpdate } of turn) if (sessionUpdate === 'tool_call') break;
  const [result] = await Promise.all([turn.result.catch((error: unknown) => error), agent.close()]);
  expect(result).toMatchObject({ code: 'connection-closed' });
});

test('an agent of version 1 is used in version 1 by a client of both, and refused by a client of version 2', async () => {
  await using agent = await launchAgent(scripted(), { versions: protocolVersions([1, 2]) });
  expect([agent.version, agent.info?.name]).toEqual([1, 'scripted']);
  const session = await agent.newSession({ cwd: process.cwd() });
  expect(await session.prompt('say hello').result).toEqual({ stopReason: 'end_turn' });
  await expect(launchAgent(scripted(), { versions: protocolVersions([2]) })).rejects.toMatchObject({
    code: 'version-mismatch',
    message:
      'scripted speaks protocol version 1; this client speaks version 2. The connection was closed: update the older one.',
  });
});

test('a client of version 1 reports which versions an agent has that refuses it', async () => {
  await expect(launchAgent(command)).rejects.toMatchObject({
    code: 'version-mismatch',
    message: 'The agent speaks protocol version 2, which was not offered. Offer it, or update the older side',
  });
});
