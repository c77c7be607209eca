import { randomUUID } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { bundleProgram } from '../../../../tools/bundle-program.mjs';
import { within } from '../../../../tools/pace.ts';
import type { SessionStore } from '@turnwire/runtime';
import { postgresStore } from '../../src/postgres/postgres-store.ts';
import { killContract, type SharedPlace } from '../../../runtime/test/store/kill-contract.ts';
import { searchContract } from '../../../runtime/test/store/search-contract.ts';
import { session, sessionStoreContract, start } from '../../../runtime/test/store/session-store-contract.ts';
import { BreakingWire } from './breaking-wire.ts';
import { postgresPrograms, ThrowAwayPostgres } from './throw-away-postgres.ts';

// In Debian, the package is named postgresql.
describe.skipIf(postgresPrograms === undefined)('PostgreSQL (skipped where its server is not on the machine)', () => {
  let server: ThrowAwayPostgres;
  beforeAll(async () => {
    server = await ThrowAwayPostgres.start();
  });
  afterAll(() => server[Symbol.asyncDispose]());

  const writer = bundleProgram(fileURLToPath(new URL('fixtures/writing-process.ts', import.meta.url)));

  async function makePlace(): Promise<SharedPlace & { readonly schema: string; readonly url: string }> {
    const schema = `place_${randomUUID().replaceAll('-', '')}`;
    await server.execute(`CREATE SCHEMA ${schema}`);
    const url = server.url(schema);
    return {
      schema,
      url,
      open: async () => postgresStore({ url, timeout: within(20_000), connections: 2 }),
      writer: (id, by) => [process.execPath, writer, url, id, by],
      remove: async () => void (await server.execute(`DROP SCHEMA ${schema} CASCADE`)),
    };
  }

  sessionStoreContract('PostgreSQL', makePlace);
  searchContract('PostgreSQL', makePlace);
  killContract('PostgreSQL', makePlace);

  /** A store in a schema of its own. */
  async function ownStore(): Promise<{ readonly store: SessionStore; readonly schema: string; readonly url: string }> {
    const place = await makePlace();
    const store = await place.open();
    onTestFinished(async () => {
      await store.close();
      await place.remove();
    });
    return { store, schema: place.schema, url: place.url };
  }

  test('concurrent events of many sessions are stored together, and each session numbers its own', async () => {
    const { store } = await ownStore();
    const claims = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        store.create(session(`session ${index}`, { tenant: `tenant ${index % 3}` })),
      ),
    );
    const stored = await Promise.all(
      [1, 2, 3].flatMap((at) => claims.map((claim) => store.append(claim, [{ at, type: 'update', payload: `${at}` }]))),
    );
    expect(stored.map((events) => events.map(({ sequence, payload }) => `${sequence}: ${payload}`))).toEqual(
      ['1: 1', '2: 2', '3: 3'].flatMap((each) => claims.map(() => [each])),
    );
  });

  test('a fenced writer does not affect other writers in the same statement', async () => {
    const { store, url } = await ownStore();
    const [one, two] = await Promise.all([store.create(session('one')), store.create(session('two'))]);
    const other = postgresStore({ url });
    onTestFinished(() => other.close());
    await other.claim('ada', 'one');
    const event = { at: 1, type: 'update', payload: '"x"', key: 'k' };
    const [fenced, stored] = await Promise.allSettled([store.append(one, [event]), store.append(two, [event, event])]);
    expect([fenced, stored]).toMatchObject([
      { status: 'rejected', reason: { code: 'fenced' } },
      { status: 'fulfilled', value: [{ sequence: 1, key: 'k' }] },
    ]);
  });

  test('calls wait while the server is unavailable, and repeated statements store nothing twice', async () => {
    const { store } = await ownStore();
    const claim = await store.create(session('one'));
    const write = (from: number, to: number): Promise<unknown>[] =>
      Array.from({ length: to - from + 1 }, (_, index) =>
        store.append(claim, [{ at: 1, type: 'update', payload: `${from + index}` }]),
      );
    const first = write(1, 200);
    await first[0];
    await server.crash();
    const stored = Promise.all([...first, ...write(201, 400)]);
    await server.run();
    await stored;
    const page = await store.read({ tenant: 'ada', id: 'one', after: start }, { limit: 1_000 });
    const numbers = Array.from({ length: 400 }, (_, index) => `${index + 1}`);
    expect('events' in page && page.events.map(({ payload }) => payload)).toEqual(numbers);
  });

  test.each(['before', 'after'] as const)(
    'tables are created even if the connection breaks %s a statement',
    async (moment) => {
      const place = await makePlace();
      const wire = await BreakingWire.to(Number(new URL(place.url).port));
      const store = postgresStore({ url: place.url.replace(/:\d+\//, `:${wire.port}/`), connections: 1 });
      onTestFinished(async () => {
        await store.close();
        await wire.close();
        await place.remove();
      });
      wire.breaks('pg_advisory_xact_lock', moment);
      await store.create(session('one'));
      expect([await store.find('ada', 'one'), wire.hasBroken]).toEqual([session('one'), true]);
    },
  );

  test.each(['before', 'after'] as const)(
    'events are stored once if the connection breaks %s they were stored',
    async (moment) => {
      const place = await makePlace();
      const wire = await BreakingWire.to(Number(new URL(place.url).port));
      const store = postgresStore({ url: place.url.replace(/:\d+\//, `:${wire.port}/`), connections: 1 });
      onTestFinished(async () => {
        await store.close();
        await wire.close();
        await place.remove();
      });
      const [one, two] = await Promise.all([store.create(session('one')), store.create(session('two'))]);
      await store.append(one, [{ at: 1, type: 'update', payload: '"a"', key: 'a' }]);
      wire.breaks('the last words', moment);
      const stored = await Promise.all([
        store.append(one, [
          { at: 1, type: 'update', payload: '"a"', key: 'a' },
          { at: 1, type: 'update', payload: '"the last words"', key: 'b' },
        ]),
        store.append(two, [{ at: 1, type: 'update', payload: '"c"' }]),
        store.append(one, [{ at: 1, type: 'update', payload: '"d"' }]),
      ]);
      const numbered = stored.map((events) => events.map(({ sequence, payload }) => [sequence, payload]));
      expect({ numbered, hasBroken: wire.hasBroken }).toEqual({
        numbered: [[[2, '"the last words"']], [[1, '"c"']], [[3, '"d"']]],
        hasBroken: true,
      });
    },
  );

  test('tables of a newer version stay unchanged, and concurrent stores create the tables once', async () => {
    const place = await makePlace();
    const stores = await Promise.all([place.open(), place.open(), place.open()]);
    onTestFinished(async () => {
      await Promise.all(stores.map((store) => store.close()));
      await place.remove();
    });
    await Promise.all(stores.map((store) => store.list({ tenant: 'ada', limit: 1 })));
    await server.execute(`INSERT INTO ${place.schema}.turnwire_migrations (version) VALUES (1000)`);
    const late = await place.open();
    await expect(late.find('ada', 'one')).rejects.toMatchObject({
      code: 'failed',
      message: 'the tables of this database were made by a newer version of this program; use that one',
    });
    await late.close();
  });

  test('errors of a database include the reason, but not its password', async () => {
    const refused = async (url: string): Promise<string> => {
      const store = postgresStore({ url, timeout: 0 });
      onTestFinished(() => store.close());
      return store.find('ada', 'one').then(
        () => 'found',
        (error: unknown) => (error as Error).message,
      );
    };
    const { host } = new URL(server.url('public'));
    expect([
      await refused(`postgresql://turnwire:secret@${host}/nowhere`),
      await refused('postgresql://turnwire:secret@127.0.0.1:1/postgres'),
    ]).toEqual([
      `the database at ${host}/nowhere does not exist; create it with: createdb`,
      'the database at 127.0.0.1:1/postgres cannot be reached; check that it runs, and its address',
    ]);
  });
});
