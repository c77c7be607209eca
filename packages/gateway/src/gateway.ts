import { pause } from '@turnwire/machine/waits';
import { type ProtocolError, resourceNotFound, type Transport } from '@turnwire/protocol';
import {
  type FoundSession,
  type HostedAgent,
  type OpenSessions,
  type SessionFacts,
  type Session,
  type SessionLimits,
  type SessionRecord,
  type SessionRules,
  Sessions,
  type SessionsOptions,
  type SessionStore,
  StoreError,
} from '@turnwire/runtime';
import type { SessionReviewParts } from '@turnwire/runtime/review';
import type { SessionEvent } from '@turnwire/client/gateway';
import { type AuditEntry, auditOf } from './audit-entry.ts';
import type { Principal } from './auth/principal.ts';
import { ClientConnection } from './clients/client-connection.ts';
import type {
  ClientSessions,
  ListedSessions,
  ListQuery,
  SearchQuery,
  SessionsOwner,
  WantedSession,
} from './clients/client-sessions.ts';
import type { ClusterNode, SessionMove } from './cluster-node.ts';
import type { QuotaEnforcer } from './quota-enforcer.ts';

/** An event of a session, for observers of a gateway. */
export interface ObservedEvent {
  readonly session: SessionRecord;
  readonly event: SessionEvent;
  /** The `_meta` of the running prompt without the gateway's own key: `traceparent`, for example. */
  readonly promptMeta: Readonly<Record<string, unknown>> | undefined;
}

/** Options of a {@link Gateway}. */
export interface GatewayOptions {
  readonly store: SessionStore;
  /** The agents that sessions may use, by name. */
  readonly agents: Readonly<Record<string, HostedAgent>>;
  /** The working folder of agents that have no session yet: an absolute path. */
  readonly cwd: string;
  /** Checks a folder and MCP servers before a session uses them. Refuses by throwing the ProtocolError to answer with. Default: everything is allowed. */
  readonly admit?:
    | ((wanted: WantedSession, principal: Principal) => WantedSession | Promise<WantedSession>)
    | undefined;
  /** The permission rules of a session. Default: every permission is asked for, and rules from files do not apply. */
  readonly rules?: SessionRules | undefined;
  readonly limits?: Partial<SessionLimits> | undefined;
  /** Records what the turns of a session change in its folder, for a review. Default: nothing is recorded. */
  readonly recorder?: SessionsOptions['recorder'];
  /** Finds the place that contains a folder, to name it to clients. If it throws, the place has no name. Default: no folder is in a place. */
  readonly placeOf?: ((cwd: string) => SessionReviewParts['place']) | undefined;
  /** How the turns of sessions are counted and limited. Default: recorded in the store, without limits. */
  readonly metering?: SessionsOptions['metering'];
  /** Limits what tenants may use. Default: nothing is limited or counted. */
  readonly quotas?: QuotaEnforcer | undefined;
  /** Called when a session has ended on this gateway. Must not throw. Default: nothing. */
  readonly onEnded?: (() => void) | undefined;
  /** The cluster of gateways with the same store. Default: this gateway works alone. */
  readonly node?: ClusterNode | undefined;
  /** Called with each entry for an audit log: connections, prompts, permission requests and answers. Must not throw. Default: nothing is logged. */
  readonly audit?: ((entry: AuditEntry) => void) | undefined;
  /** Called with every event of every session, before it is stored. */
  readonly observe?: ((seen: ObservedEvent) => void) | undefined;
}

/** Options of {@link Gateway.attach}. */
export interface AttachOptions {
  readonly principal: Principal;
  /** The name of the client's agent. */
  readonly agent: string;
  /**
   * How the client reached the gateway. `http`: its transport needs to know the kind of each frame. `node`: another node of the cluster forwarded the
   * client. Default: a connection that reaches only the sessions of this node.
   */
  readonly by?: 'websocket' | 'http' | 'node' | undefined;
  /** The id of the first request to the client: other nodes may send requests over its connection, too. Default 0. */
  readonly firstId?: number | undefined;
}

/** The sessions of this process. Clients attach over any transport and use the protocol as if the gateway were their agent. */
export class Gateway implements AsyncDisposable {
  readonly #options: GatewayOptions;
  readonly #sessions: Sessions;
  readonly #connections = new Set<ClientConnection>();
  readonly #clientSessions: ClientSessions;

  constructor(options: GatewayOptions) {
    const { store, agents, cwd, rules, limits, quotas, recorder, metering, audit, observe, node, onEnded } = options;
    this.#options = options;
    this.#sessions = new Sessions({
      ...{ store, agents, cwd, rules, limits, quotas, recorder, metering },
      onEvent: ({ record, events }, event) => {
        const entry = audit && auditOf(event);
        if (entry) audit({ ...entry, tenant: record.tenant, session: record.id });
        observe?.({ session: record, event, promptMeta: events.latest.prompt?.meta });
      },
      onEnded: (claim) => {
        void node?.release(claim).catch(() => undefined);
        onEnded?.();
      },
    });
    this.#clientSessions = this.#sessionsOfClients(node);
  }

  /** The number of connected clients. */
  get connections(): number {
    return this.#connections.size;
  }

  /** The number of open sessions, with or without an agent. */
  get sessions(): number {
    return this.#open.size;
  }

  /** Whether a session is open here. */
  isOpen(sessionId: string): boolean {
    return this.#open.has(sessionId);
  }

  /** Whether a tenant has a session with this id, open or closed. */
  async has(tenant: string, sessionId: string): Promise<boolean> {
    return (await this.#options.store.find(tenant, sessionId)) !== undefined;
  }

  /** The number of sessions with a running or queued turn. */
  get working(): number {
    return this.#open.working;
  }

  /** The number of sessions with an agent. */
  get agents(): number {
    return this.#open.awake();
  }

  /** The number of a tenant's sessions with an agent. */
  agentsOf(tenant: string): number {
    return this.#open.awake(tenant);
  }

  /** Serves a client. Throws `RangeError` if the gateway has no agent of that name. */
  attach(transport: Transport, options: AttachOptions): ClientConnection {
    const { principal, agent, firstId } = options;
    const warm = this.#sessions.agent(agent);
    if (!warm) throw new RangeError(`There is no agent ${agent}`);
    const routed = this.#routed(transport, options);
    const connection = new ClientConnection(
      this.#options.quotas?.metered(routed, principal.tenant) ?? routed,
      this.#clientSessions,
      { owner: { principal, agent, warm }, firstId },
    );
    this.#connections.add(connection);
    const { tenant, ...token } = principal as Principal & { readonly id?: string };
    const about = { tenant, connection: connection.id, agent, ...(token.id !== undefined && { client: token.id }) };
    this.#audit({ what: 'connected', ...about });
    void connection.closed.then(() => {
      this.#connections.delete(connection);
      this.#audit({ what: 'disconnected', ...about });
    });
    return connection;
  }

  /**
   * Ends every session, those with a turn when the turn is over or the time is up. A connection ends with the last session of its client. Queued
   * prompts go to the node that continues their session; without such a node, they run here.
   * @param milliseconds time for running turns
   */
  async drain(milliseconds: number): Promise<void> {
    const { node } = this.#options;
    await node?.beginDraining();
    const until = Date.now() + milliseconds;
    const hosts = await Promise.allSettled(this.#open.all);
    const drained = hosts.map(async (settled) => {
      if (settled.status === 'rejected') return;
      const host = settled.value;
      const sendPrompts = node?.handOver?.(host.record);
      const prompts = sendPrompts ? host.turns.takeWaiting() : [];
      await untilIdle(host, until);
      await host.close({ asClosed: false });
      if (prompts.length > 0) await sendPrompts?.(prompts);
      await Promise.all([...this.#connections].filter(({ isIdle }) => isIdle).map((each) => each.close()));
    });
    await Promise.allSettled(drained);
  }

  /** Cancels running turns and withdraws queued prompts. Resolves when all of them are answered, or the agents have used up their time for that. */
  async callOffTurns(): Promise<void> {
    await Promise.all([...this.#open].map((host) => host.turns.cancelAll()));
  }

  /** Ends every connection and every agent. Sessions stay in the store, which stays open. */
  async close(): Promise<void> {
    await Promise.all([...this.#connections].map((connection) => connection.close()));
    await this.#sessions.close();
  }

  /** {@link close}. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  /** Sends a client's messages about sessions of other nodes there, except for clients that another node forwarded here. */
  #routed(transport: Transport, { principal, agent, by }: AttachOptions): Transport {
    const { node } = this.#options;
    if (!node || by === undefined || by === 'node') return transport;
    const isOpenHere = (id: string): boolean => this.isOpen(id);
    return node.route(transport, { principal, agent, isOpenHere, needsFrameAbout: by === 'http' });
  }

  #sessionsOfClients(node: ClusterNode | undefined): ClientSessions {
    const move = node?.move;
    return {
      admitted: async (wanted, { principal }) => (await this.#options.admit?.(wanted, principal)) ?? wanted,
      create: (wanted, owner) => this.#create(wanted, owner),
      find: (id, { principal }) => this.#find(principal, id),
      placeOf: (cwd) => this.#placeOf(cwd),
      list: (query, { principal }) => this.#list(query, principal),
      search: (query, { principal }) => this.#search(query, principal),
      delete: (id, { principal }) => this.#delete(principal, id),
      usage: (query, { principal: { tenant, session } }) =>
        (this.#options.metering?.record ?? this.#options.store).usage({ ...query, tenant, session }),
      ...(move && {
        move: (id, { to, within }, { principal }) =>
          this.#move(principal, id, { to: (each) => move(each, to), within }),
      }),
      activityOf: (id) => this.#open.activityOf(id),
    };
  }

  get #open(): OpenSessions {
    return this.#sessions.open;
  }

  async #list({ cwd, after }: ListQuery, principal: Principal): Promise<ListedSessions> {
    const page = await this.#options.store.list({ tenant: principal.tenant, cwd, after, limit: 50 });
    const listed = await Promise.all(page.sessions.map((record) => this.#isListed(record, principal)));
    return { ...page, sessions: page.sessions.filter((_, index) => listed[index]) };
  }

  async #search(query: SearchQuery, principal: Principal): Promise<readonly FoundSession<SessionRecord>[]> {
    const { tenant, session } = principal;
    const found = await this.#options.store.search({ ...query, tenant, session });
    const listed = await Promise.all(found.map(({ record }) => this.#isListed(record, principal)));
    return found.filter((_, index) => listed[index]);
  }

  async #create(wanted: WantedSession, { principal: { tenant }, agent }: SessionsOwner): Promise<Session> {
    const session = await this.#sessions.create({ ...wanted, tenant, agent });
    this.#audit({ what: 'created', tenant, session: session.id, agent, cwd: wanted.cwd });
    return session;
  }

  async #find(principal: Principal, id: string): Promise<Session> {
    await this.#options.quotas?.opening(principal.tenant);
    return this.#sessions.find(await this.#known(principal, id));
  }

  /** A stored session that the principal may open here. It may have been created elsewhere, in a folder that this gateway does not allow. */
  async #known(principal: Principal, id: string): Promise<SessionRecord> {
    const record = await this.#options.store.find(principal.tenant, id);
    if (!record) throw unknown(id);
    await this.#admit(record, principal);
    return record;
  }

  async #admit({ id, cwd, additionalDirectories }: SessionRecord, principal: Principal): Promise<void> {
    if (principal.session !== undefined && principal.session !== id) throw unknown(id);
    await this.#options.admit?.({ cwd, additionalDirectories, mcpServers: [] }, principal);
  }

  #placeOf(cwd: string): SessionReviewParts['place'] {
    try {
      return this.#options.placeOf?.(cwd);
    } catch {
      return undefined;
    }
  }

  async #isListed(record: SessionRecord, principal: Principal): Promise<boolean> {
    // A session without a prompt belongs to a client that has just created it, or to a process that was killed.
    if (!isShown(record)) return false;
    return this.#admit(record, principal).then(
      () => true,
      () => false,
    );
  }

  #audit(entry: Omit<AuditEntry, 'at'>): void {
    this.#options.audit?.({ at: Date.now(), ...entry });
  }

  /** Waits for the end of the turn and moves the session. Clients are disconnected: they reconnect and are routed to the new node. */
  async #move(
    principal: Principal,
    id: string,
    { to, within }: { readonly to: (session: SessionRecord) => Promise<SessionMove>; readonly within: number },
  ): Promise<void> {
    const { transfer, sendPrompts } = await to(await this.#known(principal, id));
    const host = await this.#open.get(id);
    if (!host) throw unknown(id);
    const prompts = host.turns.takeWaiting();
    await untilIdle(host, Date.now() + within);
    await host.park();
    try {
      await transfer();
      const clients = [...this.#connections].filter((each) => each.hasOpen(id));
      await host.close({ asClosed: false });
      await Promise.all(clients.map((each) => each.close()));
      this.#audit({ what: 'moved', tenant: principal.tenant, session: id });
    } finally {
      if (prompts.length > 0) await sendPrompts(prompts);
    }
  }

  async #delete(principal: Principal, id: string): Promise<void> {
    await this.#known(principal, id);
    const host = await this.#open.get(id)?.catch(() => undefined);
    await host?.close({ asClosed: false });
    await this.#options.store.delete(principal.tenant, id).catch((error: unknown) => {
      // The end of a session without prompts has deleted it already.
      if (!(error instanceof StoreError && error.code === 'not-found')) throw error;
    });
    this.#audit({ what: 'deleted', tenant: principal.tenant, session: id });
  }
}

/** Characters of an unknown session id that an error message repeats. */
const longestId = 1_000;

/** Resolves when no turn runs or waits, or the deadline has passed. */
async function untilIdle(host: Session, until: number): Promise<void> {
  while (host.turns.areUnderWay && Date.now() < until) await pause(50);
}

function isShown({ facts }: SessionRecord): boolean {
  const { isPrompted, isKept } = facts as SessionFacts;
  return isPrompted === true || isKept === true;
}

function unknown(id: string): ProtocolError {
  // The id comes from the client and may be of any length.
  const sessionId = id.slice(0, longestId);
  return resourceNotFound(`There is no session ${sessionId}`, { sessionId });
}
