import { hostname } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import type { Transport } from '@turnwire/protocol';
import { isInside } from '@turnwire/machine';
import { within } from '@turnwire/machine/waits';
import type { ClusterNode, SendPrompts, PageTokenStore, RoutedClient, SessionMove } from '@turnwire/gateway';
import type { SessionClaim, SessionRecord, SessionStore } from '@turnwire/runtime';
import type { LinkEndpoint } from '@turnwire/gateway/endpoints';
import { CallQueue } from '../postgres/call-queue.ts';
import { Database, type DatabaseOptions } from '../postgres/database.ts';
import { PostgresStore } from '../postgres/postgres-store.ts';
import type { LiveUse, TenantFigures } from '../quotas/tenant-use.ts';
import { calledSessions, checkKey, namesOf, type SessionKey } from '../postgres/session-reads.ts';
import { AuditTable } from './audit-table.ts';
import { UnreachableNodes } from './unreachable-nodes.ts';
import { ClientRoutes } from './client-routes.ts';
import { sendPrompts } from './send-prompts.ts';
import { NodeLease, type NodeRow, nodesOf, stateOf } from './node-lease.ts';
import { sessionMove } from './move-session.ts';
import { nodeLinks } from './node-links.ts';
import { SharedPageTokens } from './shared-page-tokens.ts';
import { SharedUse, type TenantTotals } from './shared-use.ts';
import type { NodeFigures, NodeState, SessionOwner, SessionLocator } from './node-state.ts';

/** Options of {@link GatewayNode.join}. */
export interface GatewayNodeOptions extends Partial<Pick<DatabaseOptions, 'timeout' | 'onUnavailable'>> {
  /** `postgresql://USER:PASSWORD@HOST:PORT/DATABASE`. PostgreSQL 14 or newer. */
  readonly url: string;
  /** How long the node keeps its sessions without renewing its lease, in milliseconds. Default 10,000. */
  readonly lease?: number | undefined;
  /** The names of its agents. */
  readonly agents: readonly string[];
  /** The folders in which its sessions may work. */
  readonly roots: readonly string[];
  /** The shared secret of all nodes. Default: this node neither reaches others nor is reached by them. */
  readonly secret?: string | undefined;
}

/** Sessions whose owners one statement finds. */
const maxOwners = 500;

/**
 * A gateway that shares a database with others. Its store refuses sessions of other live nodes, and refuses all writes once its own lease is over.
 * Leases are compared by the clock of the database only.
 */
export class GatewayNode implements ClusterNode, SessionLocator, AsyncDisposable {
  /** The number of this run. */
  readonly number: string;
  readonly store: SessionStore;
  /** Aborts when the lease is lost, so that others may take its sessions. The process is killed unless it ends within a second. */
  readonly lost: AbortSignal;
  readonly takeover: number;
  readonly unreachable: UnreachableNodes = new UnreachableNodes();
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
  readonly #owners = new CallQueue<SessionKey, OwnerRow | undefined>({
    take: ({ length }) => Math.min(length, maxOwners),
    answer: (calls) => this.#ownersOf(calls),
  });
  #nodes: readonly NodeState[] = [];
  #isDraining = false;
  /** The sessions that each node was assigned since its load was last known. */
  readonly #assigned = new Map<string, number>();

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
        this.#assigned.clear();
        this.#use.share();
      },
      onLost: () => lost.abort(),
    });
  }

  /** The nodes of a database. Rejects with a StoreError. */
  static async list({ url, timeout = 0 }: Pick<GatewayNodeOptions, 'url' | 'timeout'>): Promise<readonly NodeState[]> {
    const database = new Database({ url, timeout, connections: 1 });
    try {
      return await nodesOf(database);
    } finally {
      await database.close();
    }
  }

  /** The tenants of a database with their use of it and of its nodes, sorted by name. Rejects with a StoreError. */
  static async tenants({
    url,
    timeout = 0,
  }: Pick<GatewayNodeOptions, 'url' | 'timeout'>): Promise<readonly TenantTotals[]> {
    const database = new Database({ url, timeout, connections: 1 });
    try {
      return await SharedUse.totals(database);
    } finally {
      await database.close();
    }
  }

  /** Becomes a node, which others cannot reach before {@link announce}. Rejects with a StoreError. */
  static async join(options: GatewayNodeOptions): Promise<GatewayNode> {
    const { url, timeout = 60_000, lease = 10_000, agents, roots, onUnavailable } = options;
    const database = new Database({ url, timeout, connections: 8, onUnavailable });
    try {
      const [row] = await database.query<{ readonly number: string }>(
        `INSERT INTO turnwire_nodes (agents, roots, lease, lease_until)
          VALUES ($1, $2, $3, clock_timestamp() + $3 * interval '1 millisecond') RETURNING number`,
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
   * Publishes the address at which other nodes reach this one: `http://10.0.0.7:8137`. Replaces a node that listened at the same endpoint of this
   * machine and was killed, so that its sessions are available at once.
   * @param listensAt an endpoint that no other process of this machine can listen at
   */
  async announce(address: string, listensAt: string): Promise<void> {
    await this.#database.query(
      `WITH before AS (DELETE FROM turnwire_nodes WHERE location = $2 AND number <> $1)
        UPDATE turnwire_nodes SET address = $3, location = $2 WHERE number = $1`,
      [this.number, `${hostname()} ${listensAt}`, address],
    );
  }

  /**
   * Publishes the load of this node, from the next renewal of the lease on.
   * @param figures the current load
   */
  reportFrom(figures: () => NodeFigures): void {
    this.#lease.reportFrom(figures);
  }

  /**
   * Publishes the tenants' use of this node with each renewal of the lease.
   * @param figures `tenants` of its gateway
   */
  shareUse(figures: () => readonly TenantFigures[]): void {
    this.#use.shareFrom(figures);
  }

  /** A tenant's use of the other nodes at the last renewal of the lease: for `quotas` of a gateway. */
  usedElsewhere(tenant: string): LiveUse {
    return this.#use.elsewhere(tenant);
  }

  /** All nodes, including this one, at the last renewal of the lease. */
  get nodes(): readonly NodeState[] {
    return this.#nodes;
  }

  /**
   * The owner of a session. This node takes a session without an owner if it has the agent and the folder. Otherwise the owner is the least busy node
   * that has them, or `here` if there is none.
   */
  async ownerOf({ tenant, id }: SessionKey): Promise<SessionOwner> {
    checkKey({ tenant, id });
    const { agents, roots } = this.#options;
    for (;;) {
      const row = await this.#owners.add({ tenant, id });
      if (!row) return 'unknown';
      if (row.taken !== null || row.number === this.number) return 'here';
      if (isNode(row)) return stateOf(row);
      // Either another node has just taken it, or this node lacks the agent or folder.
      const fits = !this.#isDraining && agents.includes(row.agent) && roots.some((root) => isInside(root, row.cwd));
      if (!fits) return this.leastBusy(row) ?? 'here';
    }
  }

  isThere(number: string): boolean {
    return this.#nodes.some((node) => node.number === number);
  }

  /**
   * Removes a node that refuses connections, if it has also missed a renewal of its lease: it was killed. If it still runs after all, the database
   * refuses its writes, and it ends.
   * @returns whether it was removed
   */
  async removeKilled(number: string): Promise<boolean> {
    const removed = await this.#database.query(
      `DELETE FROM turnwire_nodes WHERE number = $1
        AND lease_until < clock_timestamp() + $2 * lease * interval '1 millisecond' RETURNING number`,
      [number, leaseAfterMissedRenewal],
    );
    return removed.length > 0;
  }

  /** The node for a new session; undefined if it should be this one, or no other can have it. */
  leastBusy({ agent, cwd }: { readonly agent: string; readonly cwd: string }): NodeState | undefined {
    const fitting = this.#nodes
      .filter(({ number, isDraining, address }) =>
        number === this.number ? !this.#isDraining : !isDraining && address,
      )
      .filter(({ agents, roots }) => agents.includes(agent) && roots.some((root) => isInside(root, cwd)));
    const busy = (node: NodeState): number => node.awake + (this.#assigned.get(node.number) ?? 0);
    // Of equally busy nodes, this one comes first.
    const isHere = ({ number }: NodeState): number => (number === this.number ? 0 : 1);
    const [first] = fitting.toSorted((one, other) => busy(one) - busy(other) || isHere(one) - isHere(other));
    if (first) this.#assigned.set(first.number, (this.#assigned.get(first.number) ?? 0) + 1);
    return first?.number === this.number ? undefined : first;
  }

  /**
   * Stores audit entries in the database: for `audit` of a gateway. Entries that could not be stored for a minute are lost, and reported.
   * @param onFailed called with the reason
   */
  auditTable(onFailed: (reason: string) => void): AuditTable {
    return new AuditTable(this.#database, this.number, onFailed);
  }

  /**
   * Stops taking sessions that this node does not own, because it is about to shut down. Resolves when it knows all current nodes, including those
   * that joined since the last renewal of the lease; without the database, after a second.
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
   * The endpoints where other nodes connect to this one: for `links` of the options of `openHttpServer`. Empty without a secret.
   * @param host the host name by which other nodes reach this one
   */
  links(host: string): readonly LinkEndpoint[] {
    const { agents, secret } = this.#options;
    return secret === undefined ? [] : agents.map((agent) => nodeLinks(agent, { secret, host }));
  }

  /** The transport through which this node serves a client whose sessions may be on other nodes too. */
  route(client: Transport, options: RoutedClient): Transport {
    return new ClientRoutes(client, { ...options, node: this, secret: this.#options.secret });
  }

  /** Releases a session that ended here: the next node that needs it takes it. */
  async release(claim: SessionClaim): Promise<void> {
    await this.#postgres.release(claim);
  }

  #handOver(session: SessionRecord, secret: string): SendPrompts | undefined {
    const address = this.leastBusy(session)?.address ?? undefined;
    return address === undefined ? undefined : (prompts) => sendPrompts({ address, secret }, session, prompts);
  }

  async #move(session: SessionRecord, to: string, secret: string): Promise<SessionMove> {
    const nodes = await nodesOf(this.#database);
    return sessionMove(session, { database: this.#database, nodes, own: this.number, to, secret });
  }

  /** Finds the owners of sessions, and takes those without one. */
  async #ownersOf(calls: readonly SessionKey[]): Promise<readonly (OwnerRow | undefined)[]> {
    const { agents, roots } = this.#options;
    const rows = await this.#database.query<OwnerRow>(
      `WITH ${calledSessions}, free AS (
          -- In a fixed order, so that two nodes cannot deadlock.
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

  /** Leaves the cluster, so that the other nodes can take its sessions at once. Without the database, they can when the lease is over. */
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

/** The share of a lease that is left when a renewal is certainly overdue: a node renews it five times in its length. */
const leaseAfterMissedRenewal = 0.7;

/** How long a leaving node waits for an unavailable database, in milliseconds. */
const lastWait = 2_000;

/** A session with its node, if it has one. */
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
