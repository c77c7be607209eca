import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { memoryStore, sessionStore } from '../src/index.ts';
import type { SessionStore } from '../src/index.ts';
import { pair } from './agent-pair.ts';

const event = 'the session can no longer be stored; it goes on without';
const noticing = { capabilities: { session: { notices: {} } } } as const;
const title = 'This conversation is not being stored';

function failsToBegin(code: string): SessionStore {
  return {
    ...memoryStore(),
    create: () => Promise.reject(Object.assign(new Error('failed in /secret'), { code })),
  };
}

test.each([
  ['ENOSPC', 'the disk is full: make room'],
  ['EACCES', 'the agent may not write where it keeps sessions: change that folder’s permissions'],
  ['EODD', 'storing it failed (EODD): the agent’s log says why. Mend that'],
])('a session that cannot be stored for %s begins all the same, and its first turn says so', async (code, cause) => {
  const { open, prompt, received, logged } = await pair(
    { store: failsToBegin(code), prompt: (turn) => turn.say('hello') },
    noticing,
  );
  const id = await open();
  await prompt(id, 'one');
  await prompt(id, 'two');
  const description = `It goes on, but what is said from here on cannot be loaded later, since ${cause}, then begin a new session.`;
  expect(received.filter((update) => 'sessionUpdate' in update && update.sessionUpdate === 'notice')).toEqual([
    { sessionUpdate: 'notice', severity: 'warning', title, description },
  ]);
  expect([received[0], logged.map((entry) => entry.event)]).toMatchObject([{ sessionUpdate: 'notice' }, [event]]);
});

test('clients that know no notices are told in a message, before anything else', async () => {
  const { open, prompt, received } = await pair({
    store: failsToBegin('ENOSPC'),
    prompt: (turn) => turn.say('hello'),
  });
  await prompt(await open(), 'one');
  const texts = received.map((update) => (update as { content?: { text?: string } }).content?.text);
  expect(texts).toEqual([expect.stringContaining(title), 'hello', undefined]);
});

test('a session begins although the folder of the store is a file, and is neither listed nor lost by a load', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'unstored-'));
  try {
    await writeFile(join(folder, 'sessions'), '');
    const { client, open, prompt, logged } = await pair({ store: sessionStore(join(folder, 'sessions')) });
    const sessionId = await open();
    await expect(client.request('session/load', { sessionId, cwd: '/', mcpServers: [] })).rejects.toThrow(
      `Session ${sessionId} is open, and what was said in it could not be stored: go on with it as it is`,
    );
    expect([
      await prompt(sessionId, 'still there?'),
      await client.request('session/list', {}),
      logged.map((entry) => entry.event),
      await readdir(folder),
    ]).toEqual([{ stopReason: 'end_turn' }, { sessions: [] }, [event], ['sessions']]);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});

test('a store that fails in the middle is reported once, and the conversation goes on', async () => {
  const inner = memoryStore();
  const failing: SessionStore = {
    ...inner,
    create: async (header) => {
      const journal = await inner.create(header);
      return { append: () => Promise.reject(new Error('no space')), close: () => journal.close() };
    },
  };
  const { open, prompt, received, logged } = await pair({ store: failing }, noticing);
  const id = await open();
  await prompt(id, 'one');
  await prompt(id, 'two');
  await prompt(id, 'three');
  expect([received.filter((update) => 'sessionUpdate' in update), logged.map((entry) => entry.event)]).toMatchObject([
    [{ sessionUpdate: 'notice', title }],
    [event],
  ]);
});
