import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AgentDefinition } from '@turnwire/agent';
import { FolderRecord } from '@turnwire/machine/folder-record';
import { errorCodes, type ProtocolError, type SessionUpdate } from '@turnwire/protocol';
import { v1Unstable } from '@turnwire/protocol/unstable';
import { expect, test } from 'vitest';
import { Gateway } from '../src/index.ts';
import { memoryStore } from '@turnwire/runtime';
import { TurnRecorder } from '@turnwire/runtime/review';
import { testAgent } from './attached-agent.ts';
import { testClient, words } from './gateway-client.ts';
import { speaker } from './speaker.ts';

const cwd = tmpdir();
const admin = { tenant: 'local', scope: 'admin', isOwner: true } as const;

function forkingGateway(): Gateway {
  const { definition } = speaker();
  const forking = {
    ...definition,
    edition: v1Unstable as never,
    sessionForked: () => ({ turnwire: { restored: 'All files.' } }),
  };
  return new Gateway({ store: memoryStore(), agents: { test: testAgent(forking).hosted }, cwd });
}

test('a forked session is a session of the gateway with a log of its own', async () => {
  await using gateway = forkingGateway();
  const { peer } = await testClient(gateway);
  const { sessionId } = await peer.request('session/new', { cwd, mcpServers: [] });
  for (const word of ['one', 'two']) await peer.request('session/prompt', { sessionId, prompt: words(word) });
  const _meta = { turnwire: { withoutLast: 1 } };
  const forked = (await peer.raw.request('session/fork', { sessionId, cwd, mcpServers: [], _meta })) as {
    readonly sessionId: string;
    readonly _meta: { readonly turnwire: object };
  };
  await peer.request('session/prompt', { sessionId: forked.sessionId, prompt: words('three') });
  await peer.request('session/prompt', { sessionId, prompt: words('four') });
  const seenBy = async (id: string): Promise<readonly string[]> => {
    const reader = await testClient(gateway);
    await reader.peer.request('session/load', { sessionId: id, cwd, mcpServers: [] });
    return reader.seen.filter((text) => text.startsWith('> '));
  };
  const { sessions } = await peer.request('session/list', {});
  expect({
    meta: forked._meta.turnwire,
    source: await seenBy(sessionId),
    fork: await seenBy(forked.sessionId),
    listed: sessions.length,
  }).toEqual({
    meta: expect.objectContaining({ role: 'control', restored: 'All files.' }) as object,
    source: ['> one', '> two', '> four'],
    fork: ['> one', '> three'],
    listed: 2,
  });
});

test('an agent is asked to fork once the last turn is recorded, because it may restore the files of that turn', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'turnwire-fork-'));
  const steps: string[] = [];
  let letRecord = (): void => undefined;
  const canRecord = new Promise<void>((resolve) => (letRecord = resolve));
  const { definition } = speaker();
  const forking = { ...definition, edition: v1Unstable as never, sessionForked: () => void steps.push('forked') };
  const record = new FolderRecord(folder, join(folder, 'records'));
  const end = record.end.bind(record);
  record.end = async (turn) => {
    await canRecord;
    await end(turn);
    steps.push('recorded');
  };
  await using gateway = new Gateway({
    ...{ store: memoryStore(), agents: { test: testAgent(forking).hosted }, cwd: folder },
    recorder: ({ id, agent }) => new TurnRecorder(record, { sessionId: id, agent }),
  });
  const { peer } = await testClient(gateway);
  const { sessionId } = await peer.request('session/new', { cwd: folder, mcpServers: [] });
  await peer.request('session/prompt', { sessionId, prompt: words('one') });
  const forked = peer.raw.request('session/fork', { sessionId, cwd: folder, mcpServers: [] });
  // Time for the agent to answer a fork that does not wait.
  await Promise.race([forked, repeat(50, () => peer.request('session/list', {}))]);
  letRecord();
  await forked;
  await rm(folder, { recursive: true, maxRetries: 5 });
  expect(steps).toEqual(['recorded', 'forked']);
});

async function repeat(times: number, work: () => Promise<unknown>): Promise<void> {
  for (let each = 0; each < times; each++) await work();
}

test('an agent that forks after a message receives the message before the chosen prompt', async () => {
  const forking: AgentDefinition = {
    info: { name: 'forking', version: '1.0.0' },
    edition: v1Unstable as never,
    prompt: (turn) => turn.update({ ...chunk(turn.text), messageId: `answer to ${turn.text}` }),
    sessionForked: (_session, { meta }) => ({ turnwire: { restored: JSON.stringify(meta ?? null) } }),
  };
  const hosted = { ...testAgent(forking).hosted, differences: { forksAfterMessage: true } as const };
  await using gateway = new Gateway({ store: memoryStore(), agents: { test: hosted }, cwd });
  const { peer } = await testClient(gateway);
  const { sessionId } = await peer.request('session/new', { cwd, mcpServers: [] });
  for (const word of ['one', 'two', 'three']) await peer.request('session/prompt', { sessionId, prompt: words(word) });
  const told = async (withoutLast: number): Promise<unknown> => {
    const forked = peer.raw.request('session/fork', { sessionId, _meta: { turnwire: { withoutLast } } });
    return forked.then(
      (answer) =>
        JSON.parse((answer as { _meta: { turnwire: { restored: string } } })._meta.turnwire.restored) as unknown,
      (error: unknown) => (error as ProtocolError).code,
    );
  };
  const after = (word: string): object => ({
    jetbrains: { air: { fork: { version: 1, messageId: `answer to ${word}` } } },
  });

  expect([await told(1), await told(2), await told(3), await told(0)]).toEqual([
    after('two'),
    after('one'),
    // No message precedes the first prompt.
    errorCodes.invalidParams,
    null,
  ]);
});

function chunk(text: string): SessionUpdate & { readonly sessionUpdate: 'agent_message_chunk' } {
  return { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } };
}

test('an agent that stores its forks is ended after a fork, and the next prompt starts it again', async () => {
  const { definition } = speaker();
  const agent = testAgent({ ...definition, edition: v1Unstable as never, sessionForked: () => undefined });
  const hosted = { ...agent.hosted, differences: { keepsForks: true } as const };
  await using gateway = new Gateway({ store: memoryStore(), agents: { test: hosted }, cwd });
  const { peer } = await testClient(gateway, { principal: admin });
  const { sessionId } = await peer.request('session/new', { cwd, mcpServers: [] });
  await peer.request('session/prompt', { sessionId, prompt: words('one') });
  const starts = [agent.starts];
  await peer.request('_turnwire/fork', { sessionId });
  const { stopReason } = await peer.request('session/prompt', { sessionId, prompt: words('two') });
  starts.push(agent.starts);

  expect({ starts, stopReason }).toEqual({ starts: [1, 2], stopReason: 'end_turn' });
});

test('an administrator gets a fork of the agent that no process has open', async () => {
  await using gateway = forkingGateway();
  const { peer } = await testClient(gateway, { principal: admin });
  const { sessionId } = await peer.request('session/new', { cwd, mcpServers: [] });
  await peer.request('session/prompt', { sessionId, prompt: words('one') });
  const fork = (await peer.request('_turnwire/fork', { sessionId })) as { readonly agentSessionId: string };
  const { agentSessionId } = fork;
  const meta = { turnwire: { agentSessionId } };
  const opened = await peer.request('session/new', { cwd, mcpServers: [], _meta: meta });
  const answer = await peer.request('session/prompt', { sessionId: opened.sessionId, prompt: words('two') });
  expect([fork, answer.stopReason]).toEqual([
    { agentSessionId: expect.any(String) as string, restored: 'All files.' },
    'end_turn',
  ]);
});

test('a fork is refused to clients without permission, and by agents that cannot fork', async () => {
  await using gateway = forkingGateway();
  await using other = new Gateway({
    store: memoryStore(),
    agents: { test: testAgent(speaker().definition).hosted },
    cwd,
  });
  const [{ peer }, { peer: plain }] = [await testClient(gateway), await testClient(other, { principal: admin })];
  const { sessionId } = await peer.request('session/new', { cwd, mcpServers: [] });
  const { sessionId: unforked } = await plain.request('session/new', { cwd, mcpServers: [] });
  const codes = [
    peer.request('_turnwire/fork', { sessionId }),
    peer.raw.request('session/fork', { sessionId: 'none', cwd }),
    peer.raw.request('session/fork', { sessionId, cwd: 'relative' }),
    plain.request('_turnwire/fork', { sessionId: unforked }),
    plain.raw.request('session/fork', { sessionId: unforked, cwd }),
  ].map((asked) => asked.then(JSON.stringify, (error: unknown) => (error as ProtocolError).code));
  const { methodNotFound, invalidParams } = errorCodes;
  expect(await Promise.all(codes)).toEqual([
    invalidParams,
    errorCodes.resourceNotFound,
    invalidParams,
    methodNotFound,
    methodNotFound,
  ]);
});
