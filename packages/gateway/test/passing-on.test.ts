import { tmpdir } from 'node:os';
import { attachAgent } from '@turnwire/client';
import { connectAgent, type SessionUpdate } from '@turnwire/protocol';
import type { Question, QuestionChoice } from '@turnwire/permissions';
import { memoryPair } from '@turnwire/transports/memory';
import { expect, test } from 'vitest';
import { type AuditEntry, Gateway, type Principal } from '../src/index.ts';
import { type HostedAgent, memoryStore } from '@turnwire/runtime';
import { permissionAnswer, permissionRequest } from '../src/clients/permission-request.ts';
import { testAgent } from './attached-agent.ts';
import { testClient, words } from './gateway-client.ts';
import { speaker } from './speaker.ts';

const cwd = tmpdir();

test('the audit log records connections, prompts, permission requests and answers, but no prompt text', async () => {
  const { definition } = speaker();
  const entries: AuditEntry[] = [];
  const gateway = new Gateway({
    store: memoryStore(),
    agents: { test: testAgent(definition).hosted },
    cwd,
    audit: (entry) => entries.push(entry),
  });
  const client = await testClient(gateway, {
    handlers: {
      'session/request_permission': ({ options }) => ({
        outcome: { outcome: 'selected', optionId: options[0]?.optionId as string },
      }),
    },
  });
  const { sessionId } = await client.peer.request('session/new', { cwd, mcpServers: [] });
  await client.peer.request('session/prompt', { sessionId, prompt: words('secret ask') });
  await client.peer.request('session/delete', { sessionId });
  await gateway.close();
  const { connection } = entries[0] as AuditEntry;
  const asked = { connection, client: 'test', tenant: 'local', session: sessionId };
  const tool = expect.stringMatching(/ allowed: /);
  expect(entries.map(({ at: _, ...entry }) => entry)).toEqual([
    { what: 'connected', tenant: 'local', connection, agent: 'test' },
    { what: 'created', tenant: 'local', session: sessionId, agent: 'test', cwd },
    { what: 'prompt', ...asked, detail: '1-1' },
    { what: 'permission-asked', tenant: 'local', session: sessionId, detail: 'Run a thing' },
    { what: 'permission-answered', ...asked, detail: tool },
    { what: 'turn-ended', ...asked, detail: '1-1 end_turn' },
    { what: 'deleted', tenant: 'local', session: sessionId },
    { what: 'disconnected', tenant: 'local', connection, agent: 'test' },
  ]);
});

const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
const options = { claudeCode: { options: { mcpServers: { evil: { command: 'evil' } } } } };

/** The `_meta` that the agent receives in a new session, a fork and prompts, when a principal sends all of this. */
async function passedOn(principal: Principal): Promise<unknown> {
  const received: unknown[] = [];
  const start: HostedAgent['start'] = (given) => {
    const [near, far] = memoryPair();
    const note = ({ _meta }: { readonly _meta?: unknown }): void => void received.push(_meta);
    connectAgent(far, {
      initialize: () => ({ protocolVersion: 1, agentCapabilities: { sessionCapabilities: { fork: {} } as object } }),
      'session/new': (request) => (note(request), { sessionId: 's' }),
      'session/prompt': (request) => (note(request), { stopReason: 'end_turn' }),
      '*': (request) => (note(request as object), { sessionId: 'fork' }),
    });
    return attachAgent(near, given);
  };
  await using gateway = new Gateway({ store: memoryStore(), agents: { test: { start } }, cwd });
  const { peer } = await testClient(gateway, { principal });
  const _meta = { traceparent, ...options };
  const { sessionId } = await peer.request('session/new', { cwd, mcpServers: [], _meta });
  const key = { turnwire: { key: 'k1' } };
  await peer.request('session/prompt', { sessionId, prompt: words('one'), _meta: { ..._meta, ...key } });
  await peer.request('session/prompt', { sessionId, prompt: words('two') });
  const fork = { turnwire: { withoutLast: 1, guest: false } };
  await peer.raw.request('session/fork', { sessionId, cwd, _meta: { ..._meta, ...fork } }).catch(() => undefined);
  await peer.raw.request('_agent/own', { sessionId, _meta });
  return received;
}

test('the agent receives the owner’s _meta without the gateway’s own key', async () => {
  const all = { traceparent, ...options };
  const fork = { ...all, turnwire: { withoutLast: 1 } };
  expect(await passedOn({ tenant: 'local', scope: 'admin', isOwner: true })).toEqual([all, all, undefined, fork, all]);
});

test.each<Principal>([
  { tenant: 'local', scope: 'control' },
  { tenant: 'blue', scope: 'admin' },
])(
  'of what %j says in _meta only the trace reaches the agent, which learns that the prompts are not the owner’s',
  async (principal) => {
    const guest = { turnwire: { guest: true } };
    expect(await passedOn(principal)).toEqual([
      { traceparent },
      { traceparent, ...guest },
      guest,
      { traceparent, turnwire: { withoutLast: 1 } },
      { traceparent, ...guest },
    ]);
  },
);

test('only the owner can remember an answer for the project, and only the owner is offered that option', () => {
  const once = { optionId: 'yes', name: 'Yes', kind: 'allow_once' } as const;
  const choices = (['session', 'project'] as const).map((remember): QuestionChoice => ({
    word: 'Always',
    kind: 'allow_once',
    remember,
    option: 0,
  }));
  const question = {
    request: { sessionId: 's', toolCall: { toolCallId: 'c' }, options: [once] },
    view: { toolCallId: 'c', proposedRule: 'Bash(npm test)', choices },
  } as unknown as Question;
  const outcome = { outcome: { outcome: 'selected', optionId: 'turnwire-project' } } as const;
  const seen = [true, false].map((isOwner) => {
    const asked = permissionRequest(question, { sessionId: 's', isOwner });
    const { question: view } = (asked._meta?.['turnwire'] ?? {}) as {
      readonly question?: { readonly choices: readonly unknown[] };
    };
    return {
      options: asked.options.map(({ optionId }) => optionId),
      choices: view?.choices.length,
      project: permissionAnswer(question, outcome, isOwner),
    };
  });
  expect(seen).toEqual([
    { options: ['turnwire-session', 'turnwire-project'], choices: 2, project: { option: once, remember: 'project' } },
    { options: ['turnwire-session'], choices: 1, project: undefined },
  ]);
});

/** A gateway whose agent sends updates before and after the answer to `session/new`, and changes its mode by itself in a turn. */
function talkative(): Gateway {
  const start: HostedAgent['start'] = (given) => {
    const [near, far] = memoryPair();
    const commands = [{ name: 'review', description: 'Reviews' }];
    const agent = connectAgent(far, {
      initialize: () => ({ protocolVersion: 1, agentCapabilities: { sessionCapabilities: { resume: {} } } }),
      'session/new': () => {
        const sessionId = 's';
        const tell = (update: SessionUpdate): void => void agent.notify('session/update', { sessionId, update });
        tell({ sessionUpdate: 'session_info_update', title: 'Before' });
        queueMicrotask(() => tell({ sessionUpdate: 'available_commands_update', availableCommands: commands }));
        const availableModes = ['ask', 'code'].map((id) => ({ id, name: id }));
        return { sessionId, modes: { currentModeId: 'ask', availableModes } };
      },
      'session/prompt': async ({ sessionId }) => {
        await agent.notify('session/update', {
          sessionId,
          update: { sessionUpdate: 'current_mode_update', currentModeId: 'code' },
        });
        return { stopReason: 'end_turn' };
      },
    });
    return attachAgent(near, given);
  };
  return new Gateway({ store: memoryStore(), agents: { test: { start } }, cwd });
}

test('updates that an agent sends before or after its answer to session/new arrive once, after the answer', async () => {
  await using gateway = talkative();
  const { peer, seen } = await testClient(gateway);
  const { sessionId } = await peer.request('session/new', { cwd, mcpServers: [] });
  const atAnswer = [...seen];
  await peer.request('session/prompt', { sessionId, prompt: words('one') });
  expect({ atAnswer, seen }).toEqual({
    atAnswer: [],
    seen: ['session_info_update', 'available_commands_update', 'current_mode_update'],
  });
});

test('a client that resumes a session gets the mode that the agent set itself', async () => {
  await using gateway = talkative();
  const { peer } = await testClient(gateway);
  const { sessionId } = await peer.request('session/new', { cwd, mcpServers: [] });
  await peer.request('session/prompt', { sessionId, prompt: words('one') });
  const other = await testClient(gateway);
  const { modes } = await other.peer.request('session/resume', { sessionId, cwd, mcpServers: [] });
  expect(modes?.currentModeId).toBe('code');
});
