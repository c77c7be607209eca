// Started by logged-floor.ts: stores lists of events, each list in one transaction, as `sqlite-database.mjs` of the gateway does.
import { createRequire, isBuiltin } from 'node:module';
import { parentPort, workerData } from 'node:worker_threads';

interface Engine {
  readonly DatabaseSync: new (path: string) => {
    exec(sql: string): void;
    prepare(sql: string): { run(...values: unknown[]): unknown };
  };
}

/** The engine that the gateway uses. */
const load = createRequire(import.meta.resolve('@turnwire/runtime'));
const { DatabaseSync } = load(isBuiltin('node:sqlite') ? 'node:sqlite' : '@photostructure/sqlite') as Engine;
const database = new DatabaseSync(workerData as string);
database.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA wal_autocheckpoint = 8192;
  CREATE TABLE events (position INTEGER PRIMARY KEY, session INTEGER NOT NULL, sequence INTEGER NOT NULL,
    epoch INTEGER NOT NULL, at INTEGER NOT NULL, type TEXT NOT NULL, payload TEXT NOT NULL, key TEXT, UNIQUE (session, sequence))`);
const insert = database.prepare(`INSERT INTO events (session, sequence, epoch, at, type, payload, key)
  VALUES (?, ?, 1, ?, 'update', ?, NULL)`);

parentPort?.on('message', (fields: readonly unknown[]) => {
  database.exec('BEGIN IMMEDIATE');
  for (let place = 0; place < fields.length; place += 4)
    insert.run(fields[place], fields[place + 1], fields[place + 2], fields[place + 3]);
  database.exec('COMMIT');
  parentPort?.postMessage(null);
});
