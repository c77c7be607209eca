// @ts-check
// A worker thread that copies what the log of a SQLite database has into its file, whenever it is asked to. `sqlite-worker.mjs` starts it once
// much was written: that thread would otherwise wait for the disk in the middle of a turn, and everybody who is to see an update with it.
import { parentPort, workerData } from 'node:worker_threads';
import { engine } from './sqlite-engine.mjs';

const { DatabaseSync } = await engine();
const database = new DatabaseSync(workerData.path);
database.exec('PRAGMA busy_timeout = 0');

parentPort?.on('message', (/** @type {'copy' | 'close'} */ message) => {
  if (message === 'close') {
    database.close();
    return parentPort?.close();
  }
  // PASSIVE waits for nobody, and holds nobody up.
  database.exec('PRAGMA wal_checkpoint(PASSIVE)');
  parentPort?.postMessage('copied');
});
