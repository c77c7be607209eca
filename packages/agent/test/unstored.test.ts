import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { memoryStore } from '../src/index.ts';
import { sessionStore } from '../src/node/index.ts';
import type { SessionEntry, SessionJournal, SessionStore } from '../src/index.ts';
import { EntryQueue } from '../src/session/entry-queue.ts';
import { pair } from './agent-pair.ts';
import { held } from './store/store-contract.ts';

const event = 'the session cannot be stored at the moment; it continues in memory';
const noticing = { capabilities: { session: { notices: {} } } } as const;
const title = 'This conversation is not being stored';

function failsToBegin(code: string): SessionStore {
  return {
    ...memoryStore(),
    create: () => Promise.reject(Object.assign(new Error('failed in /secret'), { code })),
  };
}

test.each([
  ['ENOSPC', 'the disk is full: free some space'],
  ['EACCES', 'the agent has no permission to write to its session folder: change the permissions of that folder'],
  ['EODD', 'storing it failed (EODD): find the reason in the agent’s log and fix it'],
])(
  'a session that cannot be stored because of %s starts anyway, and its first turn reports it',
  async (code, cause) => {
    const { open, prompt, received, logged } = await pair(
      { store: failsToBegin(code), prompt: (turn) => turn.say('hello') },
      noticing,
    );
    const id = await open();
    await prompt(id, 'one');
    await prompt(id, 'two');
    const description = `It continues, but new messages are only in memory, because ${cause}. As soon as storing works again, all of it is stored.`;
    expect(received.filter((update) => 'sessionUpdate' in update && update.sessionUpdate === 'notice')).toEqual([
      { sessionUpdate: 'notice', severity: 'warning', title, description },
    ]);
    expect([received[0], logged.map((entry) => entry.event)]).toMatchObject([{ sessionUpdate: 'notice' }, [event]]);
  },
);

test('clients without notices get a message before anything else', async () => {
  const { open, prompt, received } = await pair({
    store: failsToBegin('ENOSPC'),
    prompt: (turn) => turn.say('hello'),
  });
  await prompt(await open(), 'one');
  const texts = received.map((update) => (update as { content?: { text?: string } }).content?.text);
  expect(texts).toEqual([expect.stringContaining(title), 'hello', undefined]);
});

test("a session starts although the store's folder is a file, and is neither listed nor lost by a load", async () => {
  const folder = await mkdtemp(join(tmpdir(), 'unstored-'));
  try {
    await writeFile(join(folder, 'sessions'), '');
    const { client, open, prompt, logged } = await pair({ store: sessionStore(join(folder, 'sessions')) });
    const sessionId = await open();
    await expect(client.request('session/load', { sessionId, cwd: '/', mcpServers: [] })).rejects.toThrow(
      `Session ${sessionId} is open, and its latest messages could not be stored: continue with the open session`,
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

test('a store that fails in the middle is reported once, and the conversation continues', async () => {
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

/** A memory store whose disk is full as long as `isFull` says so. */
function sometimesFull(isFull: () => boolean): SessionStore {
  const inner = memoryStore();
  const refuseIfFull = (): void => {
    if (isFull()) throw Object.assign(new Error('no space'), { code: 'ENOSPC' });
  };
  return {
    open: (id) => inner.open(id),
    list: (query) => inner.list(query),
    delete: (id) => inner.delete(id),
    create: async (header) => {
      refuseIfFull();
      const journal = await inner.create(header);
      const append: SessionJournal['append'] = async (entry) => {
        refuseIfFull();
        await journal.append(entry);
      };
      return { append, close: () => journal.close() };
    },
  };
}

const notices = (received: readonly object[]): readonly unknown[] =>
  received.flatMap((update) => ('severity' in update && 'title' in update ? [[update.severity, update.title]] : []));

const said = async (store: SessionStore, id: string): Promise<readonly string[] | undefined> =>
  (await held(store, id))?.flatMap((entry) => {
    if (entry.type === 'prompt') return entry.prompt.map((block) => (block.type === 'text' ? block.text : block.type));
    if (entry.type !== 'update' || entry.update.sessionUpdate !== 'agent_message_chunk') return [];
    return [(entry.update.content as { text: string }).text];
  });

test.each([
  ['when the session begins', 0],
  ['later', 1],
])('entries that a full disk refused %s are stored in order once there is space', async (_, from) => {
  let turns = 0;
  const store = sometimesFull(() => turns >= from && turns < 3);
  const { client, open, prompt, received, logged } = await pair(
    { store, prompt: (turn) => turn.say(`answer to ${turn.text}`) },
    noticing,
  );
  const id = await open();
  for (const text of ['one', 'two', 'three', 'four', 'five']) {
    await prompt(id, text);
    turns++;
  }
  await client.request('session/close', { sessionId: id });
  const words = ['one', 'two', 'three', 'four', 'five'].flatMap((text) => [text, `answer to ${text}`]);
  expect([await said(store, id), notices(received), logged.map((entry) => entry.event)]).toEqual([
    words,
    [
      ['warning', title],
      ['info', 'This conversation is being stored again'],
    ],
    [event],
  ]);
});

test('entries that wait when the session is closed are retried once', async () => {
  let isFull = true;
  const store = sometimesFull(() => isFull);
  const { client, open, prompt } = await pair({ store, prompt: (turn) => turn.say('hello') }, noticing);
  const id = await open();
  await prompt(id, 'one');
  isFull = false;
  await client.request('session/close', { sessionId: id });
  expect(await said(store, id)).toEqual(['one', 'hello']);
});

test('when too many entries wait, storing stops and the user is notified', async () => {
  const changes: unknown[] = [];
  const error = new Error('no space');
  const written: SessionEntry[] = [];
  let isFull = true;
  const queue = new EntryQueue({
    open: () =>
      Promise.resolve({
        append: async (entry) => void (isFull ? await Promise.reject(error) : written.push(entry)),
        close: () => Promise.resolve(),
      }),
    log: () => undefined,
    mostWaiting: 200,
  });
  for (let number = 0; number < 10; number++) {
    await queue.add({ type: 'kept', value: `${number} ${'x'.repeat(30)}` });
    const change = queue.takeChange();
    if (change) changes.push(change);
  }
  isFull = false;
  await queue.add({ type: 'kept', value: 'late' });
  expect([changes, written, queue.isStoring]).toEqual([
    [
      { to: 'failing', error },
      { to: 'given up', error },
    ],
    [],
    false,
  ]);
});
