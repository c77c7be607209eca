import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { TokenFile } from '../src/auth/token-file.ts';
import { openHttpServer } from '../src/endpoints/index.ts';
import { Gateway, type Principal } from '../src/index.ts';
import { memoryStore } from '@turnwire/runtime';
import { testAgent } from './attached-agent.ts';
import { testClient, words } from './gateway-client.ts';
import { speaker } from './speaker.ts';

const cwd = tmpdir();

/** The error code of a refused request. */
function refusal(asked: Promise<unknown>): Promise<unknown> {
  return asked.then(
    () => 'none',
    (error: unknown) => (error as { readonly code: number }).code,
  );
}

test('an observer of one session sees that session, and nothing of any other', async () => {
  const auth = { methods: [{ id: 'any', name: 'Any' }], authenticate: () => undefined };
  const { hosted } = testAgent({ ...speaker().definition, auth });
  await using gateway = new Gateway({ store: memoryStore(), agents: { test: hosted }, cwd });
  const client = await testClient(gateway);
  const begun = async (prompt: string): Promise<string> => {
    const { sessionId } = await client.peer.request('session/new', { cwd, mcpServers: [] });
    await client.peer.request('session/prompt', { sessionId, prompt: words(prompt) });
    return sessionId;
  };
  const [shown, hidden] = [await begun('one'), await begun('two')];
  const principal: Principal = { tenant: 'local', scope: 'observe', session: shown };
  const guest = await testClient(gateway, { principal });
  await guest.peer.request('session/load', { sessionId: shown, cwd, mcpServers: [] });
  const { sessions } = await guest.peer.request('session/list', {});
  expect({
    listed: sessions.map(({ sessionId }) => sessionId),
    seen: guest.seen,
    load: await refusal(guest.peer.request('session/load', { sessionId: hidden, cwd, mcpServers: [] })),
    resume: await refusal(guest.peer.request('session/resume', { sessionId: hidden, cwd })),
    history: await refusal(guest.peer.raw.request('_turnwire/history', { sessionId: hidden })),
    delete: await refusal(guest.peer.request('session/delete', { sessionId: hidden })),
    prompt: await refusal(guest.peer.request('session/prompt', { sessionId: shown, prompt: words('no') })),
    begin: await refusal(guest.peer.request('session/new', { cwd, mcpServers: [] })),
    logIn: await refusal(guest.peer.request('authenticate', { methodId: 'any' })),
  }).toEqual({
    listed: [shown],
    seen: expect.arrayContaining(['> one', 'one']) as unknown,
    load: -32_002,
    resume: -32_002,
    history: -32_002,
    delete: -32_600,
    prompt: -32_600,
    begin: -32_600,
    logIn: -32_600,
  });
});

test('a controlling client can create a token to watch one session for a limited time, which lists no files', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'turnwire-watching-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const tokens = new TokenFile(join(folder, 'tokens.json'));
  const web = { folder, roots: [folder], files: async () => ['notes.txt'] };
  await using server = await openHttpServer(
    { agents: ['test'], tokens, web, hasSession: async (tenant, id) => tenant === 'ada' && id === 'session-1' },
    () => ({ closed: Promise.resolve() }),
  );
  const { token: own } = await tokens.create({ label: 'own', tenant: 'ada', scope: 'control', expiresAt: null });
  const ask = async (
    path: string,
    token: string,
    body?: object,
  ): Promise<{ readonly status: number; readonly text: string }> => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const sent = body && { method: 'POST', body: JSON.stringify(body) };
    const answer = await fetch(new URL(path, server.url), { headers, ...sent });
    return { status: answer.status, text: await answer.text() };
  };
  const share = (token: string, hours: unknown): Promise<{ readonly status: number; readonly text: string }> =>
    ask('/shares', token, { sessionId: 'session-1', hours });
  const before = Date.now();
  const { token } = JSON.parse((await share(own, 2)).text) as { readonly token: string };
  const principal = await tokens.principalOf(token);
  const lasts = ((await tokens.list()).at(-1)?.expiresAt ?? 0) - before;
  expect({
    principal,
    lasts: Math.round(lasts / 60_000),
    about: JSON.parse((await ask('/server', token)).text) as unknown,
    files: (await ask(`/files?folder=${folder}`, token)).status,
    ownFiles: (await ask(`/files?folder=${folder}`, own)).status,
    again: (await share(token, 1)).status,
    stranger: (await share('no-token', 1)).status,
    tooLong: (await share(own, 721)).status,
    forEver: (await share(own, undefined)).status,
    unknown: await ask('/shares', own, { sessionId: 'session-2', hours: 1 }),
  }).toEqual({
    principal: { id: expect.any(String) as unknown, tenant: 'ada', scope: 'observe', session: 'session-1' },
    lasts: 120,
    about: { agents: ['test'], roots: [], scope: 'observe' },
    files: 403,
    ownFiles: 200,
    again: 403,
    stranger: 401,
    tooLong: 400,
    forEver: 400,
    unknown: { status: 404, text: 'There is no such session.\n' },
  });
});
