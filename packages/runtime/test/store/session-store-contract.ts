import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { TurnUsage, UsageQuery } from '../../src/usage/usage-record.ts';
import type { Passage } from '../../src/texts/passage.ts';
import type {
  Cursor,
  NewEvent,
  SessionClaim,
  SessionRecord,
  SessionStore,
  StoredEvent,
} from '../../src/store/session-store.ts';

/** A place for one store. */
export interface StorePlace {
  /** Opens the store that is there. */
  open(): Promise<SessionStore>;
  /** Frees what the place takes. */
  remove(): Promise<void>;
}

export const start: Cursor = { epoch: 0, sequence: 0 };

export function session(id: string, fields: Partial<SessionRecord> = {}): SessionRecord {
  return {
    id,
    tenant: 'ada',
    agent: 'coder',
    cwd: '/work',
    additionalDirectories: [],
    title: null,
    createdAt: 1_700_000_000_000,
    updatedAt: 1_700_000_000_000,
    closedAt: null,
    facts: {},
    ...fields,
  };
}

function event(text: string, fields: Partial<NewEvent> = {}): NewEvent {
  return { at: 1_700_000_000_001, type: 'update', payload: JSON.stringify(text), ...fields };
}

/** Events as they are stored, numbered from a place on. */
function stored(
  events: readonly NewEvent[],
  { epoch, sequence }: Cursor = { epoch: 1, sequence: 1 },
): readonly StoredEvent[] {
  return events.map((each, index) => ({ ...each, epoch, sequence: sequence + index }));
}

/** A searchable text of the first event of a session. */
export function passage(text: string, fields: Partial<Passage> = {}): Passage {
  return { kind: 'message', epoch: 1, sequence: 1, at: 1_700_000_000_001, text, ...fields };
}

/** A turn of a session whose agent reports everything. */
function turn(id: string, fields: Partial<TurnUsage> = {}): TurnUsage {
  return {
    ...{ id, tenant: 'ada', session: 'one', agent: 'coder', model: 'large', folder: '/work' },
    ...{ at: 1, day: '2026-01-31', milliseconds: 1_500, reported: null },
    tokens: { input: 10, output: 20, cacheRead: 5, cacheWrite: 1, total: 36 },
    cost: { amount: 0.1, currency: 'USD' },
    ...fields,
  };
}

const texts = (from: number, to: number): readonly NewEvent[] =>
  Array.from({ length: to - from + 1 }, (_, index) => event(`text ${from + index}`));

interface Asked {
  readonly tenant: string;
  readonly id: string;
  /** That of the session. */
  readonly epoch: number;
}

type Attempt = (store: SessionStore, asked: Asked) => Promise<unknown> | undefined;

const claimed = ({ tenant, id, epoch }: Asked): SessionClaim => ({
  record: session(id, { tenant }),
  epoch,
  head: { epoch, sequence: 1 },
  indexedUpTo: { epoch: 0, sequence: 0 },
});

/** Everything that a tenant can ask about a session. */
const attempts: { readonly [Method in Exclude<keyof SessionStore, 'create' | 'close'> | 'release']: Attempt } = {
  claim: (store, { tenant, id }) => store.claim(tenant, id),
  append: (store, asked) => store.append(claimed(asked), [event('forged', { key: 'key' }), event('forged')]),
  update: (store, asked) => store.update(claimed(asked), { title: 'forged' }),
  find: (store, { tenant, id }) => store.find(tenant, id),
  read: (store, { tenant, id }) => store.read({ tenant, id, after: start }, { limit: 1 }),
  findByKey: (store, { tenant, id }) => store.findByKey(tenant, id, 'key'),
  findLast: (store, { tenant, id }) => store.findLast(tenant, id, ['update']),
  list: (store, { tenant }) => store.list({ tenant, cwd: '/work', limit: 10 }),
  index: (store, asked) => store.index(claimed(asked), { passages: [passage('forged')], upTo: start }),
  search: (store, { tenant, id }) => store.search({ tenant, session: id, text: 'secret', limit: 10 }),
  use: (store, { tenant }) => store.use?.(tenant),
  recordUsage: (store, { tenant, id }) => store.recordUsage(turn(`${tenant} ${id}`, { tenant, session: 'forged' })),
  usage: (store, { tenant, id }) => store.usage({ tenant, session: id, by: 'model' }),
  lastReported: (store, { tenant }) => store.lastReported(tenant, 'agent 1'),
  trim: (store, asked) => store.trim(claimed(asked), { epoch: asked.epoch, sequence: 1 }),
  delete: (store, { tenant, id }) => store.delete(tenant, id),
  // Of stores whose sessions belong to nodes.
  release: (store, asked) =>
    (store as SessionStore & { release?: (claim: SessionClaim) => Promise<void> }).release?.(claimed(asked)),
};

/** What every store must do. */
export function sessionStoreContract(name: string, makePlace: () => Promise<StorePlace>): void {
  let place: StorePlace;
  let store: SessionStore;

  beforeEach(async () => {
    place = await makePlace();
    store = await place.open();
  });
  afterEach(async () => {
    await store.close();
    await place.remove();
  });

  const readAll = async (id: string, after: Cursor = start): Promise<unknown> =>
    store.read({ tenant: 'ada', id, after }, { limit: 1_000 });

  describe(`${name}: sessions`, () => {
    test('a new session is claimed in its first epoch and can be found as it was stored', async () => {
      const record = session('one', {
        additionalDirectories: ['/more', '/größer 🧑‍💻'],
        title: 'A title\u0000 with "everything"',
        closedAt: 5,
        facts: { mode: 'ask', nested: { list: [1, null, 'x'] } },
      });
      expect(await store.create(record)).toEqual({ record, epoch: 1, head: start, indexedUpTo: start });
      expect(await store.find('ada', 'one')).toEqual(record);
      expect(await readAll('one')).toEqual({ events: [], head: start });
    });

    test('the id of an existing session is refused, also for another tenant', async () => {
      await store.create(session('one'));
      const refusal = { name: 'StoreError', code: 'invalid-input' };
      await expect(store.create(session('one'))).rejects.toMatchObject(refusal);
      await expect(store.create(session('one', { tenant: 'bob' }))).rejects.toMatchObject(refusal);
      expect(await store.find('bob', 'one')).toBeUndefined();
    });

    test('a session of another tenant is as unknown as a missing one, and no call changes it', async () => {
      const claim = await store.create(session('one', { title: 'secret' }));
      await store.append(claim, [event('secret', { key: 'key' }), event('more')]);
      await store.index(claim, { passages: [passage('secret words')], upTo: start });
      const own = await store.create(session('own', { tenant: 'bob' }));
      const state = async (): Promise<readonly unknown[]> => [
        await store.find('ada', 'one'),
        await readAll('one'),
        await store.list({ tenant: 'ada', limit: 10 }),
        await store.use?.('ada'),
        await store.usage({ tenant: 'ada' }),
        await store.search({ tenant: 'ada', text: 'secret', limit: 10 }),
      ];
      const before = await state();
      const methods = Object.getOwnPropertyNames(Object.getPrototypeOf(store)).filter((method) => method in store);
      const asked = methods.filter((method) => method !== 'constructor' && method !== 'close' && method !== 'create');
      const outcomes = async (id: string): Promise<unknown> =>
        Promise.all(
          asked.map(async (method) => {
            const attempt = attempts[method as keyof typeof attempts] as Attempt | undefined;
            if (!attempt) throw new Error(`say in attempts what ${method} does with a session of another tenant`);
            const [outcome] = await Promise.allSettled([attempt(store, { tenant: 'bob', id, epoch: claim.epoch })]);
            return [method, outcome?.status === 'rejected' ? String(outcome.reason) : outcome?.value];
          }),
        );
      expect(await outcomes('one')).toEqual(await outcomes('nobody'));
      expect(await state()).toEqual(before);
      // An id that is taken says so, and ids are random.
      await expect(store.create(session('one', { tenant: 'bob' }))).rejects.toMatchObject({ code: 'invalid-input' });
      // The claim of the other session, with its epoch: no part of it counts without the rest.
      const forged = { ...own, record: { ...claim.record, tenant: 'bob' } };
      await expect(store.append(forged, [event('forged')])).rejects.toMatchObject({ code: 'fenced' });
      // A place in the list of another tenant leads to nobody's sessions but one's own.
      await store.create(session('two', { updatedAt: 5 }));
      const { next } = await store.list({ tenant: 'ada', limit: 1 });
      expect(await store.list({ tenant: 'bob', limit: 10, after: next })).toEqual({ sessions: [own.record] });
      expect((await state()).slice(0, 2)).toEqual(before.slice(0, 2));
    });

    test('an id that no session can have does not fail other calls', async () => {
      await store.create(session('one'));
      const calls = ['one', 'o\u0000ne', 'one'].flatMap((id) => [
        store.find('ada', id),
        store.read({ tenant: 'ada', id, after: start }, { limit: Number.MAX_SAFE_INTEGER }),
        store.findLast('ada', id, ['update']),
        store.claim('ada', id),
      ]);
      const settled = await Promise.allSettled(calls);
      const outcomes = settled.map(({ status }) => status);
      expect([...outcomes.slice(0, 4), ...outcomes.slice(8)]).toEqual(Array.from({ length: 8 }, () => 'fulfilled'));
      expect(outcomes.slice(5, 8)).toEqual(['rejected', 'rejected', 'rejected']);
    });

    test('a store that counts reports the use of each tenant', async () => {
      const one = await store.create(session('one'));
      const two = await store.create(session('two'));
      await store.create(session('other', { tenant: 'bob' }));
      await store.append(one, [event('größer'), event('a', { key: 'k' }), event('left out', { key: 'k' })]);
      const [, , last] = await store.append(two, texts(1, 3));
      const bytes = (...list: readonly string[]): number =>
        list.reduce((sum, text) => sum + Buffer.byteLength(JSON.stringify(text)), 0);
      const used = { sessions: 2, storedBytes: bytes('größer', 'a', 'text 1', 'text 2', 'text 3') };
      expect(await store.use?.('ada')).toEqual(store.use && used);
      expect(await store.use?.('bob')).toEqual(store.use && { sessions: 1, storedBytes: 0 });
      await store.trim(two, last as Cursor);
      await store.delete('ada', 'one');
      expect(await store.use?.('ada')).toEqual(store.use && { sessions: 1, storedBytes: 0 });
    });

    test('changed fields are stored, and the others stay', async () => {
      const claim = await store.create(session('one', { title: 'old', facts: { a: 1, b: 2 } }));
      await store.update(claim, { title: 'new', updatedAt: 7 });
      await store.update(claim, { closedAt: 8, facts: { a: 3 }, additionalDirectories: ['/x'], agent: 'other' });
      await store.update(claim, {});
      const changed = session('one', {
        title: 'new',
        updatedAt: 7,
        closedAt: 8,
        facts: { a: 3 },
        additionalDirectories: ['/x'],
        agent: 'other',
      });
      expect(await store.find('ada', 'one')).toEqual(changed);
      await store.update(claim, { title: null, closedAt: null });
      expect(await store.find('ada', 'one')).toEqual({ ...changed, title: null, closedAt: null });
    });

    test('deleting a session deletes its events and ends its claim', async () => {
      const claim = await store.create(session('one'));
      await store.append(claim, [event('a', { key: 'k' })]);
      await store.delete('ada', 'one');
      expect(await store.find('ada', 'one')).toBeUndefined();
      expect(await store.list({ tenant: 'ada', limit: 10 })).toEqual({ sessions: [] });
      await expect(readAll('one')).rejects.toMatchObject({ code: 'not-found' });
      await expect(store.append(claim, [event('b')])).rejects.toMatchObject({ code: 'fenced' });
      await expect(store.update(claim, { title: 'x' })).rejects.toMatchObject({ code: 'fenced' });
      await expect(store.trim(claim, start)).rejects.toMatchObject({ code: 'fenced' });
    });

    test('an id with a NUL character names no session', async () => {
      expect(await store.find('ada', 'o\0ne')).toBeUndefined();
      await expect(readAll('o\0ne')).rejects.toMatchObject({ code: 'not-found' });
      await expect(store.findByKey('ada', 'o\0ne', 'key')).rejects.toMatchObject({ code: 'not-found' });
      await expect(store.claim('ada', 'o\0ne')).rejects.toMatchObject({ code: 'not-found' });
    });

    test('after close every call is refused', async () => {
      const claim = await store.create(session('one'));
      await store.close();
      const results = await Promise.allSettled([
        store.create(session('two')),
        store.claim('ada', 'one'),
        store.append(claim, [event('a')]),
        store.find('ada', 'one'),
        store.list({ tenant: 'ada', limit: 1 }),
        readAll('one'),
      ]);
      expect(results.map((each) => each.status === 'rejected' && (each.reason as { code: string }).code)).toEqual(
        results.map(() => 'failed'),
      );
      await store.close();
    });
  });

  describe(`${name}: events`, () => {
    test('events are numbered in order, and read back unchanged', async () => {
      const claim = await store.create(session('one'));
      const first = [event('a'), event('ü 世界 🧑‍💻 \u2028\u0000', { type: 'prompt', at: 5, key: 'K/1' })];
      expect(await store.append(claim, first)).toEqual(stored(first));
      expect(await store.append(claim, [])).toEqual([]);
      expect(await store.append(claim, [event('c')])).toEqual(stored([event('c')], { epoch: 1, sequence: 3 }));
      expect(await readAll('one')).toEqual({
        events: stored([...first, event('c')]),
        head: { epoch: 1, sequence: 3 },
      });
    });

    test('calls at the same time keep their order in each session', async () => {
      const claims = await Promise.all(['one', 'two', 'three'].map((id) => store.create(session(id))));
      const calls = texts(1, 100).flatMap((each) => claims.map((claim) => store.append(claim, [each])));
      await Promise.all(calls);
      for (const { record } of claims)
        expect(await readAll(record.id)).toEqual({ events: stored(texts(1, 100)), head: { epoch: 1, sequence: 100 } });
    });

    test('an event with a known key is dropped', async () => {
      const claim = await store.create(session('one'));
      const other = await store.create(session('two'));
      await store.append(claim, [event('a', { key: 'k' })]);
      expect(
        await store.append(claim, [
          event('b', { key: 'k' }),
          event('c'),
          event('d', { key: 'l' }),
          event('e', { key: 'l' }),
        ]),
      ).toEqual(stored([event('c'), event('d', { key: 'l' })], { epoch: 1, sequence: 2 }));
      expect(await store.append(claim, [event('f', { key: 'l' })])).toEqual([]);
      expect(await store.append(other, [event('g', { key: 'k' })])).toEqual(stored([event('g', { key: 'k' })]));
      expect(await store.findByKey('ada', 'one', 'l')).toEqual({ ...event('d', { key: 'l' }), epoch: 1, sequence: 3 });
      expect(await store.findByKey('ada', 'one', 'L')).toBeUndefined();
    });

    test('a list with a key that cannot be stored is refused as a whole', async () => {
      const claim = await store.create(session('one'));
      const keys = ['', 'x'.repeat(257), 'a\0b'];
      const results = await Promise.allSettled(
        keys.map((key) => store.append(claim, [event('a'), event('b', { key })])),
      );
      expect(results).toMatchObject(keys.map(() => ({ status: 'rejected', reason: { code: 'invalid-input' } })));
      expect(await store.append(claim, [event('c', { key: 'x'.repeat(256) })])).toHaveLength(1);
      expect(await readAll('one')).toMatchObject({ head: { epoch: 1, sequence: 1 } });
    });

    test('large payloads are read back completely', async () => {
      const claim = await store.create(session('one'));
      const large = event('€'.repeat(3_000_000));
      await store.append(claim, [large]);
      expect(await store.read({ tenant: 'ada', id: 'one', after: start }, { limit: 5 })).toEqual({
        events: stored([large]),
        head: { epoch: 1, sequence: 1 },
      });
    });
  });

  describe(`${name}: claims`, () => {
    test('a claim takes the session over in the next epoch, and ends the claim before', async () => {
      const first = await store.create(session('one'));
      await store.append(first, [event('a')]);
      const second = await store.claim('ada', 'one');
      expect(second).toEqual({
        ...{ record: session('one'), epoch: 2 },
        ...{ head: { epoch: 1, sequence: 1 }, indexedUpTo: start },
      });
      await expect(store.append(first, [event('late')])).rejects.toMatchObject({ name: 'StoreError', code: 'fenced' });
      await expect(store.append(first, [])).rejects.toMatchObject({ code: 'fenced' });
      await expect(store.update(first, { title: 'late' })).rejects.toMatchObject({ code: 'fenced' });
      await expect(store.trim(first, { epoch: 1, sequence: 1 })).rejects.toMatchObject({ code: 'fenced' });
      await store.append(second, [event('b')]);
      expect(await readAll('one')).toEqual({
        events: [...stored([event('a')]), ...stored([event('b')], { epoch: 2, sequence: 2 })],
        head: { epoch: 2, sequence: 2 },
      });
      expect(await store.find('ada', 'one')).toEqual(session('one'));
    });

    test('claims at the same time get different epochs, and only the last one can write', async () => {
      await store.create(session('one'));
      const claims = await Promise.all(Array.from({ length: 20 }, () => store.claim('ada', 'one')));
      expect(claims.map(({ epoch }) => epoch).toSorted((a, b) => a - b)).toEqual(
        Array.from({ length: 20 }, (_, index) => index + 2),
      );
      const results = await Promise.allSettled(
        claims.map((claim) => store.append(claim, [event(`by ${claim.epoch}`)])),
      );
      expect(results.map(({ status }) => status)).toEqual(
        claims.map(({ epoch }) => (epoch === 21 ? 'fulfilled' : 'rejected')),
      );
      expect(await readAll('one')).toEqual({
        events: stored([event('by 21')], { epoch: 21, sequence: 1 }),
        head: { epoch: 21, sequence: 1 },
      });
    });

    test('an outdated claim fails only its own calls', async () => {
      const old = await store.create(session('one'));
      const other = await store.create(session('two'));
      const current = await store.claim('ada', 'one');
      const results = await Promise.allSettled([
        store.append(other, [event('a')]),
        store.append(old, [event('late')]),
        store.append(current, [event('b')]),
        store.append(other, [event('c')]),
      ]);
      expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled', 'fulfilled']);
      expect(await readAll('two')).toMatchObject({ events: stored([event('a'), event('c')]) });
      expect(await readAll('one')).toMatchObject({ events: stored([event('b')], { epoch: 2, sequence: 1 }) });
    });
  });

  describe(`${name}: reading`, () => {
    let claim: SessionClaim;
    const read = (after: Cursor, limits: { limit: number; types?: readonly string[] }): Promise<unknown> =>
      store.read({ tenant: 'ada', id: 'one', after }, limits);

    beforeEach(async () => {
      claim = await store.create(session('one'));
      await store.append(claim, texts(1, 5));
      claim = await store.claim('ada', 'one');
      await store.append(
        claim,
        texts(6, 10).map((each, index) => ({ ...each, type: index % 2 === 0 ? 'state' : 'update' })),
      );
    });

    test('pages lead on from each other', async () => {
      const head = { epoch: 2, sequence: 10 };
      expect(await read(start, { limit: 2 })).toEqual({ events: stored(texts(1, 2)), head });
      expect(await read({ epoch: 1, sequence: 2 }, { limit: 3 })).toEqual({
        events: stored(texts(3, 5), { epoch: 1, sequence: 3 }),
        head,
      });
      expect(await read({ epoch: 1, sequence: 5 }, { limit: 1 })).toMatchObject({
        events: [{ epoch: 2, sequence: 6 }],
      });
      expect(await read(head, { limit: 1 })).toEqual({ events: [], head });
    });

    test('the last event of some types is found before events of other types', async () => {
      const last = (...types: string[]): Promise<unknown> => store.findLast('ada', 'one', types);
      expect([
        await last('update'),
        await last('state'),
        await last('update', 'state'),
        await last('other'),
      ]).toMatchObject([{ epoch: 2, sequence: 9 }, { epoch: 2, sequence: 10 }, { epoch: 2, sequence: 10 }, undefined]);
      await store.trim(claim, { epoch: 2, sequence: 9 });
      expect([await last('update'), await last('state')]).toMatchObject([undefined, { sequence: 10 }]);
    });

    test('a page has about a mebibyte, and at least one event', async () => {
      const half = event('x'.repeat(500_000));
      const huge = event('x'.repeat(2_000_000));
      await store.append(claim, [half, half, half, huge, half]);
      const lengths = async (sequence: number): Promise<number> =>
        ((await read({ epoch: 2, sequence }, { limit: 100 })) as { events: readonly unknown[] }).events.length;
      expect([await lengths(10), await lengths(12), await lengths(13), await lengths(14)]).toEqual([2, 1, 1, 1]);
    });

    test('a read with types returns only events of these types', async () => {
      expect(await read({ epoch: 1, sequence: 5 }, { limit: 2, types: ['state', 'none'] })).toMatchObject({
        events: [{ sequence: 6 }, { sequence: 8 }],
      });
      expect(await read(start, { limit: 5, types: [] })).toEqual({ events: [], head: { epoch: 2, sequence: 10 } });
    });

    test('an unknown cursor is a gap, not an empty page', async () => {
      const cursors = {
        behindTheEnd: { epoch: 2, sequence: 11 },
        ofAnotherEpoch: { epoch: 2, sequence: 3 },
        ofAnEpochBefore: { epoch: 1, sequence: 7 },
        ofAnEpochToCome: { epoch: 3, sequence: 10 },
        ofEpoch0: { epoch: 0, sequence: 3 },
        ofNoEvent: { epoch: 1, sequence: 0 },
        negative: { epoch: 1, sequence: -1 },
        ofANegativeEpoch: { epoch: -1, sequence: 1 },
        fractional: { epoch: 1, sequence: 1.5 },
        notANumber: { epoch: Number.NaN, sequence: Number.NaN },
        infinite: { epoch: 1, sequence: Infinity },
        huge: { epoch: 1, sequence: 2 ** 64 },
      };
      const gap = { gap: 'unknown', floor: start, head: { epoch: 2, sequence: 10 } };
      const pages = await Promise.all(
        Object.entries(cursors).map(async ([kind, after]) => [kind, await read(after, { limit: 5 })] as const),
      );
      expect(Object.fromEntries(pages)).toEqual(Object.fromEntries(Object.keys(cursors).map((kind) => [kind, gap])));
    });

    test('an invalid limit is refused', async () => {
      const limits = [0, -1, 1.5, Number.NaN];
      const results = await Promise.allSettled(limits.map((limit) => read(start, { limit })));
      expect(results).toMatchObject(limits.map(() => ({ status: 'rejected', reason: { code: 'invalid-input' } })));
    });

    test('a cursor before trimmed events is a gap, and later events are read as before', async () => {
      await store.append(claim, [event('k', { key: 'k' })]);
      await store.append(claim, [event('l', { key: 'l' })]);
      const head = { epoch: 2, sequence: 12 };
      const floor = { epoch: 2, sequence: 11 };
      await store.trim(claim, { epoch: 1, sequence: 3 });
      await store.trim(claim, floor);
      for (const after of [start, { epoch: 1, sequence: 2 }, { epoch: 2, sequence: 10 }])
        expect(await read(after, { limit: 5 })).toEqual({ gap: 'trimmed', floor, head });
      expect(await read({ epoch: 1, sequence: 11 }, { limit: 5 })).toEqual({ gap: 'unknown', floor, head });
      expect(await read(floor, { limit: 5 })).toEqual({ events: stored([event('l', { key: 'l' })], head), head });
      expect(await store.append(claim, [event('again', { key: 'k' })])).toEqual([]);
      expect([await store.findByKey('ada', 'one', 'k'), await store.findByKey('ada', 'one', 'l')]).toMatchObject([
        undefined,
        { sequence: 12 },
      ]);
    });

    test('a log can be trimmed completely, and continues after that', async () => {
      const head = { epoch: 2, sequence: 10 };
      await store.trim(claim, head);
      expect(await read(head, { limit: 5 })).toEqual({ events: [], head });
      expect((await store.claim('ada', 'one')).head).toEqual(head);
    });

    test('a trim up to an unknown cursor is refused', async () => {
      const cursors = [
        { epoch: 2, sequence: 11 },
        { epoch: 1, sequence: 7 },
        { epoch: 1, sequence: Number.NaN },
      ];
      const results = await Promise.allSettled(cursors.map((upTo) => store.trim(claim, upTo)));
      expect(results).toMatchObject(cursors.map(() => ({ status: 'rejected', reason: { code: 'invalid-input' } })));
      expect(await read(start, { limit: 20 })).toMatchObject({ events: { length: 10 } });
    });
  });

  describe(`${name}: lists`, () => {
    test('lists the sessions of one tenant, last used first, page by page', async () => {
      await store.create(session('b', { updatedAt: 2 }));
      await store.create(session('a', { updatedAt: 2, cwd: '/other' }));
      await store.create(session('c', { updatedAt: 3, closedAt: 3 }));
      await store.create(session('d', { updatedAt: 1 }));
      await store.create(session('e', { updatedAt: 9, tenant: 'bob' }));
      const pages: string[][] = [];
      let after: string | undefined;
      do {
        const { sessions, next } = await store.list({ tenant: 'ada', after, limit: 2 });
        pages.push(sessions.map(({ id }) => id));
        after = next;
      } while (after !== undefined);
      expect(pages).toEqual([
        ['c', 'a'],
        ['b', 'd'],
      ]);
      expect(await store.list({ tenant: 'ada', cwd: '/other', limit: 5 })).toEqual({
        sessions: [session('a', { updatedAt: 2, cwd: '/other' })],
      });
      expect(await store.list({ tenant: 'eve', limit: 5 })).toEqual({ sessions: [] });
    });

    test('an invalid cursor and an invalid limit of a list are refused', async () => {
      const cursors = ['', 'garbage', '🧑‍💻', 'W10', 'x'.repeat(100_000)];
      const queries = [
        ...cursors.map((after) => ({ tenant: 'ada', after, limit: 5 })),
        ...[0, -1, 0.5].map((limit) => ({ tenant: 'ada', limit })),
      ];
      const results = await Promise.allSettled(queries.map((query) => store.list(query)));
      expect(results).toMatchObject(queries.map(() => ({ status: 'rejected', reason: { code: 'invalid-input' } })));
    });
  });

  describe(`${name}: usage`, () => {
    test('the turns of a tenant are added up by agent, model, folder, day and session, dearest or newest first', async () => {
      await store.recordUsage(turn('1'));
      await store.recordUsage(turn('2', { model: null, session: 'two', day: '2026-02-01', tokens: null, cost: null }));
      await store.recordUsage(turn('3', { agent: 'other', folder: '/else', cost: { amount: 0.2, currency: 'USD' } }));
      await store.recordUsage(turn('4', { agent: 'other', cost: { amount: 3, currency: 'credits' } }));
      await store.recordUsage(turn('5', { tenant: 'bob' }));
      const tokens = { input: 10, output: 20, cacheRead: 5, cacheWrite: 1, total: 36 };
      const twice = { input: 20, output: 40, cacheRead: 10, cacheWrite: 2, total: 72 };
      const thrice = { input: 30, output: 60, cacheRead: 15, cacheWrite: 3, total: 108 };
      const all = { milliseconds: 6_000, turnsWithoutTokens: 1, turnsWithoutCost: 1 };
      expect(await store.usage({ tenant: 'ada' })).toEqual([
        { key: null, turns: 4, ...all, tokens: thrice, costs: { USD: 0.3, credits: 3 } },
      ]);
      expect(await store.usage({ tenant: 'ada', by: 'agent' })).toEqual([
        {
          ...{ key: 'other', turns: 2, milliseconds: 3_000, tokens: twice },
          ...{ turnsWithoutTokens: 0, turnsWithoutCost: 0, costs: { USD: 0.2, credits: 3 } },
        },
        {
          ...{ key: 'coder', turns: 2, milliseconds: 3_000, tokens },
          ...{ turnsWithoutTokens: 1, turnsWithoutCost: 1, costs: { USD: 0.1 } },
        },
      ]);
      const keys = async (query: Omit<UsageQuery, 'tenant'>): Promise<unknown> =>
        (await store.usage({ tenant: 'ada', ...query })).map(({ key, turns }) => [key, turns]);
      expect(await keys({ by: 'model' })).toEqual([
        ['large', 3],
        [null, 1],
      ]);
      expect(await keys({ by: 'day' })).toEqual([
        ['2026-02-01', 1],
        ['2026-01-31', 3],
      ]);
      expect(await keys({ by: 'folder' })).toEqual([
        ['/work', 3],
        ['/else', 1],
      ]);
      expect(await keys({ by: 'session' })).toEqual([
        ['one', 3],
        ['two', 1],
      ]);
      expect(await keys({ since: '2026-02-01' })).toEqual([[null, 1]]);
      expect(await keys({ session: 'one' })).toEqual([[null, 3]]);
      expect(await store.usage({ tenant: 'eve', by: 'day' })).toEqual([]);
    });

    test('a later entry of a turn replaces the earlier one, and outlives its session', async () => {
      await store.create(session('one'));
      await store.recordUsage(turn('1'));
      await store.recordUsage(turn('1', { milliseconds: 2_000, cost: { amount: 0.4, currency: 'USD' } }));
      await store.delete('ada', 'one');
      expect(await store.usage({ tenant: 'ada' })).toMatchObject([
        { turns: 1, milliseconds: 2_000, costs: { USD: 0.4 } },
      ]);
    });

    test('finds the cost that an agent reported last for its session', async () => {
      await store.recordUsage(turn('1', { at: 1, reported: { agentSession: 'agent 1', amount: 0.5 } }));
      await store.recordUsage(turn('2', { at: 3, reported: { agentSession: 'agent 1', amount: 0.75 } }));
      await store.recordUsage(turn('3', { at: 4, reported: { agentSession: 'agent 2', amount: 9 } }));
      await store.recordUsage(turn('4', { at: 5 }));
      expect(await store.lastReported('ada', 'agent 1')).toBe(0.75);
      expect(await store.lastReported('ada', 'agent 3')).toBeUndefined();
      expect(await store.lastReported('bob', 'agent 1')).toBeUndefined();
    });
  });
}
