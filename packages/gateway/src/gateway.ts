import { pause } from '@turnwire/machine/waits';
import { type ProtocolError, resourceNotFound, type Transport } from '@turnwire/protocol';
import {
  type HostedAgent,
  type OpenSessions,
  type SessionFacts,
  type Session,
  type SessionLimits,
  type SessionRecord,
  type SessionRules,
  Sessions,
  type SessionStore,
  StoreError,
} from '@turnwire/runtime';
import type { SessionEvent } from '@turnwire/client/gateway';
import { type AuditEntry, auditOf } from './audit-entry.ts';
import type { Principal } from './auth/principal.ts';
import { ClientConnection } from './clients/client-connection.ts';
import type {
  ClientSessions,
  ListedSessions,
  ListQuery,
  SessionsOwner,
  WantedSession,
} from './clients/client-sessions.ts';
import type { ClusterNode, SessionMove } from './cluster-node.ts';
import type { QuotaEnforcer } from './quota-enforcer.ts';

/** An event of a session, for whoever watches a gateway. */
export interface ObservedEvent {
  readonly session: SessionRecord;
  readonly event: SessionEvent;
  /** What the running prompt has in `_meta` besides what is the gateway's, such as `traceparent`. */
  readonly promptMeta: Readonly<Record<string, unknown>> | undefined;
}

/** What a gateway is made with. */
export interface GatewayOptions {
  readonly store: SessionStore;
  /** The agents that sessions may have, by name. */
  readonly agents: Readonly<Record<string, HostedAgent>>;
  /** Where agents are started that have no session yet: an absolute path. */
  readonly cwd: string;
  /** Refuses a session by throwing the ProtocolError to answer with: a folder, or an MCP server, that this principal may not use. Default: any may. */
  readonly admit?:
    | ((wanted: WantedSession, principal: Principal) => WantedSession | Promise<WantedSession>)
    | undefined;
  /** The rules of a session. Default: everything is asked, and rules of files do not apply. */
  readonly rules?: SessionRules | undefined;
  readonly limits?: Partial<SessionLimits> | undefined;
  /** Limits what tenants may use. Default: no limit, and nothing is counted. */
  readonly quotas?: QuotaEnforcer | undefined;
  /** Called when a session has ended here. Must not throw. Default: nothing. */
  readonly onEnded?: (() => void) | undefined;
  /** What it is among other gateways with the same store. Default: there are none. */
  readonly node?: ClusterNode | undefined;
  /** Called with what has to be known later: who connected, what was asked and answered. Must not throw. Default: nothing is noted. */
  readonly audit?: ((entry: AuditEntry) => void) | undefined;
  /** Called with every event of every session, before it is stored. */
  readonly observe?: ((seen: ObservedEvent) => void) | undefined;
}

/** How a client is connected. */
export interface AttachOptions {
  readonly principal: Principal;
  /** The name of the agent that it speaks to. */
  readonly agent: string;
  /**
   * `http`: its transport has to know of each frame what it is. `node`: another node of the cluster has led the client here. Default: in a way
   * in which only sessions of this node can be had.
   */
  readonly by?: 'websocket' | 'http' | 'node' | undefined;
  /** The id of the first request to it: other nodes may send requests over its connection. Default 0. */
  readonly firstId?: number | undefined;
}

/** The sessions of this process: clients are attached to it by any transport, and speak the protocol with it as with an agent. */
export class Gateway implements AsyncDisposable {
  readonly #options: GatewayOptions;
  readonly #sessions: Sessions;
  readonly #connections = new Set<ClientConnection>();
  readonly #clientSessions: ClientSessions;

  constructor(options: GatewayOptions) {
    const { store, agents, cwd, rules, limits, quotas, audit, observe, node, onEnded } = options;
    this.#options = options;
    this.#sessions = new Sessions({
      ...{ store, agents, cwd, rules, limits, quotas },
      onEvent: ({ record, promptMeta }, event) => {
        const entry = audit && auditOf(event);
        if (entry) audit({ ...entry, tenant: record.tenant, session: record.id });
        observe?.({ session: record, event, promptMeta });
      },
      onEnded: (claim) => {
        void node?.release(claim).catch(() => undefined);
        onEnded?.();
      },
    });
    this.#clientSessions = this.#sessionsOfClients(node);
  }

  /** How many clients are connected. */
  get connections(): number {
    return this.#connections.size;
  }

  /** How many sessions are open here, with and without an agent. */
  get sessions(): number {
    return this.#open.size;
  }

  /** Whether a session is open here. */
  isOpen(sessionId: string): boolean {
    return this.#open.has(sessionId);
  }

  /** Whether a tenant has a session of this id, open or closed. */
  async has(tenant: string, sessionId: string): Promise<boolean> {
    return (await this.#options.store.find(tenant, sessionId)) !== undefined;
  }

  /** How many sessions have a turn that runs or waits. */
  get working(): number {
    return this.#open.working;
  }

  /** How many sessions have an agent. */
  get agents(): number {
    return this.#open.awake();
  }

  /** How many sessions of a tenant have an agent. */
  agentsOf(tenant: string): number {
    return this.#open.awake(tenant);
  }

  /** Serves a client. Throws `RangeError` if there is no such agent. */
  attach(transport: Transport, options: AttachOptions): ClientConnection {
    const { principal, agent, firstId } = options;
    const spare = this.#sessions.agent(agent);
    if (!spare) throw new RangeError(`There is no agent ${agent}`);
    const routed = this.#routed(transport, options);
    const connection = new ClientConnection(
      this.#options.quotas?.metered(routed, principal.tenant) ?? routed,
      this.#clientSessions,
      { owner: { principal, agent, spare }, firstId },
    );
    this.#connections.add(connection);
    const { tenant, ...token } = principal as Principal & { readonly id?: string };
    const about = { tenant, connection: connection.id, agent, ...(token.id !== undefined && { client: token.id }) };
    this.#note({ what: 'connected', ...about });
    void connection.closed.then(() => {
      this.#connections.delete(connection);
      this.#note({ what: 'disconnected', ...about });
    });
    return connection;
  }

  /**
   * Ends every session, those with a turn when it is over or the time is up; connections end with the last session of their client.
   * Prompts that have not begun go to the node that goes on with their session; where there is none, they run here.
   * @param milliseconds for the turns that run
   */
  async drain(milliseconds: number): Promise<void> {
    const { node } = this.#options;
    await node?.beginDraining();
    const until = Date.now() + milliseconds;
    const hosts = await Promise.allSettled(this.#open.all);
    const drained = hosts.map(async (settled) => {
      if (settled.status === 'rejected') return;
      const host = settled.value;
      const hand = node?.handOver?.(host.record);
      const prompts = hand ? host.turns.takeWaiting() : [];
      await untilIdle(host, until);
      await host.close({ asClosed: false });
      if (prompts.length > 0) await hand?.(prompts);
      await Promise.all([...this.#connections].filter(({ isIdle }) => isIdle).map((each) => each.close()));
    });
    await Promise.allSettled(drained);
  }

  /** Cancels what runs and calls off what waits. Resolves when all of it was answered, or the agents have had their time for that. */
  async callOffTurns(): Promise<void> {
    await Promise.all([...this.#open].map((host) => host.turns.cancelAll()));
  }

  /** Ends every connection and every agent. Stored sessions stay in the store, which stays open. */
  async close(): Promise<void> {
    await Promise.all([...this.#connections].map((connection) => connection.close()));
    await this.#sessions.close();
  }

  /** {@link close}. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  /** What a client sends about sessions of other nodes goes there. What another node has led here stays. */
  #routed(transport: Transport, { principal, agent, by }: AttachOptions): Transport {
    const { node } = this.#options;
    if (!node || by === undefined || by === 'node') return transport;
    const isOpenHere = (id: string): boolean => this.isOpen(id);
    return node.route(transport, { principal, agent, isOpenHere, tellsSessions: by === 'http' });
  }

  #sessionsOfClients(node: ClusterNode | undefined): ClientSessions {
    const move = node?.move;
    return {
      create: (wanted, owner) => this.#create(wanted, owner),
      find: (id, { principal }) => this.#find(principal, id),
      list: (query, { principal }) => this.#list(query, principal),
      delete: (id, { principal }) => this.#delete(principal, id),
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
    // One that was never prompted belongs to a client that has just begun it, or was left by a process that was killed.
    const prompted = page.sessions.filter(isShown);
    const admitted = await Promise.all(prompted.map((record) => this.#isAdmitted(record, principal)));
    return { ...page, sessions: prompted.filter((_, index) => admitted[index]) };
  }

  async #create(given: WantedSession, { principal, agent }: SessionsOwner): Promise<Session> {
    const { admit } = this.#options;
    const { tenant } = principal;
    const wanted = admit ? await admit(given, principal) : given;
    const session = await this.#sessions.create({ ...wanted, tenant, agent });
    this.#note({ what: 'created', tenant, session: session.id, agent, cwd: wanted.cwd });
    return session;
  }

  async #find(principal: Principal, id: string): Promise<Session> {
    await this.#options.quotas?.opening(principal.tenant);
    return this.#sessions.find(await this.#known(principal, id));
  }

  /** A stored session that a principal may have here: it may have been begun elsewhere, in a folder that is not admitted. */
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

  #isAdmitted(record: SessionRecord, principal: Principal): Promise<boolean> {
    return this.#admit(record, principal).then(
      () => true,
      () => false,
    );
  }

  #note(entry: Omit<AuditEntry, 'at'>): void {
    this.#options.audit?.({ at: Date.now(), ...entry });
  }

  /** Lets the turn of a session end, and gives the session away. Its clients are cut off: they come back, and are led to where it is. */
  async #move(
    principal: Principal,
    id: string,
    { to, within }: { readonly to: (session: SessionRecord) => Promise<SessionMove>; readonly within: number },
  ): Promise<void> {
    const { give, hand } = await to(await this.#known(principal, id));
    const host = await this.#open.get(id);
    if (!host) throw unknown(id);
    const prompts = host.turns.takeWaiting();
    await untilIdle(host, Date.now() + within);
    await host.park();
    try {
      await give();
      const clients = [...this.#connections].filter((each) => each.hasOpen(id));
      await host.close({ asClosed: false });
      await Promise.all(clients.map((each) => each.close()));
      this.#note({ what: 'moved', tenant: principal.tenant, session: id });
    } finally {
      if (prompts.length > 0) await hand(prompts);
    }
  }

  async #delete(principal: Principal, id: string): Promise<void> {
    await this.#known(principal, id);
    const host = await this.#open.get(id)?.catch(() => undefined);
    await host?.close({ asClosed: false });
    await this.#options.store.delete(principal.tenant, id).catch((error: unknown) => {
      // Without a prompt its end has deleted it.
      if (!(error instanceof StoreError && error.code === 'not-found')) throw error;
    });
    this.#note({ what: 'deleted', tenant: principal.tenant, session: id });
  }
}

/** Characters of an id that no session has, as it is said back. */
const longestId = 1_000;

/** Resolves when no turn runs or waits, or it is too late. */
async function untilIdle(host: Session, until: number): Promise<void> {
  while (host.turns.areUnderWay && Date.now() < until) await pause(50);
}

function isShown({ facts }: SessionRecord): boolean {
  const { isPrompted, isKept } = facts as SessionFacts;
  return isPrompted === true || isKept === true;
}

function unknown(id: string): ProtocolError {
  // What anybody may send is not said back at any length.
  const sessionId = id.slice(0, longestId);
  return resourceNotFound(`There is no session ${sessionId}`, { sessionId });
}
