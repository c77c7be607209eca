import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { accessSync, constants, existsSync, readdirSync } from 'node:fs';
import { chown, mkdtemp, rename, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { withLock } from '../../../../tools/lock.mjs';
import { Client } from '../../src/postgres/driver.ts';

const run = promisify(execFile);

type Connection = InstanceType<typeof Client>;

/** Values in SQL. */
const asText = { getTypeParser: () => (value: unknown) => value };

/** The folder with the programs of PostgreSQL; undefined if it is not installed. */
export const postgresPrograms: string | undefined = candidates().find((folder) => isProgram(join(folder, 'initdb')));

function candidates(): readonly string[] {
  const debian = '/usr/lib/postgresql';
  const versions = folders(debian).map((version) => join(debian, version, 'bin'));
  return [...versions.toReversed(), ...(process.env['PATH'] ?? '').split(':')];
}

function folders(path: string): readonly string[] {
  try {
    return readdirSync(path);
  } catch {
    return [];
  }
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** The user that the server runs as; empty: the user of the tests. */
interface ServerUser {
  readonly uid?: number;
  readonly gid?: number;
}

interface ServerContext {
  readonly folder: string;
  readonly port: number;
  readonly user: ServerUser;
  readonly settings: Readonly<Record<string, string>>;
}

/** A PostgreSQL server for one test file, on a port of the loopback interface. */
export class ThrowAwayPostgres implements AsyncDisposable {
  readonly #folder: string;
  readonly #port: number;
  readonly #user: ServerUser;
  readonly #settings: Readonly<Record<string, string>>;
  #process: ChildProcess | undefined;
  #connection: Promise<Connection> | undefined;

  private constructor({ folder, port, user, settings }: ServerContext) {
    this.#folder = folder;
    this.#port = port;
    this.#user = user;
    this.#settings = settings;
  }

  /** @param settings additional settings of the server */
  static async start(settings: Readonly<Record<string, string>> = {}): Promise<ThrowAwayPostgres> {
    const user = serverUser();
    const folder = await mkdtemp(join(tmpdir(), 'turnwire-postgres-'));
    await run('cp', ['-Rp', `${await emptyCluster(user)}/.`, folder]);
    for (let attempts = 3; ; attempts--) {
      const server = new ThrowAwayPostgres({ folder, port: await freePort(), user, settings });
      try {
        await server.run();
        return server;
      } catch (error) {
        // Another program may have taken the port in the meantime.
        if (attempts === 1) throw error;
      }
    }
  }

  get port(): number {
    return this.#port;
  }

  /**
   * @param schema the search path of statements; each schema is separate
   * @param port another port that leads to the server
   */
  url(schema: string, port: number = this.#port): string {
    const options = encodeURIComponent(`-c search_path=${schema}`);
    return `postgresql://turnwire@127.0.0.1:${port}/postgres?options=${options}`;
  }

  /** Executes statements. Resolves with the rows of the last one, a line each, with `|` between the fields. */
  async execute(statements: string): Promise<string> {
    const connection = await (this.#connection ??= this.#connect());
    const { rows } = await connection.query<string[]>({ text: statements, rowMode: 'array', types: asText });
    return rows.map((row) => row.join('|')).join('\n');
  }

  async #connect(): Promise<Connection> {
    const connection = new Client({ connectionString: this.url('public') });
    // It breaks when the server crashes.
    connection.on('error', () => {});
    await connection.connect();
    return connection;
  }

  /** Starts or restarts the server. Resolves when it answers. */
  async run(): Promise<void> {
    const usual = { listen_addresses: '127.0.0.1', fsync: 'off', max_connections: '50', shared_buffers: '16MB' };
    const settings = { ...usual, ...this.#settings };
    const options = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
    const child = spawn(
      program('postgres'),
      ['-D', this.#folder, '-k', this.#folder, '-p', String(this.#port), ...options],
      {
        ...this.#user,
        cwd: this.#folder,
        stdio: ['ignore', 'ignore', 'pipe'],
      },
    );
    this.#process = child;
    await isReady(child.stderr);
  }

  /** Crashes the server with all its connections. */
  async crash(): Promise<void> {
    const child = this.#process;
    if (!child || child.exitCode !== null) return;
    this.#connection = undefined;
    const exited = once(child, 'exit');
    child.kill('SIGQUIT');
    await exited;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const connection = await this.#connection?.catch(() => undefined);
    await connection?.end();
    await this.crash();
    await rm(this.#folder, { recursive: true, force: true });
  }
}

/** The files of an empty server. The first process of a test run creates them. */
async function emptyCluster(user: ServerUser): Promise<string> {
  const folder = join(tmpdir(), 'turnwire-empty-postgres');
  await withLock(`${folder}.lock`, {}, async () => {
    if (existsSync(folder)) return;
    const draft = await mkdtemp(`${folder}-`);
    if (user.uid !== undefined && user.gid !== undefined) await chown(draft, user.uid, user.gid);
    const options = ['-U', 'turnwire', '-A', 'trust', '-E', 'UTF8', '--locale=C', '--no-sync', '--wal-segsize=1'];
    await run(program('initdb'), ['-D', draft, ...options], { ...user, cwd: draft });
    await rename(draft, folder);
  });
  return folder;
}

/** Resolves when the server reports that it accepts connections. */
async function isReady(log: Readable): Promise<void> {
  const said: string[] = [];
  let isThere = false;
  for await (const line of createInterface(log)) {
    said.push(line);
    isThere = line.endsWith('database system is ready to accept connections');
    if (isThere) break;
  }
  if (!isThere) throw new Error(`PostgreSQL did not start:\n${said.join('\n')}`);
  // Drains the rest, because a full pipe would block the server.
  log.resume();
}

function program(name: string): string {
  return join(postgresPrograms ?? '', name);
}

/** PostgreSQL refuses to run as root, so it runs as the user that its package created. */
function serverUser(): ServerUser {
  if (process.getuid?.() !== 0) return {};
  const id = (flag: string): number => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }));
  return { uid: id('-u'), gid: id('-g') };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { readonly port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}
