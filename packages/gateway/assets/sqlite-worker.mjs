// @ts-check
// A worker thread that owns one SQLite database: `sqlite-thread.ts` starts it and posts lists of calls.
import { parentPort, workerData } from 'node:worker_threads';
import { described, SqliteDatabase } from './sqlite-database.mjs';

try {
  const database = await SqliteDatabase.open(workerData);
  parentPort?.on('message', (list) => {
    if (list !== 'close') return parentPort?.postMessage(database.answersTo(list));
    database.close();
    parentPort?.close();
  });
  parentPort?.postMessage({ opened: true });
} catch (error) {
  parentPort?.postMessage({ failure: described(error) });
}
