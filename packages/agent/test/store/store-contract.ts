import { expect, test } from 'vitest';
import type { SessionEntry, SessionHeader, SessionStore, StoredSession } from '../../src/index.ts';

/** A header of a session called like this. */
export function header(id: string, more: Partial<SessionHeader> = {}): SessionHeader {
  return { id, cwd: '/home', additionalDirectories: [], createdAt: '2026-01-01T00:00:00.000Z', ...more };
}

export const entries: readonly SessionEntry[] = [
  { type: 'prompt', messageId: 'm1', prompt: [{ type: 'text', text: 'Grüße 🌍' }] },
  {
    type: 'update',
    update: { sessionUpdate: 'agent_message_chunk', messageId: 'm2', content: { type: 'text', text: 'Hello\nthere' } },
  },
  { type: 'kept', value: { role: 'assistant', nested: [1, null, '\u2028'] } },
  { type: 'mode', modeId: 'ask' },
  { type: 'option', id: 'fast', value: true },
  { type: 'title', title: 'A greeting' },
  { type: 'end', stopReason: 'end_turn', title: 'A greeting' },
];

/** Begins a session with these entries and lets go of it. */
export async function stored(
  store: SessionStore,
  begun: SessionHeader,
  written: readonly SessionEntry[] = [],
): Promise<void> {
  const journal = await store.create(begun);
  for (const entry of written) await journal.append(entry);
  await journal.close();
}

/** What a session holds. */
export async function held(store: SessionStore, id: string): Promise<readonly SessionEntry[] | undefined> {
  const opened = await store.open(id);
  await opened?.journal.close();
  return opened?.entries;
}

/** Every page of a list, one after the other. */
async function pages(store: SessionStore, cwd?: string): Promise<readonly (readonly StoredSession[])[]> {
  const found: (readonly StoredSession[])[] = [];
  for (let cursor: string | undefined; ;) {
    const page = await store.list({ cwd, cursor });
    found.push(page.sessions);
    cursor = page.nextCursor;
    if (cursor === undefined) return found;
  }
}

const tick = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 5));

/**
 * What every store must do.
 * @param make a new, empty store with pages of two sessions, and an `openTimeout` of so many milliseconds
 */
export function storeContract(make: (openTimeout?: number) => Promise<SessionStore>): void {
  test('a session can be read while it is open; a missing one is undefined', async () => {
    const store = await make();
    const journal = await store.create(header('one'));
    for (const entry of entries) await journal.append(entry);
    const read = [await store.read?.('one'), await store.read?.('two')];
    await journal.close();
    expect(read).toEqual([{ header: header('one'), entries }, undefined]);
  });

  test('written entries are returned on reopening, and more can be appended', async () => {
    const store = await make();
    await stored(store, header('one', { additionalDirectories: ['/more'] }), entries.slice(0, 3));
    const first = await store.open('one');
    for (const entry of entries.slice(3)) await first?.journal.append(entry);
    await first?.journal.close();
    const second = await store.open('one');
    await second?.journal.close();
    expect([first?.entries, second?.header, second?.entries]).toEqual([
      entries.slice(0, 3),
      header('one', { additionalDirectories: ['/more'] }),
      entries,
    ]);
  });

  test('entries appended at the same time keep their order', async () => {
    const store = await make();
    const journal = await store.create(header('one'));
    const many = Array.from({ length: 50 }, (_, index): SessionEntry => ({ type: 'kept', value: index }));
    await Promise.all(many.map((entry) => journal.append(entry)));
    await journal.close();
    expect(await held(store, 'one')).toEqual(many);
  });

  test('an unknown session is undefined', async () => {
    const store = await make();
    expect([await store.open('nowhere'), await store.open('../one'), await store.list({})]).toEqual([
      undefined,
      undefined,
      { sessions: [] },
    ]);
    await store.delete('nowhere');
    await store.delete('../one');
  });

  test('an id cannot be used twice', async () => {
    const store = await make();
    await stored(store, header('one'));
    await expect(store.create(header('one'))).rejects.toBeInstanceOf(Error);
    expect(await held(store, 'one')).toEqual([]);
  });

  test('a session can be opened only once at a time, and is not deleted while open', async () => {
    const store = await make(0);
    const journal = await store.create(header('one'));
    const refusal = expect.objectContaining({
      code: 'invalid-input',
      message: 'Session one is in use by this process: close it there first',
    });
    await expect(store.open('one')).rejects.toEqual(refusal);
    await expect(store.delete('one')).rejects.toEqual(refusal);
    await journal.close();
    await journal.close();
    await (await store.open('one'))?.journal.close();
    await store.delete('one');
    expect([await store.open('one'), (await store.list({})).sessions]).toEqual([undefined, []]);
  });

  test('of two connections that open a session at once, one gets it', async () => {
    const store = await make(0);
    await stored(store, header('one'));
    const opened = await Promise.allSettled([store.open('one'), store.open('one')]);
    expect(opened.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
  });

  test('opening and deleting a session wait until the connection that has it open has closed it', async () => {
    const store = await make();
    const journal = await store.create(header('one'));
    const opening = store.open('one');
    await tick();
    await journal.append({ type: 'kept', value: 'the last entry' });
    await journal.close();
    const opened = await opening;
    const deleting = store.delete('one');
    await tick();
    await opened?.journal.close();
    await deleting;
    expect([opened?.entries, await store.open('one')]).toEqual([
      [{ type: 'kept', value: 'the last entry' }],
      undefined,
    ]);
  });

  test('a list begins with the session last used, with its title and without entries', async () => {
    const store = await make();
    await stored(store, header('plain'));
    await tick();
    await stored(store, header('begun', { title: 'From the start' }), entries.slice(0, 2));
    await tick();
    await stored(store, header('named', { title: 'From the start', additionalDirectories: ['/more'] }), entries);
    await tick();
    await stored(store, header('unnamed'), [...entries, { type: 'title', title: null }]);
    const updatedAt: unknown = expect.stringMatching(/^20\d\d-\d\d-\d\dT[\d:.]+Z$/);
    expect((await pages(store)).flat()).toEqual([
      { ...header('unnamed'), updatedAt },
      { ...header('named', { title: 'A greeting', additionalDirectories: ['/more'] }), updatedAt },
      { ...header('begun', { title: 'From the start' }), updatedAt },
      { ...header('plain'), updatedAt },
    ]);
  });

  test('a session that is used again moves to the top', async () => {
    const store = await make();
    for (const id of ['one', 'two']) {
      await stored(store, header(id));
      await tick();
    }
    const opened = await store.open('one');
    await opened?.journal.append({ type: 'kept', value: 1 });
    await opened?.journal.close();
    expect((await store.list({})).sessions.map(({ id }) => id)).toEqual(['one', 'two']);
  });

  test('pages contain every session once, or only those of one folder', async () => {
    const store = await make();
    for (const id of ['a', 'b', 'c', 'd', 'e'])
      await stored(store, header(id, { cwd: id < 'd' ? '/home' : '/home/x' }));
    const all = await pages(store);
    const some = await pages(store, '/home');
    expect([
      all.map((page) => page.length),
      all
        .flat()
        .map(({ id }) => id)
        .toSorted(),
      some.map((page) => page.length),
      some
        .flat()
        .map(({ id }) => id)
        .toSorted(),
      await pages(store, '/wor'),
      (await pages(store, '/home/')).flat().length,
    ]).toEqual([[2, 2, 1], ['a', 'b', 'c', 'd', 'e'], [2, 1], ['a', 'b', 'c'], [[]], 3]);
  });

  test.each(['', 'garbage', Buffer.from('[1]').toString('base64url'), Buffer.from('{').toString('base64url')])(
    'a cursor of nobody is refused: %j',
    async (cursor) => {
      const store = await make();
      await expect(store.list({ cursor })).rejects.toMatchObject({ code: 'invalid-input' });
    },
  );
}
