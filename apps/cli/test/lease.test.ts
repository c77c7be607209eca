import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { currentHolder, type Holder, Lease, withLease } from '../src/owner/lease.ts';
import { ownIdentity } from '../src/owner/process-identity.ts';

async function emptyFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'turnwire-lease-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  return folder;
}

/** A process that is over, and whose number is therefore nobody's. */
async function deadPid(): Promise<number> {
  const child = spawn(process.execPath, ['--version'], { stdio: 'ignore' });
  await once(child, 'exit');
  return child.pid ?? 0;
}

async function leave(folder: string, holder: Partial<Holder>): Promise<void> {
  const whole: Holder = { pid: process.pid, host: hostname(), number: 3, heardAt: Date.now(), details: {}, ...holder };
  await writeFile(join(folder, `lease.${whole.number}.json`), JSON.stringify(whole));
}

test('of twenty that want it at once, one gets it and the others learn who', async () => {
  const folder = await emptyFolder();
  const taken = await Promise.all(Array.from({ length: 20 }, (_, index) => Lease.take(folder, { index })));
  const holders = taken.filter((each) => each instanceof Lease);
  const others = taken.flatMap((each) => (each instanceof Lease ? [] : [each.pid]));
  expect({ holders: holders.length, others }).toEqual({
    holders: 1,
    others: Array.from({ length: 19 }, () => process.pid),
  });
  await holders[0]?.release();
  expect(await currentHolder(folder)).toBeUndefined();
});

test('of twenty that find a dead one’s lease at once, one takes it over', async () => {
  const folder = await emptyFolder();
  await leave(folder, { pid: await deadPid() });
  const taken = await Promise.all(Array.from({ length: 20 }, () => Lease.take(folder, {})));
  const leases = taken.filter((each) => each instanceof Lease);
  expect({ leases: leases.length, files: await readdir(folder) }).toEqual({ leases: 1, files: ['lease.4.json'] });
  await leases[0]?.release();
});

test('a process that has the number of a dead one holds nothing', async () => {
  const folder = await emptyFolder();
  await leave(folder, { begun: 'another time' });
  await using lease = (await Lease.take(folder, {})) as Lease<object>;
  expect(lease).toBeInstanceOf(Lease);
});

test('a holder that lives is left alone, however long it has been silent', async () => {
  const folder = await emptyFolder();
  await leave(folder, { ...(await ownIdentity()), heardAt: 0 });
  expect(await Lease.take(folder, {})).toMatchObject({ pid: process.pid, number: 3 });
});

test('a holder on another machine is given up when it has been silent', async () => {
  const folder = await emptyFolder();
  await leave(folder, { host: 'elsewhere', pid: 1 });
  expect(await Lease.take(folder, {})).toMatchObject({ host: 'elsewhere' });
  await leave(folder, { host: 'elsewhere', pid: 1, heardAt: Date.now() - 60_000 });
  await using lease = (await Lease.take(folder, {})) as Lease<object>;
  expect(lease).toBeInstanceOf(Lease);
});

test('a damaged lease holds nothing, and its number is not used again', async () => {
  const folder = await emptyFolder();
  await writeFile(join(folder, 'lease.7.json'), '{"pid":');
  await using lease = (await Lease.take(folder, {})) as Lease<object>;
  expect([lease instanceof Lease, await readdir(folder)]).toEqual([true, ['lease.8.json']]);
});

test('work under a lease is done by one at a time', async () => {
  const folder = await emptyFolder();
  const file = join(folder, 'count');
  await writeFile(file, '0');
  const count = async (): Promise<void> =>
    withLease(join(folder, 'lock'), async () => {
      const number = Number(await readFile(file, 'utf8'));
      await new Promise((resolve) => setImmediate(resolve));
      await writeFile(file, String(number + 1));
    });
  await Promise.all(Array.from({ length: 10 }, count));
  expect(await readFile(file, 'utf8')).toBe('10');
});
