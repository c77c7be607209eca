import { hostname } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import type { Transport } from '@turnwire/protocol';
import { isInside } from '@turnwire/machine';
import { within } from '@turnwire/machine/waits';
import type { ClusterNode, HandPrompts, PageTokenStore, RoutedClient, SessionMove } from '@turnwire/gateway';
import type { SessionClaim, SessionRecord, SessionStore } from '@turnwire/runtime';
import type { LinkEndpoint } from '@turnwire/gateway/endpoints';
import { CallQueue } from '../postgres/call-queue.ts';
import { Database, type DatabaseOptions } from '../postgres/database.ts';
import { PostgresStore } from '../postgres/postgres-store.ts';
import type { LiveUse, TenantFigures } from '../quotas/tenant-use.ts';
import { calledSessions, checkPlace, namesOf, type SessionPlace } from '../postgres/session-reads.ts';
import { AuditTable } from './audit-table.ts';
import { AwayNodes } from './away-nodes.ts';
import { ClientRoutes } from './client-routes.ts';
import { handPrompts } from './handed-prompts.ts';
import { NodeLease, type NodeRow, nodesOf, stateOf } from './node-lease.ts';
import { sessionMove } from './move-session.ts';
import { nodeLinks } from './node-links.ts';
import { SharedPageTokens } from './shared-page-tokens.ts';
import { SharedUse, type TenantTotals } from './shared-use.ts';
import type { NodeFigures, NodeState, SessionOwner, SessionPlaces } from './node-state.ts';

/** A gateway among others on one database. */
export interface GatewayNodeOptions extends Partial<Pick<DatabaseOptions, 'patience' | 'onAway'>> {
  /** `postgresql://USER:PASSWORD@HOST:PORT/DATABASE`. PostgreSQL 14 or newer. */
  readonly url: string;
  /** How long its sessions stay its own when nothing is heard of it, in milliseconds. Default 10,000. */
  readonly lease?: number | undefined;
  /** The names of its agents. */
  readonly agents: readonly string[];
  /** The folders in which its sessions may work. */
  readonly roots: readonly string[];
  /** What the nodes know each other by. Default: other nodes cannot be reached, and reach none of its sessions. */
  readonly secret?: string | undefined;
}

/** Of how many sessions one statement finds the owners. */
const mostOwners = 500;

/**
 * A node: its store refuses sessions that another node has which is alive, and whatever it writes once its own lease is over. Leases are
 * compared with the clock of the database alone.
 */
export class GatewayNode implements ClusterNode, SessionPlaces, AsyncDisposable {
  /** Of this run. */
  readonly number: string;
  readonly store: SessionStore;
  /** Aborts when the lease is lost: others may have its sessions. The process is killed unless it ends within a second. */
  readonly lost: AbortSignal;
  readonly takeover: number;
  readonly away: AwayNodes = new AwayNodes();
  /** The tickets and tokens of web pages of all nodes: for `pageTokens` of the options of `openHttpServer`. */
  readonly pageTokens: PageTokenStore;
  /** Absent without a secret. */
  declare readonly handOver?: NonNullable<ClusterNode['handOver']>;
  /** Absent without a secret. */
  declare readonly move?: NonNullable<ClusterNode['move']>;
  readonly #options: GatewayNodeOptions;
  readonly #database: Database;
  readonly #lease: NodeLease;
  readonly #postgres: PostgresStore;
  readonly #use: SharedUse;
  readonly #owners = new CallQueue<SessionPlace, OwnerRow | undefined>({
    take: ({ length }) => Math.min(length, mostOwners),
    answer: (calls) => this.#ownersOf(calls),
  });
  #nodes: readonly NodeState[] = [];
  #isDraining = false;
  /** How many sessions each has been given since it was last known how busy it is. */
  readonly #given = new Map<string, number>();

  private constructor(database: Database, number: string, options: GatewayNodeOptions & { readonly driver: string }) {
    const { url, lease = 10_000, secret, driver } = options;
    this.#options = options;
    this.#database = database;
    this.number = number;
    this.takeover = lease + 5_000;
    this.#postgres = new PostgresStore(database, number);
    this.store = this.#postgres;
    this.#use = new SharedUse(database, number);
    this.pageTokens = new SharedPageTokens(database);
    if (secret !== undefined) {
      this.handOver = (session) => this.#handOver(session, secret);
      this.move = (session, to) => this.#move(session, to, secret);
    }
    const lost = new AbortController();
    this.lost = lost.signal;
    this.#lease = new NodeLease({
      url,
      number,
      lease,
      driver,
      onNodes: (nodes) => {
        this.#nodes = nodes;
        this.#given.clear();
        this.#use.share();
      },
      onLost: () => lost.abort(),
    });
  }

  /** The nodes of a database. Rejects with a StoreError. */
  static async list({
    url,
    patience = 0,
  }: Pick<GatewayNodeOptions, 'url' | 'patience'>): Promise<readonly NodeState[]> {
    const database = new Database({ url, patience, connections: 1 });
    try {
      return await nodesOf(database);
    } finally {
      await database.close();
    }
  }

  /** The tenants of a database, and what they use of it and of its nodes, by their names. Rejects with a StoreError. */
  static async tenants({
    url,
    patience = 0,
  }: Pick<GatewayNodeOptions, 'url' | 'patience'>): Promise<readonly TenantTotals[]> {
    const database = new Database({ url, patience, connections: 1 });
    try {
      return await SharedUse.totals(database);
    } finally {
      await database.close();
    }
  }

  /** Becomes a node, which others cannot reach before {@link announce}. Rejects with a StoreError. */
  static async join(options: GatewayNodeOptions): Promise<GatewayNode> {
    const { url, patience = 60_000, lease = 10_000, agents, roots, onAway } = options;
    const database = new Database({ url, patience, connections: 8, onAway });
    try {
      const [row] = await database.query<{ readonly number: string }>(
        `INSERT INTO turnwire_nodes (agents, roots, lease_until)
          VALUES ($1, $2, clock_timestamp() + $3 * interval '1 millisecond') RETURNING number`,
        [JSON.stringify(agents), JSON.stringify(roots), lease],
      );
      const { driverPlace: driver } = await import('../postgres/driver.ts');
      return new GatewayNode(database, (row as { readonly number: string }).number, { ...options, driver });
    } catch (error) {
      await database.close();
      throw error;
    }
  }

  /**
   * Says where it listens, and where other nodes reach it: `http://10.0.0.7:8137`. It takes the place of a node that listened there on this
   * machine and was killed: its sessions can be had at once.
   * @param listensAt what no other process of this machine can listen at
   */
  async announce(address: string, listensAt: string): Promise<void> {
    await this.#database.query(
      `WITH before AS (DELETE FROM turnwire_nodes WHERE place = $2 AND number <> $1)
        UPDATE turnwire_nodes SET address = $3, place = $2 WHERE number = $1`,
      [this.number, `${hostname()} ${listensAt}`, address],
    );
  }

  /**
   * Shows the other nodes how busy this one is, from the next renewal of the lease on.
   * @param figures what they are shown
   */
  reportFrom(figures: () => NodeFigures): void {
    this.#lease.reportFrom(figures);
  }

  /**
   * Shows the other nodes what tenants use of this one, with each renewal of the lease.
   * @param figures `tenants` of its gateway
   */
  shareUse(figures: () => readonly TenantFigures[]): void {
    this.#use.shareFrom(figures);
  }

  /** What a tenant uses of the other nodes, as it was at the last renewal of the lease: for `quotas` of a gateway. */
  usedElsewhere(tenant: string): LiveUse {
    return this.#use.elsewhere(tenant);
  }

  /** All nodes, this one too, as they were at the last renewal of the lease. */
  get nodes(): readonly NodeState[] {
    return this.#nodes;
  }

  /**
   * Who has a session. One that no node has is this node's from then on if it has the agent and the folder; otherwise it is the least busy
   * node's that has them, and `here` if there is none.
   */
  async ownerOf({ tenant, id }: SessionPlace): Promise<SessionOwner> {
    checkPlace({ tenant, id });
    const { agents, roots } = this.#options;
    for (;;) {
      const row = await this.#owners.ask({ tenant, id });
      if (!row) return 'unknown';
      if (row.taken !== null || row.number === this.number) return 'here';
      if (isNode(row)) return stateOf(row);
      // Either it has just been taken, or it does not fit here.
      const fits = !this.#isDraining && agents.includes(row.agent) && roots.some((root) => isInside(root, row.cwd));
      if (!fits) return this.leastBusy(row) ?? 'here';
    }
  }

  isThere(number: string): boolean {
    return this.#nodes.some((node) => node.number === number);
  }

  /** The node for a new session; undefined if it should be here, or can be nowhere else. */
  leastBusy({ agent, cwd }: { readonly agent: string; readonly cwd: string }): NodeState | undefined {
    const fitting = this.#nodes
      .filter(({ number, isDraining, address }) =>
        number === this.number ? !this.#isDraining : !isDraining && address,
      )
      .filter(({ agents, roots }) => agents.includes(agent) && roots.some((root) => isInside(root, cwd)));
    const busy = (node: NodeState): number => node.awake + (this.#given.get(node.number) ?? 0);
    // Of those that are as busy as each other, this one.
    const isHere = ({ number }: NodeState): number => (number === this.number ? 0 : 1);
    const [first] = fitting.toSorted((one, other) => busy(one) - busy(other) || isHere(one) - isHere(other));
    if (first) this.#given.set(first.number, (this.#given.get(first.number) ?? 0) + 1);
    return first?.number === this.number ? undefined : first;
  }

  /**
   * Notes in the database what has to be known later: for `audit` of a gateway. What could not be stored for a minute is lost, and reported.
   * @param onFailed called with the reason
   */
  auditTable(onFailed: (reason: string) => void): AuditTable {
    return new AuditTable(this.#database, this.number, onFailed);
  }

  /**
   * Takes no session any more that it does not have: it is about to end. Resolves once it knows who else is there, also who came since the
   * last renewal of the lease; without the database after a second.
   */
  async beginDraining(): Promise<void> {
    this.#isDraining = true;
    const known = nodesOf(this.#database).then(
      (nodes) => void (this.#nodes = nodes),
      () => undefined,
    );
    await Promise.race([known, pause(1_000, undefined, { ref: false })]);
  }

  /**
   * Where other nodes link to this one: for `links` of the options of `openHttpServer`. Without a secret there are none.
   * @param host the host name by which they know this one
   */
  links(host: string): readonly LinkEndpoint[] {
    const { agents, secret } = this.#options;
    return secret === undefined ? [] : agents.map((agent) => nodeLinks(agent, { secret, host }));
  }

  /** The transport by which this node serves a client, whose sessions may be on other nodes too. */
  route(client: Transport, options: RoutedClient): Transport {
    return new ClientRoutes(client, { ...options, node: this, secret: this.#options.secret });
  }

  /** Gives a session back that ended here: whichever node is asked for it next has it. */
  async release(claim: SessionClaim): Promise<void> {
    await this.#postgres.release(claim);
  }

  #handOver(session: SessionRecord, secret: string): HandPrompts | undefined {
    const address = this.leastBusy(session)?.address ?? undefined;
    return address === undefined ? undefined : (prompts) => handPrompts({ address, secret }, session, prompts);
  }

  async #move(session: SessionRecord, to: string, secret: string): Promise<SessionMove> {
    const nodes = await nodesOf(this.#database);
    return sessionMove(session, { database: this.#database, nodes, own: this.number, to, secret });
  }

  /** Finds the owners of sessions, and takes those that have none. */
  async #ownersOf(calls: readonly SessionPlace[]): Promise<readonly (OwnerRow | undefined)[]> {
    const { agents, roots } = this.#options;
    const rows = await this.#database.query<OwnerRow>(
      `WITH ${calledSessions}, free AS (
          -- In one order, so that two nodes never wait for each other.
          SELECT number FROM turnwire_sessions session JOIN calls USING (id, tenant)
          WHERE NOT EXISTS (SELECT FROM turnwire_nodes node WHERE node.number = session.node) AND agent = ANY ($4) AND NOT $6
            AND EXISTS (SELECT FROM unnest($5::text[]) root WHERE starts_with(cwd || '/', rtrim(root, '/') || '/'))
          ORDER BY number FOR UPDATE OF session
        ), taken AS (
          UPDATE turnwire_sessions session SET node = $3 FROM free WHERE session.number = free.number
            AND NOT EXISTS (SELECT FROM turnwire_nodes node WHERE node.number = session.node)
          RETURNING session.number, session.node
        ) SELECT index, node.*, session.agent, session.cwd, taken.node AS taken
          FROM calls JOIN turnwire_sessions session USING (id, tenant) LEFT JOIN turnwire_nodes node ON node.number = session.node
          LEFT JOIN taken ON taken.number = session.number`,
      [...namesOf(calls), this.number, agents, roots, this.#isDraining],
    );
    const byCall = new Map(rows.map((row) => [Number(row.index), row]));
    return calls.map((_, index) => byCall.get(index + 1));
  }

  /** Leaves the other nodes, which can take its sessions at once. If the database is away, they can when the lease is over. */
  async leave(): Promise<void> {
    await this.#lease.end();
    const left = this.#database.query('DELETE FROM turnwire_nodes WHERE number = $1 RETURNING number', [this.number]);
    await within(
      lastWait,
      left.catch(() => undefined),
    );
    await this.store.close();
  }

  /** {@link leave}. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.leave();
  }
}

/** How long a node that leaves waits for a database that is away, in milliseconds. */
const lastWait = 2_000;

/** A session with its node, if there is one. */
interface OwnerRow extends Partial<NodeRow> {
  readonly index: string;
  readonly agent: string;
  readonly cwd: string;
  /** The number of this node, if it has just taken the session. */
  readonly taken: string | null;
}

function isNode(row: Partial<NodeRow>): row is NodeRow {
  return typeof row.number === 'string';
}
