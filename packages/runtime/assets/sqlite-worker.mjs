// @ts-check
// A worker thread that owns one SQLite database: `sqlite-thread.ts` starts it and posts lists of calls.
import { parentPort, workerData } from 'node:worker_threads';
import { JournalFlush } from './journal-flush.mjs';
import { described, SqliteDatabase } from './sqlite-database.mjs';

try {
  const database = await SqliteDatabase.open(workerData);
  const flush = await JournalFlush.of(workerData);
  const close = async () => {
    await flush?.close();
    database.close();
    parentPort?.close();
  };
  parentPort?.on('message', (list) => {
    if (list === 'close') return void close();
    parentPort?.postMessage(database.answersTo(list));
    flush?.written(list.length / 2);
  });
  parentPort?.postMessage({ opened: true });
} catch (error) {
  parentPort?.postMessage({ failure: described(error) });
}
