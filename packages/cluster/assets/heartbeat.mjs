// @ts-check
// A worker thread that renews the lease of a node on a separate connection, so that neither work of the process nor statements of its sessions
// delay it. `node-lease.ts` starts it. The file runs unchanged from the sources, from a package and from the bundled command, so it imports none of our modules.
import { parentPort, workerData } from 'node:worker_threads';

/** @type {{ url: string, number: string, lease: number, driver: string, figures: Int32Array, grace: number }} */
const { url, number, lease, driver, figures, grace } = workerData;
const port = /** @type {import('node:worker_threads').MessagePort} */ (parentPort);

/** Renewals in the time of a lease. */
const renewals = 5;
const interval = lease / renewals;

// The bundled command has the driver in one of its files.
const { Client } = await import('pg').catch(() => import(driver));

/** @type {import('pg').Client | undefined} */
let client;
/** The start of the period in which the database has answered without a gap, in milliseconds of the monotonic clock. */
let since = performance.now();
let renewed = performance.now();

/** When the next lease of another node ends unless it is renewed, in milliseconds of the monotonic clock. */
let nextEnd = Infinity;

for (;;) {
  const begun = performance.now();
  nextEnd = Infinity;
  if ((await beat().catch(dropped)) === false) break;
  const next = Math.min(Math.max(interval / 4, begun + interval - performance.now()), nextEnd - performance.now());
  await new Promise((resolve) => setTimeout(resolve, Math.max(1, next)));
}
// Another node may have the sessions now. If the process does not end by itself, it is killed, with its agents.
port.postMessage({ lost: true });
setTimeout(() => process.kill(process.pid, 'SIGKILL'), grace);

/** Renews the lease, and removes nodes whose lease has ended. @returns whether this node still exists */
async function beat() {
  client ??= await connected();
  if (performance.now() - renewed > lease) since = performance.now();
  const [clients, sessions, awake, working, isDraining] = figures;
  const own = await client.query(
    `UPDATE turnwire_nodes SET lease_until = clock_timestamp() + $2 * interval '1 millisecond',
      clients = $3, sessions = $4, awake = $5, working = $6, is_draining = $7 WHERE number = $1`,
    [number, lease, clients, sessions, awake, working, isDraining === 1],
  );
  if (own.rowCount === 0) return false;
  renewed = performance.now();
  // After a time without the database all leases have ended: the other nodes get the time of a lease to renew theirs.
  if (renewed - since >= lease) await client.query('DELETE FROM turnwire_nodes WHERE lease_until < clock_timestamp()');
  const { rows } = await client.query(
    `SELECT *, extract(epoch FROM lease_until - clock_timestamp())::float8 * 1000 AS left FROM turnwire_nodes ORDER BY number`,
  );
  // A lease that has already ended is left until the next removal.
  const ends = rows.filter((row) => row.number !== number && row.left > 0).map(({ left }) => left);
  // A little later, so that the lease has certainly ended.
  nextEnd = performance.now() + Math.min(...ends) + 5;
  port.postMessage({ nodes: rows });
  return true;
}

async function connected() {
  const made = new Client({
    connectionString: url,
    application_name: 'turnwire heartbeat',
    connectionTimeoutMillis: lease,
    query_timeout: lease,
    keepAlive: true,
  });
  made.on('error', () => undefined);
  await made.connect();
  return made;
}

/** The database is unavailable, so the state of the lease is unknown. */
async function dropped() {
  const broken = client;
  client = undefined;
  void broken?.end().catch(() => undefined);
}
