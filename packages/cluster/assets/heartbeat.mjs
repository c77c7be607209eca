// @ts-check
// A worker thread that keeps the lease of a node, on a connection of its own: neither work of the process nor statements of its sessions delay
// it. `node-lease.ts` starts it. It is run as it is, from the sources, from a package and from the bundled command, so it imports nothing of ours.
import { parentPort, workerData } from 'node:worker_threads';

/** @type {{ url: string, number: string, lease: number, driver: string, figures: Int32Array, grace: number }} */
const { url, number, lease, driver, figures, grace } = workerData;
const port = /** @type {import('node:worker_threads').MessagePort} */ (parentPort);

/** A lease may miss so many renewals. */
const renewals = 5;
const interval = lease / renewals;

// The bundled command has the driver in one of its files.
const { Client } = await import('pg').catch(() => import(driver));

/** @type {import('pg').Client | undefined} */
let client;
/** Since when the database has answered without a gap, in milliseconds of the monotonic clock. */
let since = performance.now();
let renewed = performance.now();

/** When the first lease of another node is over that is not renewed, in milliseconds of the monotonic clock. */
let nextEnd = Infinity;

for (;;) {
  const begun = performance.now();
  nextEnd = Infinity;
  if ((await beat().catch(dropped)) === false) break;
  const next = Math.min(Math.max(interval / 4, begun + interval - performance.now()), nextEnd - performance.now());
  await new Promise((resolve) => setTimeout(resolve, Math.max(1, next)));
}
// Another node may have the sessions now. If the process does not end by itself, what it started must not go on.
port.postMessage({ lost: true });
setTimeout(() => process.kill(process.pid, 'SIGKILL'), grace);

/** Renews the lease, and ends those of others that are over. @returns whether the node is still one */
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
  // After a time without the database all leases are over: the others get the time of one to renew theirs.
  if (renewed - since >= lease) await client.query('DELETE FROM turnwire_nodes WHERE lease_until < clock_timestamp()');
  const { rows } = await client.query(
    `SELECT *, extract(epoch FROM lease_until - clock_timestamp())::float8 * 1000 AS left FROM turnwire_nodes ORDER BY number`,
  );
  // One that is over cannot be ended yet.
  const ends = rows.filter((row) => row.number !== number && row.left > 0).map(({ left }) => left);
  // Rounded up: a lease has to be over then.
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

/** The database is away: nothing is known of the lease. */
async function dropped() {
  const broken = client;
  client = undefined;
  void broken?.end().catch(() => undefined);
}
