import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { once } from 'node:events';
import type { LanguageModelV3Message } from '@ai-sdk/provider';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Conversation } from '../src/conversation/conversation.ts';
import { sessionsFolder } from '../src/config/sessions-folder.ts';
import { CoderProcess, until } from './coder-process.ts';

let state = '';

beforeEach(async () => {
  state = await realpath(await mkdtemp(join(tmpdir(), 'coder-state-')));
});

afterEach(() => rm(state, { recursive: true, force: true }));

test('a conversation can be listed, loaded, continued and deleted in another process', async () => {
  await using first = await CoderProcess.start(state);
  const session = await first.open({ 'a.txt': 'alpha' });
  await session.prompt('read a.txt then replace "alpha" with "beta" in a.txt');
  const exited = once(first.child, 'exit');
  first.child.kill('SIGKILL');
  await exited;
  await using second = await CoderProcess.start(state);
  const listed = await second.client.request('session/list', { cwd: session.folder });
  const again = await second.load(session);
  // Commands are announced after the answer, so they may have arrived already or not.
  const replayed = again.updates
    .map(({ sessionUpdate }) => sessionUpdate)
    .filter((kind) => !kind.startsWith('available'));
  await again.write('a.txt', 'alpha');
  const { stopReason } = await again.prompt('again');
  expect([
    listed.sessions.map(({ sessionId, title }) => [sessionId, title]),
    stopReason,
    await again.read('a.txt'),
  ]).toEqual([[[session.id, 'read a.txt then replace "alpha" with "beta" in a.txt']], 'end_turn', 'beta']);
  expect([...new Set(replayed)]).toEqual([
    'user_message_chunk',
    'tool_call',
    'agent_message_chunk',
    'session_info_update',
  ]);
  await second.client.request('session/delete', { sessionId: session.id });
  expect(await second.client.request('session/list', {})).toEqual({ sessions: [] });
});

test('a session without a model call is not listed but can be loaded', async () => {
  await using coder = await CoderProcess.start(state);
  const empty = await coder.open();
  const helped = await coder.open();
  await helped.prompt('/help');
  const pictured = await coder.open();
  await coder.client.request('session/prompt', {
    sessionId: pictured.id,
    prompt: [{ type: 'image', data: 'AA==', mimeType: 'image/png' }],
  });
  const { sessions } = await coder.client.request('session/list', {});
  for (const { id } of [empty, helped]) await coder.client.request('session/close', { sessionId: id });
  await coder.load(empty);
  expect([sessions.map(({ sessionId, title }) => [sessionId, title]), await coder.load(helped)]).toEqual([
    [[pictured.id, 'An image']],
    expect.objectContaining({ id: helped.id }),
  ]);
});

test('the session of an agent that was killed during a command can be loaded and continues', async () => {
  await using first = await CoderProcess.start(state);
  const session = await first.open();
  const turn = session.prompt('create a.txt with "A" then run echo $$ > pid; exec sleep 60').catch(() => 'gone');
  await until(async () => /^\d+\n$/.test(await session.read('pid').catch(() => '')));
  const exited = once(first.child, 'exit');
  first.child.kill('SIGKILL');
  await exited;
  process.kill(Number(await session.read('pid')));
  await using second = await CoderProcess.start(state);
  const again = await second.load(session);
  const calls = again.updates.flatMap((update) =>
    update.sessionUpdate === 'tool_call' ? [[update.name, update.status]] : [],
  );
  expect([await turn, calls, (await again.prompt('read a.txt')).said]).toEqual([
    'gone',
    [
      ['write', 'completed'],
      ['execute', 'failed'],
    ],
    '`a.txt`:\n\n```\nA\n```',
  ]);
});

test.each([
  [{ TURNWIRE_CODER_SESSIONS: 'off', XDG_STATE_HOME: '/state' }, false],
  [{ TURNWIRE_CODER_SESSIONS: '/sessions', XDG_STATE_HOME: '/state' }, '/sessions'],
  [{ TURNWIRE_CODER_SESSIONS: 'here', XDG_STATE_HOME: '/state' }, '/state/turnwire/coder/sessions'],
  [{ XDG_STATE_HOME: 'here' }, join(homedir(), '.local/state/turnwire/coder/sessions')],
  [{}, join(homedir(), '.local/state/turnwire/coder/sessions')],
])('with %j sessions are stored in %j', (env, folder) => {
  expect(sessionsFolder(env)).toBe(folder);
});

test('an interrupted conversation is completed for the model', () => {
  const user: LanguageModelV3Message = { role: 'user', content: [{ type: 'text', text: 'go' }] };
  const call = { type: 'tool-call', toolCallId: '1', toolName: 'read', input: {} } as const;
  const result = {
    type: 'tool-result',
    toolCallId: '1',
    toolName: 'read',
    output: { type: 'text', value: 'x' },
  } as const;
  const lost = { ...result, output: { type: 'error-text', value: 'Interrupted: it is unknown whether it ran.' } };
  const asks: LanguageModelV3Message = { role: 'assistant', content: [{ type: 'text', text: 'Hm.' }, call] };
  expect([
    new Conversation([user, asks, { role: 'tool', content: [result] }, null, { note: 1 }]).messages,
    new Conversation([user, asks]).messages,
    new Conversation([user, asks, user]).messages,
  ]).toEqual([
    [user, asks, { role: 'tool', content: [result] }],
    [user, asks, { role: 'tool', content: [lost] }],
    [user, asks, { role: 'tool', content: [lost] }, user],
  ]);
});
