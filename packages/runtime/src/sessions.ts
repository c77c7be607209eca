import { randomUUID } from 'node:crypto';
import { createPermissions } from '@turnwire/permissions';
import { errorCodes, type McpServer, ProtocolError } from '@turnwire/protocol';
import { SpareAgents } from './spare-agents.ts';
import type { HostedAgent } from './agent/hosted-agent.ts';
import type { SessionEvent } from '@turnwire/client/gateway';
import { OpenSessions } from './open-sessions.ts';
import { Session } from './session/session.ts';
import type { SessionRules } from './session/session-rules.ts';
import { defaultLimits, type SessionLimits } from './session-limits.ts';
import type { SessionClaim, SessionRecord, SessionStore } from './store/session-store.ts';

/** What a new session is made of. */
export interface NewSession {
  /** Whose it is. */
  readonly tenant: string;
  /** The name of its agent. */
  readonly agent: string;
  readonly cwd: string;
  readonly additionalDirectories: readonly string[];
  readonly mcpServers: readonly McpServer[];
  /** `_meta` of its set-up, for the agent. */
  readonly meta?: Readonly<Record<string, unknown>> | undefined;
  /** The model it begins with, by the agent's id; it is refused if the agent offers no choice, or not this one. Default: the agent's. */
  readonly model?: string | undefined;
  /** The agent's id of a session of its own to continue: the agent replays it, or the session is refused. Default: a new one. */
  readonly agentSessionId?: string | undefined;
  /** Its agent is started by the first prompt, or by `wake`. */
  readonly startsLater?: boolean | undefined;
}

/** Limits what tenants may use. Each refuses with the ProtocolError to answer with. */
export interface SessionQuotas {
  /** Stores a new session, unless the tenant may have no more of them. */
  beginning<Result>(tenant: string, store: () => Promise<Result>): Promise<Result>;
  /** Counts a prompt. Throws if it is one too many. */
  admitPrompt(tenant: string): void;
  /** Throws if the tenant may have no further agent. */
  admitAgent(tenant: string): void;
}

/** What the sessions of a process are made with. */
export interface SessionsOptions {
  readonly store: SessionStore;
  /** The agents that sessions may have, by name. */
  readonly agents: Readonly<Record<string, HostedAgent>>;
  /** Where agents are started that have no session yet: an absolute path. */
  readonly cwd: string;
  /** The rules of a session. Default: everything is asked, and rules of files do not apply. */
  readonly rules?: SessionRules | undefined;
  readonly limits?: Partial<SessionLimits> | undefined;
  /** Default: no limit, and nothing is counted. */
  readonly quotas?: SessionQuotas | undefined;
  /**
   * `passing`: events are forgotten once every subscriber has them, and the agent waits for the slowest one: for one command with a store in
   * memory. Default: `kept`.
   */
  readonly history?: 'kept' | 'passing' | undefined;
  /** Called with every event, before it is stored. Must not throw. */
  readonly onEvent?: ((session: Session, event: SessionEvent) => void) | undefined;
  /** Called when a session has ended here, by itself or because it was closed. Must not throw. */
  readonly onEnded?: ((claim: SessionClaim) => void) | undefined;
}

const askAll: SessionRules = ({ cwd }, parts) => createPermissions({ project: cwd, ...parts });

/** The sessions of this process, with their agents and their store. */
export class Sessions implements AsyncDisposable {
  readonly open: OpenSessions = new OpenSessions();
  readonly #options: SessionsOptions;
  readonly #limits: SessionLimits;
  readonly #agents = new Map<string, SpareAgents>();

  constructor(options: SessionsOptions) {
    this.#options = options;
    this.#limits = { ...defaultLimits, ...options.limits };
    for (const [name, hosted] of Object.entries(options.agents))
      this.#agents.set(name, new SpareAgents(hosted, options.cwd));
  }

  /** The agents of a name that have no session yet; undefined if there is no such agent. */
  agent(name: string): SpareAgents | undefined {
    return this.#agents.get(name);
  }

  /** Begins a session. Rejects with the reason if its agent cannot be started, or refuses it: then there is none. */
  async create({ tenant, agent, cwd, additionalDirectories, ...wanted }: NewSession): Promise<Session> {
    const { mcpServers, meta, agentSessionId, model, startsLater } = wanted;
    const { quotas, store } = this.#options;
    const now = Date.now();
    const record: SessionRecord = {
      id: randomUUID(),
      ...{ tenant, agent, cwd, additionalDirectories },
      title: null,
      createdAt: now,
      updatedAt: now,
      closedAt: null,
      facts: {
        ...(mcpServers.length > 0 && { mcpServers }),
        ...(meta && { meta }),
        ...(agentSessionId !== undefined && { agentSessionId }),
      },
    };
    const created = (): Promise<SessionClaim> => store.create(record);
    const session = await this.#host(await (quotas?.beginning(tenant, created) ?? created()));
    try {
      if (!startsLater) await session.wake();
      if (model !== undefined) await session.agent.setModel(model);
      return session;
    } catch (error) {
      // The agent never had it.
      await session.close({ asClosed: false });
      throw error;
    }
  }

  /** A stored session: the one that is open here, or it is claimed. Rejects if its agent is not served, or another process has it. */
  find({ tenant, id, agent }: SessionRecord): Promise<Session> {
    return this.open.once(id, async () => {
      if (!this.#agents.has(agent))
        throw new ProtocolError(
          errorCodes.invalidRequest,
          `The session ${id} belongs to the agent ${agent}, which is not served here`,
        );
      return this.#host(await this.#options.store.claim(tenant, id));
    });
  }

  /** Ends every session and every agent. What is stored stays in the store, which is not closed. */
  async close(): Promise<void> {
    const ending = this.open.all.map((session) => session.then((each) => each.close({ asClosed: false })));
    await Promise.allSettled(ending);
    await Promise.all([...this.#agents.values()].map((spare) => spare.close()));
  }

  /** {@link close}. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  async #host(claim: SessionClaim): Promise<Session> {
    const { quotas, store, rules = askAll, history, onEvent, onEnded } = this.#options;
    const { tenant, agent, cwd } = claim.record;
    const spare = this.#agents.get(agent);
    if (!spare) throw new RangeError(`There is no agent ${agent}`);
    const session = await Session.open({
      store,
      claim,
      agent: spare.hosted,
      first: await spare.take(cwd),
      rules,
      limits: this.#limits,
      admit: (what) => {
        if (what === 'agent') quotas?.admitAgent(tenant);
        else quotas?.admitPrompt(tenant);
      },
      isPassing: history === 'passing',
      onEvent: (host, event) => onEvent?.(host, event),
      onEnded: ({ id }) => {
        this.open.delete(id);
        onEnded?.(claim);
      },
    });
    this.open.add(session);
    return session;
  }
}
