import { attachAgent } from '@turnwire/client';
import type { SessionUpdate } from '@turnwire/protocol';
import { memoryPair } from '@turnwire/transports/memory';
import { expect, test } from 'vitest';
import { failure, never, pair, said } from './agent-pair.ts';

const stored = { loadSession: true, sessionCapabilities: { resume: {}, close: {} } } as const;
const optional = ['loadSession', 'resumeSession', 'listSessions', 'deleteSession', 'logout'] as const;

test('methods that the agent does not offer are absent', async () => {
  const nothing = { loadSession: false, sessionCapabilities: { list: null, delete: null, resume: null, close: null } };
  await using bare = await pair();
  await using refusing = await pair({ capabilities: nothing });
  const there = await Promise.all(
    [bare, refusing].map(async ({ agent }) => {
      const session = await agent.newSession({ cwd: '/' });
      return [...optional.filter((name) => name in agent), 'close' in session, session.modes, session.configOptions];
    }),
  );
  expect(there).toEqual(Array(2).fill([false, undefined, undefined]));
});

test('methods that the agent offers are present', async () => {
  await using connected = await pair({
    capabilities: {
      loadSession: true,
      sessionCapabilities: { list: {}, delete: {}, resume: {}, close: {} },
      auth: { logout: {} },
    },
    handlers: { 'session/delete': () => ({}), logout: () => ({}), 'session/close': () => ({}) },
  });
  const { agent, calls } = connected;
  const session = await agent.newSession({ cwd: '/' });
  await agent.deleteSession?.('old');
  await agent.logout?.();
  await session.close?.();
  expect({ there: optional.filter((name) => name in agent), calls: calls.slice(1) }).toEqual({
    there: optional,
    calls: [
      ['session/delete', { sessionId: 'old' }],
      ['logout', {}],
      ['session/close', { sessionId: 'one' }],
    ],
  });
});

test('a session is set up with its folder, each further folder once, and its servers', async () => {
  const server = { name: 'files', command: '/bin/files', args: ['-v'], env: [{ name: 'A', value: 'b' }] };
  await using connected = await pair({
    capabilities: { ...stored, sessionCapabilities: { ...stored.sessionCapabilities, additionalDirectories: {} } },
    handlers: {
      'session/new': ({ cwd }) => ({ sessionId: cwd === '/project' ? 'one' : 'four' }),
      'session/load': () => ({}),
      'session/resume': () => ({}),
    },
  });
  const { agent, calls } = connected;
  const options = {
    cwd: '/project',
    additionalDirectories: ['/more', '/project', '/more', '/more/inside'],
    mcpServers: [server],
  };
  const sessions = [
    await agent.newSession(options),
    await agent.loadSession?.({ ...options, sessionId: 'two' }),
    await agent.resumeSession?.({ ...options, sessionId: 'three' }),
    await agent.newSession({ cwd: '/elsewhere', additionalDirectories: ['/elsewhere'] }),
  ];
  const full = { cwd: '/project', mcpServers: [server], additionalDirectories: ['/more', '/more/inside'] };
  const roots = ['/project', '/more', '/more/inside'];
  expect({ calls, sessions: sessions.map((session) => [session?.id, session?.cwd, session?.roots]) }).toEqual({
    calls: [
      ['session/new', full],
      ['session/load', { sessionId: 'two', ...full }],
      ['session/resume', { sessionId: 'three', ...full }],
      ['session/new', { cwd: '/elsewhere', mcpServers: [] }],
    ],
    sessions: [
      ['one', '/project', roots],
      ['two', '/project', roots],
      ['three', '/project', roots],
      ['four', '/elsewhere', ['/elsewhere']],
    ],
  });
});

test('parameters that the agent did not advertise, and a relative folder, are not sent', async () => {
  await using connected = await pair();
  const { agent, calls } = connected;
  const http = { type: 'http', name: 'a', url: 'https://example.com', headers: [] } as const;
  const codes = [
    await failure(agent.newSession({ cwd: '/', additionalDirectories: ['/more'] })),
    await failure(agent.newSession({ cwd: '/', mcpServers: [http] })),
    await failure(agent.newSession({ cwd: 'project' })),
  ].map(({ code }) => code);
  expect({ codes, calls }).toEqual({ codes: ['not-advertised', 'not-advertised', 'invalid-message'], calls: [] });
});

test('updates before the answer to a load are a replay, and later ones are not', async () => {
  const heard: unknown[] = [];
  await using connected = await pair({
    capabilities: stored,
    handlers: {
      'session/load': async ({ sessionId }, { peer }) => {
        await peer.notify('session/update', {
          sessionId,
          update: { sessionUpdate: 'user_message_chunk', content: { type: 'text', text: 'Hello' } },
        });
        await peer.notify('session/update', { sessionId, update: said('Hi') });
        return { modes: { currentModeId: 'code', availableModes: [{ id: 'code', name: 'Code' }] } };
      },
      'session/prompt': async ({ sessionId }, { peer }) => {
        await peer.notify('session/update', { sessionId, update: said('Again') });
        return { stopReason: 'end_turn' };
      },
    },
  });
  const session = await connected.agent.loadSession?.({
    sessionId: 'old',
    cwd: '/',
    onUpdate: (update, { isReplay }) => void heard.push([update.sessionUpdate, isReplay]),
  });
  const atTheAnswer = heard.length;
  await session?.prompt('go on');
  expect({ heard, atTheAnswer, mode: session?.modes?.current }).toEqual({
    heard: [
      ['user_message_chunk', true],
      ['agent_message_chunk', true],
      ['agent_message_chunk', false],
    ],
    atTheAnswer: 2,
    mode: 'code',
  });
});

/** A client's agent with handwritten answers, so that several messages can arrive at once. */
async function byHand(
  answer: (method: string, id: number) => readonly object[],
): Promise<ReturnType<typeof attachAgent>> {
  const [ours, theirs] = memoryPair();
  theirs.start({
    frame: (text) => {
      const { method, id } = JSON.parse(text) as { method: string; id: number };
      for (const message of answer(method, id)) void theirs.send(JSON.stringify({ jsonrpc: '2.0', ...message }));
      return undefined;
    },
    warning: () => undefined,
    end: () => undefined,
  });
  return attachAgent(ours);
}

const updateOf = (update: SessionUpdate): object => ({
  method: 'session/update',
  params: { sessionId: 'old', update },
});

test('a replay ends exactly at its answer, even if one chunk contains both and more', async () => {
  const agent = await byHand((method, id) =>
    method === 'initialize'
      ? [{ id, result: { protocolVersion: 1, agentCapabilities: stored } }]
      : [updateOf(said('old')), { id, result: {} }, updateOf(said('new')), updateOf(said('newer'))],
  );
  const heard: boolean[] = [];
  await new Promise<void>((resolve) => {
    const onUpdate = (_: unknown, { isReplay }: { readonly isReplay: boolean }): void => {
      if (heard.push(isReplay) === 3) resolve();
    };
    void agent.loadSession?.({ sessionId: 'old', cwd: '/', onUpdate });
  });
  await agent.close();
  expect(heard).toEqual([true, false, false]);
});

test('an agent that answers a load before it sends the history is understood', async () => {
  const agent = await byHand((method, id) =>
    method === 'initialize'
      ? [{ id, result: { protocolVersion: 1, agentCapabilities: stored } }]
      : [{ id, result: null }, updateOf(said('late'))],
  );
  const heard = new Promise((resolve) => {
    void agent.loadSession?.({ sessionId: 'old', cwd: '/', onUpdate: (update, context) => resolve([update, context]) });
  });
  expect(await heard).toEqual([said('late'), { isReplay: false }]);
  await agent.close();
});

test('a session that failed to load can be loaded again', async () => {
  const heard: string[] = [];
  let isBroken = true;
  await using connected = await pair({
    capabilities: stored,
    handlers: {
      'session/load': () => {
        if (isBroken) throw new Error('lost');
        return {};
      },
    },
  });
  const { agent, theirs } = connected;
  const options = { sessionId: 'old', cwd: '/' };
  const load = agent.loadSession as NonNullable<typeof agent.loadSession>;
  const lost = await failure(load({ ...options, onUpdate: () => void heard.push('never opened') }));
  await theirs.notify('session/update', { sessionId: 'old', update: said('to nobody') });
  isBroken = false;
  await load({ ...options, onUpdate: () => void heard.push('opened') });
  isBroken = true;
  await failure(load({ ...options, onUpdate: () => void heard.push('not opened again') }));
  await theirs.notify('session/update', { sessionId: 'old', update: said('to the one that is open') });
  await failure(theirs.request('session/request_permission', permissionRequest('elsewhere')));
  expect({ code: lost.code, heard }).toEqual({ code: -32603, heard: ['opened'] });
});

function permissionRequest(sessionId: string): {
  sessionId: string;
  toolCall: { toolCallId: string };
  options: [];
} {
  return { sessionId, toolCall: { toolCallId: 'a' }, options: [] };
}

test('each timeout is an error that says what to do, and a late answer has no effect', async () => {
  const release: (() => void)[] = [];
  const late = <Value>(value: Value): (() => Promise<Value>) => {
    return () => new Promise((resolve) => release.push(() => resolve(value)));
  };
  const mode = { currentModeId: 'a', availableModes: [{ id: 'a', name: 'A' }] };
  let isLate = false;
  const now = { sessionId: 'one', modes: mode };
  await using connected = await pair({
    capabilities: {
      loadSession: true,
      sessionCapabilities: { resume: {}, list: {}, delete: {}, close: {} },
      auth: { logout: {} },
    },
    authMethods: [{ id: 'key', name: 'Key' }],
    timeouts: Object.fromEntries(
      ['newSession', 'loadSession', 'resumeSession', 'listSessions', 'deleteSession', 'closeSession', 'set']
        .concat('logout', 'authenticate')
        .map((name) => [name, 200]),
    ),
    handlers: {
      'session/new': () => (isLate ? late({ sessionId: 'two' })() : now),
      'session/load': late({}),
      'session/resume': late({}),
      'session/list': late({ sessions: [] }),
      'session/delete': late({}),
      'session/close': late({}),
      'session/set_mode': late({}),
      logout: late({}),
      authenticate: late({}),
    },
  });
  const { agent } = connected;
  const session = await agent.newSession({ cwd: '/' });
  isLate = true;
  const waits: readonly (readonly [string, () => PromiseLike<unknown> | undefined])[] = [
    ['session/new', () => agent.newSession({ cwd: '/' })],
    ['session/load', () => agent.loadSession?.({ cwd: '/', sessionId: 'a' })],
    ['session/resume', () => agent.resumeSession?.({ cwd: '/', sessionId: 'b' })],
    ['session/list', () => agent.listSessions?.()[Symbol.asyncIterator]().next()],
    ['session/delete', () => agent.deleteSession?.('c')],
    ['session/set_mode', () => session.modes?.set('a')],
    ['logout', () => agent.logout?.()],
    ['authenticate', () => agent.authenticate('key')],
    ['session/close', () => session.close?.()],
  ];
  const failures = [];
  for (const [, wait] of waits) failures.push(await failure(wait() ?? Promise.resolve()));
  for (const answer of release) answer();
  expect(failures).toEqual(
    waits.map(([method]) => ({
      code: 'timeout',
      message: `The agent did not answer ${method} within 0.2 s; try again with a longer limit, or close the agent and start it again`,
    })),
  );
});

test('an agent that does not answer initialize over a transport is explained', async () => {
  const [ours] = memoryPair();
  expect(await failure(attachAgent(ours, { timeouts: { initialize: 10 } }))).toEqual({
    code: 'timeout',
    message:
      'No answer to initialize within 10 ms; check that the other end is an agent that speaks the Agent Client Protocol',
  });
});

test('the setup of a session can be aborted', async () => {
  await using connected = await pair({
    handlers: { 'session/new': never },
    peer: { limits: { cancel: 10 } },
  });
  const controller = new AbortController();
  const session = connected.agent.newSession({ cwd: '/', signal: controller.signal });
  controller.abort();
  expect((await failure(session)).code).toBe('cancelled');
});

test('the connection to an agent of another protocol version is closed', async () => {
  const hungUp = byHand((_, id) => [{ id, result: { protocolVersion: 77 } }]);
  expect((await failure(hungUp)).code).toBe('version-mismatch');
});
