import { randomUUID } from 'node:crypto';
import { createPermissions } from '@turnwire/permissions';
import { errorCodes, type McpServer, ProtocolError } from '@turnwire/protocol';
import { WarmAgents } from './warm-agents.ts';
import type { HostedAgent } from './agent/hosted-agent.ts';
import type { SessionEvent } from '@turnwire/client/gateway';
import { OpenSessions } from './open-sessions.ts';
import type { TurnRecorder } from './review/turn-recorder.ts';
import { Session } from './session/session.ts';
import type { Metering } from './session/session-budget.ts';
import type { SessionRules } from './session/session-rules.ts';
import { defaultLimits, type SessionLimits } from './session-limits.ts';
import type { SessionClaim, SessionRecord, SessionStore } from './store/session-store.ts';

/** A new session. */
export interface NewSession {
  /** The tenant that owns it. */
  readonly tenant: string;
  /** The name of its agent. */
  readonly agent: string;
  readonly cwd: string;
  readonly additionalDirectories: readonly string[];
  readonly mcpServers: readonly McpServer[];
  /** `_meta` of `session/new`, for the agent. */
  readonly meta?: Readonly<Record<string, unknown>> | undefined;
  /** The agent's id of the first model. The session is refused if the agent does not offer it. Default: the agent's choice. */
  readonly model?: string | undefined;
  /** The agent's id of a session to continue: the agent replays it, or the session is refused. Default: a new one. */
  readonly agentSessionId?: string | undefined;
  /** Starts its agent with the first prompt or with `wake`. Default: at once. */
  readonly startsLater?: boolean | undefined;
  /** The last turn of the session to continue did not finish: clients see a warning once the agent has restored it. */
  readonly wasInterrupted?: boolean | undefined;
}

/** The quotas of tenants. Each refuses with the ProtocolError to answer with. */
export interface SessionQuotas {
  /** Stores a new session, unless the tenant has too many. */
  beginning<Result>(tenant: string, store: () => Promise<Result>): Promise<Result>;
  /** Counts a prompt. Throws if the tenant has sent too many. */
  admitPrompt(tenant: string): void;
  /** Throws if the tenant has too many agents. */
  admitAgent(tenant: string): void;
}

/** Options of the sessions of a process. */
export interface SessionsOptions {
  readonly store: SessionStore;
  /** The agents that sessions may have, by name. */
  readonly agents: Readonly<Record<string, HostedAgent>>;
  /** The folder in which agents without a session start: an absolute path. */
  readonly cwd: string;
  /** The rules of a session. Default: every permission is asked for, and rules of files do not apply. */
  readonly rules?: SessionRules | undefined;
  readonly limits?: Partial<SessionLimits> | undefined;
  /** Default: no quotas. */
  readonly quotas?: SessionQuotas | undefined;
  /**
   * `passing`: forgets events once every subscriber has received them, and slows the agent down to the slowest one. For one command with a store in
   * memory. Default: `kept`.
   */
  readonly history?: 'kept' | 'passing' | undefined;
  /** Records what the turns of a session change in its folder, for a review. Default: nothing is recorded. */
  readonly recorder?: ((record: SessionRecord) => TurnRecorder) | undefined;
  /** How turns are counted and limited. Default: recorded in the store, without limits. */
  readonly metering?: Metering | undefined;
  /** Called with every event, before it is stored. Must not throw. */
  readonly onEvent?: ((session: Session, event: SessionEvent) => void) | undefined;
  /** Called when a session has ended here, by itself or because a client closed it. Must not throw. */
  readonly onEnded?: ((claim: SessionClaim) => void) | undefined;
}

const askAll: SessionRules = ({ cwd }, parts) => createPermissions({ project: cwd, ...parts });

/** The sessions of this process, with their agents and their store. */
export class Sessions implements AsyncDisposable {
  readonly open: OpenSessions = new OpenSessions();
  readonly #options: SessionsOptions;
  readonly #limits: SessionLimits;
  readonly #agents = new Map<string, WarmAgents>();

  constructor(options: SessionsOptions) {
    this.#options = options;
    this.#limits = { ...defaultLimits, ...options.limits };
    for (const [name, hosted] of Object.entries(options.agents))
      this.#agents.set(name, new WarmAgents(hosted, options.cwd));
  }

  /** The agents of a name without a session; undefined for an unknown name. */
  agent(name: string): WarmAgents | undefined {
    return this.#agents.get(name);
  }

  /** Begins a session. Rejects with the reason if its agent cannot be started or refuses the session. */
  async create({ tenant, agent, cwd, additionalDirectories, ...wanted }: NewSession): Promise<Session> {
    const { mcpServers, meta, agentSessionId, model, startsLater, wasInterrupted } = wanted;
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
        ...(wasInterrupted && { wasInterrupted }),
      },
    };
    const created = (): Promise<SessionClaim> => store.create(record);
    const session = await this.#host(await (quotas?.beginning(tenant, created) ?? created()));
    try {
      if (!startsLater) await session.wake();
      if (model !== undefined) await session.agent.setModel(model);
      return session;
    } catch (error) {
      // The agent does not have this session.
      await session.close({ asClosed: false });
      throw error;
    }
  }

  /** Finds a stored session: it is open here already, or this process claims it. Rejects if its agent is not served, or another process has it. */
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

  /** Ends every session and every agent. The store keeps the sessions, and stays open. */
  async close(): Promise<void> {
    const ending = this.open.all.map((session) => session.then((each) => each.close({ asClosed: false })));
    await Promise.allSettled(ending);
    await Promise.all([...this.#agents.values()].map((warm) => warm.close()));
  }

  /** Calls {@link close}. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  async #host(claim: SessionClaim): Promise<Session> {
    const { quotas, store, rules = askAll, history, recorder, metering, onEvent, onEnded } = this.#options;
    const { tenant, agent, cwd } = claim.record;
    const warm = this.#agents.get(agent);
    if (!warm) throw new RangeError(`There is no agent ${agent}`);
    const session = await Session.open({
      store,
      claim,
      agent: warm.hosted,
      first: await warm.take(cwd),
      rules,
      limits: this.#limits,
      admit: (what) => {
        if (what === 'agent') quotas?.admitAgent(tenant);
        else quotas?.admitPrompt(tenant);
      },
      isPassing: history === 'passing',
      recorder: recorder?.(claim.record),
      metering: { record: store, ...metering },
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
