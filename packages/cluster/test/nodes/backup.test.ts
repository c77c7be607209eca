import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { postgresStore } from '../../src/postgres/postgres-store.ts';
import { session, start } from '../../../runtime/test/store/session-store-contract.ts';
import { postgresPrograms, ThrowAwayPostgres } from '../postgres/throw-away-postgres.ts';

const run = promisify(execFile);

describe.skipIf(postgresPrograms === undefined)('a backup (skipped where PostgreSQL is not on the machine)', () => {
  let server: ThrowAwayPostgres;
  beforeAll(async () => {
    server = await ThrowAwayPostgres.start();
  });
  afterAll(() => server[Symbol.asyncDispose]());

  test('of a database in use contains a state from which each session can continue', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'turnwire-backup-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    const dump = join(folder, 'turnwire.dump');
    const url = server.url('public');
    const store = postgresStore({ url });
    onTestFinished(() => store.close());
    const claim = await store.create(session('one'));
    let isDumped = false;
    let count = 0;
    const writing = (async () => {
      while (!isDumped) await store.append(claim, [{ at: 1, type: 'update', payload: `${++count}`, key: `${count}` }]);
    })();
    await expect.poll(() => count).toBeGreaterThan(20);
    const place = ['-h', '127.0.0.1', '-p', new URL(url).port, '-U', 'turnwire'];
    const program = (name: string): string => join(postgresPrograms ?? '', name);
    await run(program('pg_dump'), [...place, '--format=custom', '--table=turnwire_*', '-f', dump, 'postgres']);
    isDumped = true;
    await writing;
    await server.execute('CREATE DATABASE restored');
    await run(program('pg_restore'), [...place, '--clean', '--if-exists', '--dbname=restored', dump]);

    const restored = postgresStore({ url: url.replace('/postgres', '/restored') });
    onTestFinished(() => restored.close());
    const { head, epoch } = await restored.claim('ada', 'one');
    const page = await restored.read({ tenant: 'ada', id: 'one', after: start }, { limit: 100_000 });
    const numbers = 'events' in page ? page.events.map(({ payload }) => Number(payload)) : [];
    const next = await restored.append({ ...claim, epoch }, [
      { at: 1, type: 'update', payload: '"known"', key: '1' },
      { at: 1, type: 'update', payload: '"on"' },
    ]);
    expect(numbers.length).toBeGreaterThan(20);
    expect({ numbers, next }).toEqual({
      numbers: Array.from({ length: head.sequence }, (_, index) => index + 1),
      next: [{ at: 1, type: 'update', payload: '"on"', epoch: 2, sequence: head.sequence + 1 }],
    });
    // The identity columns continue as well.
    expect(await restored.create(session('two'))).toMatchObject({ epoch: 1 });
  });
});
