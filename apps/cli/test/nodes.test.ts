import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { client as officialClient, type Stream } from '@agentclientprotocol/sdk';
import { createHttpStream } from '@agentclientprotocol/sdk/experimental/http-client';
import { createWebSocketStream, type WebSocketConstructor } from '@agentclientprotocol/sdk/experimental/ws-client';
import { type Agent, attachAgent } from '@turnwire/client';
import { connectClient, type Peer, protocolVersion } from '@turnwire/protocol';
import { connectHttp } from '@turnwire/transports/http';
import { connectWebSocket } from '@turnwire/transports/websocket/node';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { WebSocket } from 'ws';
import { postgresPrograms, ThrowAwayPostgres } from '../../../packages/cluster/test/postgres/throw-away-postgres.ts';
import { bundleProgram } from '../../../tools/bundle-program.mjs';
import { within } from '../../../tools/pace.ts';
import { commandWords, plainEnvironment, turnwire } from './command.ts';
import { ClientOfVersion1, ClientOfVersion2 } from './resuming-client.ts';
import { type RunningServer, startServer, wholeTurnsAgent } from './running-server.ts';

let database: ThrowAwayPostgres;
let folder: string;
let schema: string;
let schemas = 0;

/** A server of the database of this test. */
async function server(...words: readonly string[]): Promise<RunningServer> {
  // In seconds. A server that a busy machine keeps from renewing it ends.
  const lease = Math.ceil(within(2_000) / 1_000);
  const shared = [
    '--store',
    database.url(schema),
    '--lease',
    String(lease),
    '--cluster-secret',
    join(folder, 'secret'),
  ];
  const agent = words.includes('--agent') ? [] : ['--agent', wholeTurnsAgent()];
  const running = await startServer(folder, [...shared, ...agent, ...words]);
  onTestFinished(() => void (running.child.exitCode === null && running.child.kill('SIGKILL')));
  return running;
}

async function connected({ acp, token }: RunningServer): Promise<Agent> {
  const agent = await attachAgent(connectWebSocket(acp, { headers: { authorization: `Bearer ${token}` } }));
  onTestFinished(() => void agent.close());
  return agent;
}

function countingAgent(): string {
  const program = bundleProgram(fileURLToPath(new URL('fixtures/counting-agent.ts', import.meta.url)));
  return `'${process.execPath}' '${program}'`;
}

/** Notes the texts of updates. */
const texts =
  (into: string[]) =>
  (update: object): void =>
    void ('content' in update && into.push((update.content as { readonly text: string }).text));

const nodes = (): Promise<string> => database.execute(`SELECT count(*) FROM ${schema}.turnwire_nodes`);

/** A client that remembers how far it has read. */
class CursorClient {
  readonly seen: string[] = [];
  cursor: string | undefined;

  async connect({ acp, token }: RunningServer): Promise<Peer<'client'>> {
    const transport = connectWebSocket(acp, { headers: { authorization: `Bearer ${token}` } });
    const peer = connectClient(transport, {
      'session/update': ({ update, _meta }) => {
        texts(this.seen)(update);
        this.cursor = (_meta?.['turnwire'] as { readonly cursor?: string } | undefined)?.cursor;
      },
      'session/request_permission': ({ options: [option] }) => ({
        outcome: { outcome: 'selected', optionId: option?.optionId ?? '' },
      }),
    });
    onTestFinished(() => void peer.close());
    await peer.request('initialize', { protocolVersion, clientCapabilities: {} });
    return peer;
  }
}

// Debian has its server as the package postgresql.
describe.skipIf(postgresPrograms === undefined)('servers that share a database (skipped without PostgreSQL)', () => {
  beforeAll(async () => {
    database = await ThrowAwayPostgres.start();
  });
  afterAll(() => database[Symbol.asyncDispose]());
  beforeEach(async () => {
    folder = await realpath(await mkdtemp(join(tmpdir(), 'turnwire-nodes-')));
    schema = `servers_${++schemas}`;
    await database.execute(`CREATE SCHEMA ${schema}`);
    await writeFile(join(folder, 'secret'), 'x'.repeat(32), { mode: 0o600 });
    return () => rm(folder, { recursive: true, maxRetries: 10, retryDelay: 200 });
  });

  test('a server that was suspended beyond its lease ends when it resumes, and its writes are refused', async () => {
    const [stopped, other] = [await server(), await server()];
    const seen: string[] = [];
    const session = await (await connected(stopped)).newSession({ cwd: folder, onUpdate: texts(seen) });
    await session.prompt('one');
    session.prompt('second').result.catch(() => undefined);
    await expect.poll(() => seen).toEqual(['one', 'waiting']);
    const exited = once(stopped.child, 'exit') as Promise<[number | null]>;
    stopped.child.kill('SIGSTOP');
    await expect.poll(nodes, { timeout: within(15_000) }).toBe('1');
    stopped.child.kill('SIGCONT');
    const [code] = await exited;

    const loaded: string[] = [];
    const again = await connected(other);
    const there = await again.loadSession?.({ sessionId: session.id, cwd: folder, onUpdate: texts(loaded) });
    const { stopReason } = (await there?.prompt('two')) ?? {};
    // On a busy machine it is killed: it has a second to end by itself.
    expect({ hasEnded: code === 7 || code === null, loaded, stopReason }).toEqual({
      hasEnded: true,
      loaded: [
        'one',
        'one',
        'second',
        'waiting',
        '[turnwire] The turn was interrupted: its host ended.\n\n',
        expect.stringContaining('[turnwire] The session could not be restored'),
        'two',
      ],
      stopReason: 'end_turn',
    });
  });

  test('a client reaches the sessions of every server through any server, and other clients see its changes', async () => {
    const [one, two] = [await server('--audit-store'), await server('--audit-store')];
    const [first, second] = [await connected(one), await connected(two)];
    const [here, there]: [string[], string[]] = [[], []];
    const session = await first.newSession({ cwd: folder, onUpdate: texts(here) });
    await session.prompt('one');
    const loaded = await second.loadSession?.({ sessionId: session.id, cwd: folder, onUpdate: texts(there) });
    const { stopReason } = (await loaded?.prompt('two')) ?? {};
    await expect.poll(() => here).toEqual(['one', 'two', 'two']);
    const listed: string[] = [];
    for await (const { sessionId } of second.listSessions?.() ?? []) listed.push(sessionId);
    // Without having it open, and without taking it over.
    const reading = await new CursorClient().connect(two);
    const { events } = (await reading.request('_turnwire/history', { sessionId: session.id })) as {
      readonly events: readonly object[];
    };
    const claims = await database.execute(`SELECT epoch FROM ${schema}.turnwire_sessions`);
    const status = await turnwire(['serve', 'status', '--store', database.url(schema), '--format', 'json']);
    const audit = `SELECT what, node FROM ${schema}.turnwire_audit WHERE session = '${session.id}' ORDER BY number`;
    await expect.poll(() => database.execute(audit)).toBe('created|1\nprompt|1\nturn-ended|1\nprompt|1\nturn-ended|1');
    const metrics = await fetch(`${two.url}/metrics`, { headers: { authorization: `Bearer ${two.token}` } });
    const measured = (await metrics.text()).split('\n').filter((line) => line.startsWith('turnwire_'));
    expect(measured).toEqual(expect.arrayContaining(['turnwire_clients{node="2"} 2', 'turnwire_nodes{node="2"} 2']));
    expect(JSON.parse(status.stdout)).toMatchObject(
      [one, two].map(({ url }) => ({
        address: url,
        agents: ['whole-turns-agent'],
        roots: [folder],
        isDraining: false,
      })),
    );
    expect({ there, stopReason, listed, claims, isRead: events.length > 0 }).toEqual({
      there: ['one', 'one', 'two'],
      stopReason: 'end_turn',
      listed: [session.id],
      claims: '1',
      isRead: true,
    });
  });

  test('a quota applies to all servers together, and the usage of tenants is listed', async () => {
    const path = join(folder, 'quotas.json');
    await writeFile(path, JSON.stringify({ default: { sessions: 2 } }));
    const [one, two] = [await server('--quotas', path), await server('--quotas', path)];
    const [first, second] = [await connected(one), await connected(two)];
    await first.newSession({ cwd: folder });
    const session = await second.newSession({ cwd: folder });
    await session.prompt('one');
    const refused = second.newSession({ cwd: folder });
    await expect(refused).rejects.toThrow('The quota of 2 sessions is used up: delete one');
    const tenants = async (format: string): Promise<string> =>
      (await turnwire(['serve', 'status', '--tenants', '--store', database.url(schema), '--format', format])).stdout;
    await expect
      .poll(async () => JSON.parse(await tenants('json')) as object, { timeout: within(20_000), interval: 500 })
      .toEqual([
        {
          tenant: 'local',
          sessions: 2,
          storedBytes: expect.any(Number),
          agents: 2,
          prompts: 1,
          transferredBytes: expect.any(Number),
        },
      ]);
    expect(await tenants('text')).toMatch(/^2\t\d+\t2\t1\t\d+\tlocal\n$/);
  });

  test('a session on another server asks the client for permission, and the client can cancel it', async () => {
    const [one, two] = [await server(), await server()];
    const owner = await new CursorClient().connect(one);
    const { sessionId } = await owner.request('session/new', { cwd: folder, mcpServers: [] });
    const client = new CursorClient();
    const foreign = await client.connect(two);
    const prompt = (text: string): Promise<{ readonly stopReason: string }> =>
      foreign.request('session/prompt', { sessionId, prompt: [{ type: 'text', text }] });
    // It has a session of its own server as well, whose requests have ids of their own.
    await foreign.request('session/new', { cwd: folder, mcpServers: [] });
    await foreign.request('session/resume', { sessionId, cwd: folder });
    await owner.close();
    const first = await prompt('first');
    const second = prompt('second');
    await expect.poll(() => client.seen).toContain('waiting');
    await foreign.notify('session/cancel', { sessionId });
    expect({ seen: client.seen, reasons: [first.stopReason, (await second).stopReason] }).toEqual({
      seen: ['allowed yes', 'waiting'],
      reasons: ['end_turn', 'cancelled'],
    });
  });

  test('a client over HTTP has a session of another server, each message on the stream of its session', async () => {
    const [one, two] = [await server(), await server()];
    const session = await (await connected(one)).newSession({ cwd: folder });
    await session.prompt('one');
    const headers = { authorization: `Bearer ${two.token}` };
    const agent = await attachAgent(connectHttp(`${two.url}/acp`, { headers }));
    onTestFinished(() => void agent.close());
    const seen: string[] = [];
    const loaded = await agent.loadSession?.({ sessionId: session.id, cwd: folder, onUpdate: texts(seen) });
    const { stopReason } = (await loaded?.prompt('two')) ?? {};
    const owned = await agent.newSession({ cwd: folder, onUpdate: texts(seen) });
    await owned.prompt('three');
    expect({ seen, stopReason }).toEqual({ seen: ['one', 'one', 'two', 'three'], stopReason: 'end_turn' });
  });

  test('a server that loses its database says so at once and retries until SIGTERM ends it', async () => {
    const words = ['serve', '--agent', wholeTurnsAgent(), '--store', 'postgresql://127.0.0.1:1/nowhere'];
    const child = spawn(process.execPath, [...commandWords, '--cwd', folder, ...words], {
      stdio: ['ignore', 'ignore', 'pipe'],
      env: { ...plainEnvironment, XDG_STATE_HOME: join(folder, 'state') },
    });
    onTestFinished(() => void child.kill('SIGKILL'));
    const [line] = (await once(createInterface(child.stderr), 'line')) as [string];
    const isTrying = child.exitCode === null;
    child.kill('SIGTERM');
    const [code] = (await once(child, 'exit')) as [number | null];
    expect({ line, isTrying, code }).toEqual({
      line: 'turnwire: the database at 127.0.0.1:1/nowhere cannot be reached; check that it runs, and its address; retrying for a minute',
      isTrying: true,
      code: 0,
    });
  });

  test('a server without the cluster secret is refused', async () => {
    const { acp } = await server();
    const principal = Buffer.from(JSON.stringify({ principal: { tenant: 'local', scope: 'admin' }, firstId: 0 }));
    const refusals = ['y'.repeat(32), ''].map(async (secret) => {
      const url = new URL(acp);
      url.pathname = '/nodes/whole-turns-agent';
      const transport = connectWebSocket(url, {
        headers: { authorization: `Bearer ${secret}`, 'x-turnwire-client': principal.toString('base64url') },
      });
      const { error } = await connectClient(transport, {}).closed;
      return (error as { readonly code?: string } | undefined)?.code;
    });
    expect(await Promise.all(refusals)).toEqual(['not-authorized', 'not-authorized']);
  });

  test('a server that shuts down finishes a turn and hands queued prompts to another server', async () => {
    const [ending, other] = [await server('--agent', countingAgent()), await server('--agent', countingAgent())];
    const client = new CursorClient();
    const peer = await client.connect(ending);
    await expect.poll(nodes).toBe('2');
    const { sessionId } = await peer.request('session/new', { cwd: folder, mcpServers: [] });
    const prompt = (text: string): Promise<unknown> =>
      peer.request('session/prompt', { sessionId, prompt: [{ type: 'text', text }] }).then(
        ({ stopReason }) => stopReason,
        (error: unknown) => (error as { readonly data?: unknown }).data,
      );
    const running = prompt('300 20');
    const waiting = prompt('3 0');
    await expect.poll(() => client.seen.length).toBeGreaterThan(10);
    const code = await ending.end();
    const outcomes = await Promise.all([running, waiting]);
    await peer.closed;
    const again = await client.connect(other);
    await again.request('session/resume', { sessionId, cwd: folder, _meta: { turnwire: { after: client.cursor } } });
    const numbers = (count: number): string[] => Array.from({ length: count }, (_, index) => `${index + 1}`);
    await expect
      .poll(() => client.seen.filter((text) => !text.startsWith('[turnwire]')))
      .toEqual([...numbers(300), '3 0', ...numbers(3)]);
    expect({ outcomes, code }).toEqual({
      outcomes: ['end_turn', { turnwire: { code: 'handed-over' } }],
      code: 0,
    });
  });

  test('a session moves to another server after its turn with its queued prompts, and its clients reconnect', async () => {
    const agent = countingAgent();
    const [one, two] = [await server('--agent', agent), await server('--agent', agent)];
    const client = new CursorClient();
    const peer = await client.connect(one);
    await expect.poll(nodes).toBe('2');
    const { sessionId } = await peer.request('session/new', { cwd: folder, mcpServers: [] });
    const place = (): Promise<string> => database.execute(`SELECT node, epoch FROM ${schema}.turnwire_sessions`);
    const move = (session: string, to: string): ReturnType<typeof turnwire> => {
      const words = ['--store', database.url(schema), '--cluster-secret', join(folder, 'secret'), '--to', to];
      return turnwire(['serve', 'move', session, ...words]);
    };
    const before = await place();
    const prompt = (text: string): Promise<unknown> =>
      peer.request('session/prompt', { sessionId, prompt: [{ type: 'text', text }] }).then(
        ({ stopReason }) => stopReason,
        (error: unknown) => (error as { readonly data?: unknown }).data,
      );
    const running = prompt('300 20');
    const waiting = prompt('3 0');
    await expect.poll(() => client.seen.length).toBeGreaterThan(10);
    const moved = await move(sessionId, two.url);
    const outcomes = await Promise.all([running, waiting]);
    await peer.closed;
    // It comes back to the server that had it, and is led on.
    const again = await client.connect(one);
    await again.request('session/resume', { sessionId, cwd: folder, _meta: { turnwire: { after: client.cursor } } });
    const numbers = (count: number): string[] => Array.from({ length: count }, (_, index) => `${index + 1}`);
    await expect
      .poll(() => client.seen.filter((text) => !text.startsWith('[turnwire]')))
      .toEqual([...numbers(300), '3 0', ...numbers(3)]);
    const after = await place();
    const back = await move(sessionId, '1');
    const refused = [await move(sessionId, '7'), await move('nobody', '1')];
    expect({ before, moved, outcomes, after, back, refused }).toEqual({
      before: '1|1',
      moved: { code: 0, stdout: `moved to ${two.url}\n`, stderr: '' },
      outcomes: ['end_turn', { turnwire: { code: 'handed-over' } }],
      after: '2|2',
      back: { code: 0, stdout: `moved to ${one.url}\n`, stderr: '' },
      refused: [
        {
          code: 1,
          stdout: '',
          stderr: 'turnwire: There is no server 7 that takes sessions: turnwire serve status lists them\n',
        },
        { code: 1, stdout: '', stderr: 'turnwire: there is no session nobody\n' },
      ],
    });
  });

  test('after a server is killed, clients continue on the other one from their cursor without a gap', async () => {
    const counting = countingAgent();
    const [killed, other] = [await server('--agent', counting), await server('--agent', counting)];
    const first = new CursorClient();
    const owner = await first.connect(killed);
    const { sessionId } = await owner.request('session/new', { cwd: folder, mcpServers: [] });
    const second = new CursorClient();
    const foreign = await second.connect(other);
    await foreign.request('session/resume', { sessionId, cwd: folder });
    foreign
      .request('session/prompt', { sessionId, prompt: [{ type: 'text', text: '100000 1' }] })
      .catch(() => undefined);
    await expect.poll(() => second.seen.length).toBeGreaterThan(50);
    killed.child.kill('SIGKILL');
    await Promise.all([owner.closed, foreign.closed]);

    for (const client of [first, second]) {
      const peer = await client.connect(other);
      const answer = await peer.request('session/resume', {
        sessionId,
        cwd: folder,
        _meta: { turnwire: { after: client.cursor } },
      });
      expect(answer._meta?.['turnwire']).not.toHaveProperty('gap');
    }
    const whole = new CursorClient();
    const loading = await whole.connect(other);
    await loading.request('session/load', { sessionId, cwd: folder, mcpServers: [] });
    const said = whole.seen.slice(1);
    const numbers = said.slice(0, -1).map(Number);
    expect(numbers).toEqual(numbers.map((_, index) => index + 1));
    expect(said.at(-1)).toBe('[turnwire] The turn was interrupted: its host ended.\n\n');
    await expect.poll(() => [first.seen, second.seen]).toEqual([['100000 1', ...said], said]);
  });

  test('another server takes the sessions of a killed one after a missed renewal, long before its lease ends', async () => {
    const [killed, other] = [await server('--lease', '3600'), await server('--lease', '3600')];
    const session = await (await connected(killed)).newSession({ cwd: folder });
    const resumed = (await connected(other)).resumeSession?.({ sessionId: session.id, cwd: folder });
    await (await resumed)?.close?.();
    const exited = once(killed.child, 'exit');
    killed.child.kill('SIGKILL');
    await exited;
    const there = (await connected(other)).resumeSession?.({ sessionId: session.id, cwd: folder });
    // As if the time of a renewal had passed.
    await database.execute(`UPDATE ${schema}.turnwire_nodes SET lease_until = lease_until - interval '1200 s'`);
    const { stopReason } = (await (await there)?.prompt('two')) ?? {};
    expect([stopReason, await nodes()]).toEqual(['end_turn', '1']);
  });

  test.each([1, 2])(
    'after a server is killed in a turn of an agent of version %i, clients of both versions continue on the other one',
    async (version) => {
      const program = bundleProgram(fileURLToPath(new URL('fixtures/working-agent.ts', import.meta.url)));
      const words = ['--root', '/', '--approve-all', '--agent', `'${process.execPath}' '${program}' ${version}`];
      const [killed, other] = [await server(...words), await server(...words)];
      const [older, newer] = [new ClientOfVersion1(), new ClientOfVersion2()];
      const sessionId = await newer.begin(killed, folder, 'go');
      // One client is on the server that is killed, and one on the other.
      await older.open(other, sessionId);
      await expect
        .poll(() => [older, newer].every(({ updates }) => updates > 50), { timeout: within(20_000) })
        .toBe(true);
      await newer.leave();
      const seen = older.updates;
      await expect.poll(() => older.updates, { timeout: within(20_000) }).toBeGreaterThan(seen + 50);
      killed.child.kill('SIGKILL');
      await older.closed;
      const fresh = [new ClientOfVersion1(), new ClientOfVersion2()] as const;
      for (const client of [older, newer, ...fresh]) await client.open(other, sessionId);
      expect([older.view, newer.view]).toEqual(fresh.map(({ view }) => view));
    },
  );

  test.each<[string, (to: RunningServer) => Stream | Promise<Stream>]>([
    [
      'WebSocket',
      ({ acp, token }) =>
        createWebSocketStream(acp, {
          WebSocket: WebSocket as unknown as WebSocketConstructor,
          headers: { authorization: `Bearer ${token}` },
        }),
    ],
    ['HTTP', ({ url, token }) => createHttpStream(`${url}/acp`, { headers: { authorization: `Bearer ${token}` } })],
  ])(
    'a client of the official SDK, over %s, has the session of a server that was killed in its turn',
    async (_, open) => {
      const [killed, other] = [await server(), await server()];
      const seen: string[] = [];
      const app = officialClient({ name: 'official' }).onNotification('session/update', ({ params }) =>
        texts(seen)(params.update),
      );
      const about = { cwd: folder, mcpServers: [] };
      const ask = (text: string): { readonly prompt: readonly object[] } => ({ prompt: [{ type: 'text', text }] });
      let sessionId = '';
      const cut = app.connectWith(await open(killed), async (agent) => {
        await agent.request('initialize', { protocolVersion, clientCapabilities: {} });
        ({ sessionId } = await agent.request('session/new', about));
        const turn = agent.request('session/prompt', { sessionId, ...ask('second') } as never);
        turn.catch(() => undefined);
        await expect.poll(() => seen).toEqual(['waiting']);
        await killed.end('SIGKILL');
        await turn;
      });
      // It is cut off in the middle of its work.
      await expect(cut).rejects.toThrow(Error);
      seen.length = 0;
      await app.connectWith(await open(other), async (agent) => {
        await agent.request('initialize', { protocolVersion, clientCapabilities: {} });
        await agent.request('session/load', { sessionId, ...about });
        await agent.request('session/prompt', { sessionId, ...ask('two') } as never);
        await expect.poll(() => seen.at(-1)).toBe('two');
      });
      expect(seen).toEqual([
        'second',
        'waiting',
        '[turnwire] The turn was interrupted: its host ended.\n\n',
        expect.stringContaining('[turnwire] The session could not be restored'),
        'two',
      ]);
    },
  );
});
