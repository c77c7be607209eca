import { randomUUID } from 'node:crypto';
import { tmpdir } from 'node:os';
import { protocolVersion } from '@turnwire/protocol';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { within } from '../../../../tools/pace.ts';
import { Gateway } from '@turnwire/gateway';
import { GatewayNode, type GatewayNodeOptions } from '../../src/nodes/gateway-node.ts';
import { testAgent } from '../../../gateway/test/attached-agent.ts';
import { speaker } from '../../../gateway/test/speaker.ts';
import { session } from '../../../runtime/test/store/session-store-contract.ts';
import { answersAbout, RawClient } from '../../../gateway/test/tenants.ts';
import { postgresPrograms, ThrowAwayPostgres } from '../postgres/throw-away-postgres.ts';

const update = { at: 1, type: 'update', payload: '"x"' };

describe.skipIf(postgresPrograms === undefined)('nodes (skipped where PostgreSQL is not on the machine)', () => {
  let server: ThrowAwayPostgres;
  beforeAll(async () => {
    server = await ThrowAwayPostgres.start();
  });
  afterAll(() => server[Symbol.asyncDispose]());

  /** An empty schema for nodes. */
  async function place(): Promise<{
    readonly schema: string;
    readonly join: (options?: Partial<GatewayNodeOptions>) => Promise<GatewayNode>;
  }> {
    const schema = `nodes_${randomUUID().replaceAll('-', '')}`;
    await server.execute(`CREATE SCHEMA ${schema}`);
    const join = async (options: Partial<GatewayNodeOptions> = {}): Promise<GatewayNode> => {
      const node = await GatewayNode.join({
        url: server.url(schema),
        agents: ['test'],
        roots: ['/code'],
        ...options,
      });
      onTestFinished(() => node.leave());
      await node.announce(`http://10.0.0.1:${++port}`, `10.0.0.1:${port}`);
      return node;
    };
    return { schema, join };
  }
  let port = 8000;

  /** Ends the lease of a node like another node does when the lease is over, for example for a suspended node. */
  const end = (schema: string, { number }: GatewayNode): Promise<string> =>
    server.execute(`DELETE FROM ${schema}.turnwire_nodes WHERE number = ${number}`);

  test('a ticket is accepted once by any node, and a page token by every node until it expires', async () => {
    const { schema, join } = await place();
    const [one, two] = await Promise.all([join(), join()]);
    const grant = {
      owner: { principal: { id: '1', tenant: 'ada', scope: 'control' } as const },
      origin: 'https://page',
    };
    await one.pageTokens.add('ticket', 'first', { ...grant, time: 60_000 });
    await one.pageTokens.add('page', 'second', { ...grant, time: 60_000 });
    const taken = await Promise.all([one, two].map(({ pageTokens }) => pageTokens.take('ticket', 'first')));
    const mixed = [await two.pageTokens.find('ticket', 'second'), await two.pageTokens.take('ticket', 'second')];
    const found = await two.pageTokens.find('page', 'second');
    const kept = await server.execute(`SELECT digest FROM ${schema}.turnwire_page_tokens`);
    await server.execute(`UPDATE ${schema}.turnwire_page_tokens SET expires_at = clock_timestamp()`);
    const late = await two.pageTokens.find('page', 'second');
    await two.pageTokens.add('page', 'third', { ...grant, time: 60_000 });
    expect({
      taken: taken.filter((each) => each !== undefined),
      mixed,
      found,
      isDigest: /^[0-9a-f]{64}$/.test(kept),
      late,
      left: await server.execute(`SELECT count(*) FROM ${schema}.turnwire_page_tokens`),
    }).toEqual({
      taken: [grant],
      mixed: [undefined, undefined],
      found: grant,
      isDigest: true,
      late: undefined,
      left: '1',
    });
    const [login] = await one.pageTokens.logins('ada');
    const ofOthers = await one.pageTokens.logins('bob');
    await one.pageTokens.end(login?.digest ?? '');
    expect([login, ofOthers, await two.pageTokens.find('page', 'third')]).toEqual([
      { ...grant, digest: expect.stringMatching(/^[0-9a-f]{64}$/), expiresAt: expect.any(Number) },
      [],
      undefined,
    ]);
    expect((login?.expiresAt ?? 0) > Date.now()).toBe(true);
  });

  test('a session belongs to the node that created it, until that node releases it or leaves', async () => {
    const { join } = await place();
    const [one, two] = await Promise.all([join(), join()]);
    const claim = await one.store.create(session('one', { cwd: '/code/project', agent: 'test' }));
    const place_ = { tenant: claim.record.tenant, id: 'one' };
    const owner = await two.ownerOf(place_);
    const refused = await two.store.claim(place_.tenant, 'one').catch((error: unknown) => error);
    await one.release(claim);
    const taken = [await two.ownerOf(place_), await one.ownerOf(place_)];
    await two.leave();
    expect({
      owner: typeof owner === 'object' && owner.number === one.number,
      refused: (refused as { readonly code?: string }).code,
      taken: [taken[0], typeof taken[1] === 'object' && taken[1].number === two.number],
      afterwards: await one.ownerOf(place_),
      unknown: await one.ownerOf({ tenant: 'other', id: 'one' }),
    }).toEqual({ owner: true, refused: 'elsewhere', taken: ['here', true], afterwards: 'here', unknown: 'unknown' });
  });

  test('a node that shuts down, or moves a session, knows a node that has just joined', async () => {
    const { join } = await place();
    // Neither lease is renewed before the end of the test.
    const one = await join({ lease: 600_000, secret: 'secret' });
    const made = session('one', { cwd: '/code/project', agent: 'test' });
    const { record } = await one.store.create(made);
    await expect.poll(() => one.nodes.map(({ address }) => address !== null)).toEqual([true]);
    const two = await join({ lease: 600_000 });
    const before = one.leastBusy(record);
    await expect(one.move?.(record, two.number)).resolves.toEqual(expect.any(Object));
    await one.beginDraining();
    expect([before, one.leastBusy(record)?.number]).toEqual([undefined, two.number]);
  });

  test('a node is removed as killed only after it has missed a renewal of its lease', async () => {
    const { schema, join } = await place();
    const [one, two] = await Promise.all([join({ lease: 600_000 }), join({ lease: 600_000 })]);
    const { tenant } = (await two.store.create(session('one', { cwd: '/code/project', agent: 'test' }))).record;
    const removed = [await one.removeKilled(two.number)];
    await server.execute(
      `UPDATE ${schema}.turnwire_nodes SET lease_until = clock_timestamp() + interval '400 s' WHERE number = ${two.number}`,
    );
    removed.push(await one.removeKilled(two.number), await one.removeKilled(two.number));
    expect({ removed, owner: await one.ownerOf({ tenant, id: 'one' }) }).toEqual({
      removed: [false, true, false],
      owner: 'here',
    });
  });

  test("a tenant's use of one node counts on the others, until that node ends", async () => {
    const { schema, join } = await place();
    // An expired lease ends the process, so it must be long enough for a busy machine.
    const lease = within(2_000);
    const [one, two] = await Promise.all([join({ lease }), join({ lease })]);
    const stored = { sessions: 1, storedBytes: 3 };
    const claim = await one.store.create(session('one', { tenant: 'blue' }));
    await one.store.append(claim, [update]);
    const figures = { tenant: 'blue', quota: {}, stored, agents: 2, prompts: 3, transferredBytes: 400, refusals: {} };
    one.shareUse(() => [figures]);
    two.shareUse(() => [{ ...figures, agents: 1, prompts: 0, transferredBytes: 50 }]);
    await expect.poll(() => two.usedElsewhere('blue')).toEqual({ agents: 2, prompts: 3, transferredBytes: 400 });
    await expect.poll(() => one.usedElsewhere('blue')).toEqual({ agents: 1, prompts: 0, transferredBytes: 50 });
    const totals = await GatewayNode.tenants({ url: server.url(schema) });
    await one.leave();
    await expect.poll(() => two.usedElsewhere('blue')).toEqual({ agents: 0, prompts: 0, transferredBytes: 0 });
    expect(totals).toEqual([{ tenant: 'blue', ...stored, agents: 3, prompts: 3, transferredBytes: 450 }]);
  });

  test('every message of another tenant about a session of another node is refused like one about an unknown session', async () => {
    const { schema, join } = await place();
    const [one, two] = await Promise.all([join({ roots: ['/'] }), join({ roots: ['/'], secret: 'x' })]);
    const claim = await one.store.create(
      session('one', { tenant: 'blue', agent: 'test', facts: { isPrompted: true } }),
    );
    const agents = { test: testAgent(speaker().definition).hosted };
    await using gateway = new Gateway({ store: two.store, node: two, agents, cwd: tmpdir() });
    const to = { principal: { tenant: 'red', scope: 'admin' }, agent: 'test', by: 'websocket' } as const;
    const client = new RawClient((transport) => gateway.attach(transport, to));
    await client.request('initialize', { protocolVersion, clientCapabilities: {} });
    expect(await answersAbout(client, 'one')).toEqual(await answersAbout(client, randomUUID()));
    const row = await server.execute(`SELECT node, epoch, head_sequence FROM ${schema}.turnwire_sessions`);
    expect(row).toBe(`${one.number}|${claim.epoch}|0`);
  });

  test('writes of a node with an expired lease are refused, even if no other node has claimed its sessions', async () => {
    const { schema, join } = await place();
    // The lease is renewed five times in that period, so nothing notices earlier and ends this process.
    const node = await join({ lease: 600_000 });
    const claim = await node.store.create(session('one'));
    await node.store.append(claim, [update]);
    await end(schema, node);
    const refusals = await Promise.allSettled([
      node.store.append(claim, [update]),
      node.store.update(claim, { title: 'stale' }),
      node.store.trim(claim, { epoch: 1, sequence: 1 }),
    ]);
    expect({
      refusals: refusals.map((each) => (each as { readonly reason?: { readonly code?: string } }).reason?.code),
      record: (await node.store.find(claim.record.tenant, 'one'))?.title,
    }).toEqual({ refusals: ['fenced', 'fenced', 'fenced'], record: claim.record.title });
  });
});
