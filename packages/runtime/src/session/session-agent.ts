import type { Agent, Turn } from '@turnwire/client';
import { errorText } from '@turnwire/client/error-text';
import { cancelWork } from '@turnwire/client/extensions';
import {
  type AgentState,
  type AgentWork,
  type ContentBlock,
  errorCodes,
  invalidParams,
  type ListSessionsRequest,
  type ListSessionsResponse,
  ProtocolError,
  type SessionFork,
  TurnwireError,
} from '@turnwire/protocol';
import { allowsEverything, askingModeId, neverAsks } from '../agent/agent-asking.ts';
import { AgentStatus, isBroken, parked } from '../agent/agent-status.ts';
import { forkSession } from '../agent/fork-session.ts';
import { type SessionLogin, withSessionId } from './agent-access.ts';
import { AgentRun, type AgentRunParts } from './agent-run.ts';
import type { RulesInForce } from './rules-in-force.ts';

/** The inputs of a session's agent. */
export interface SessionAgentParts extends AgentRunParts {
  readonly rules: RulesInForce;
  /** Called after each change of the state. */
  readonly onState: () => void;
  /** Called before the agent is ended. Resolves when its turn is over. */
  readonly onEnding: () => Promise<void>;
}

/** How an agent is woken. */
export interface Waking {
  /** Fails instead of beginning a new session if the agent cannot restore it. */
  readonly failsIfLost?: boolean | undefined;
  /** Leaves the mode as it is. The first turn whose rules need it sets the mode in which the agent asks. */
  readonly keepsMode?: boolean | undefined;
}

/** The agent of a session. It starts when the session needs it, and restores the session as the record has it. */
export class SessionAgent {
  readonly #parts: SessionAgentParts;
  readonly #status: AgentStatus;
  /** A running agent without a session. */
  #warm: Agent | undefined;
  #run: AgentRun | undefined;
  #hasWarned = false;
  #hasWarnedOfMode = false;

  constructor(parts: SessionAgentParts) {
    this.#parts = parts;
    this.#status = new AgentStatus(parts.hosted, parts.onState);
    this.#warm = parts.first.agent;
  }

  get isAwake(): boolean {
    return this.#run !== undefined;
  }

  /** The connection to the agent; undefined while it does not run. */
  get agent(): Agent | undefined {
    return this.#run?.start.agent;
  }

  /** The state of the agent: the same object until it changes. */
  get state(): AgentState {
    return this.#status.stateOf(this.agent);
  }

  /** The agent's id of the session. */
  get sessionId(): string | undefined {
    return this.#run?.start.sessionId;
  }

  /** Records what a turn makes the agent do. */
  become(state: AgentState): void {
    this.#status.become(state);
  }

  /** Records the state in which a failed turn left the agent. */
  failed(state: AgentState): void {
    if (state.name === 'dead' && this.#run) this.#run.broke(state.message);
    else this.become(state);
  }

  /** Counts later updates as new, not as a replay. */
  endReplay(): void {
    this.#run?.start.endReplay();
  }

  /** Sends a prompt. The agent is ready. */
  prompt(content: readonly ContentBlock[]): Turn {
    const session = this.#run?.start.session;
    if (!session) throw notRunning();
    return session.prompt(content);
  }

  /** Starts the agent for a waiting prompt, unless it runs. A failure is in the state. */
  rouse(): void {
    const run = this.#run ?? this.#begin();
    if (isBroken(this.#status.activity)) run.restart().catch(() => undefined);
  }

  /** Starts the agent, unless it runs, and opens the session. Restarts an agent that ended or does not react. Rejects with the reason of a failure. */
  async wake({ failsIfLost = false, keepsMode = false }: Waking = {}): Promise<void> {
    const { activity } = this.#status;
    if (activity.name === 'login-needed') throw new ProtocolError(errorCodes.authenticationRequired, activity.message);
    if (failsIfLost && this.#run && isBroken(activity)) await this.end();
    await (this.#run ?? this.#begin(failsIfLost)).ready();
    if (!keepsMode) await this.ensureAsking();
  }

  /** Ends the agent, if it runs, and starts it with the session. */
  async restart(): Promise<void> {
    this.warnIfItNeverAsks();
    if (!this.#run) return this.wake();
    await this.#run.restart();
    await this.ensureAsking();
  }

  /** Logs in. Opens the session if it waited for that. */
  async authenticate({ methodId, questions }: SessionLogin): Promise<void> {
    const [run, agent] = [this.#run, this.agent];
    if (!run || !agent) throw notRunning();
    await this.#parts.first.access.asking(questions, () => run.authenticate(agent, methodId));
  }

  /** Returns a page of the sessions that the agent itself has in a folder, without this one. */
  async ownSessions({ cwd, cursor }: ListSessionsRequest): Promise<ListSessionsResponse> {
    if (!this.agent) throw notRunning();
    const { sessions, ...page } = await this.agent.peer.request('session/list', { cwd, cursor });
    return { ...page, sessions: sessions.filter(({ sessionId }) => sessionId !== this.sessionId) };
  }

  /** Warns once of an agent that never asks, if the rules need it to ask. */
  warnIfItNeverAsks(): void {
    const { hosted, rules, warn } = this.#parts;
    if (this.#hasWarned || !neverAsks(hosted.differences) || allowsEverything(rules.current)) return;
    this.#hasWarned = true;
    warn('this agent never asks for permission');
  }

  /** Sets the mode in which the agent asks, if the rules need it to ask and no client chose a mode. */
  async ensureAsking(): Promise<void> {
    const { hosted, rules, record, warn } = this.#parts;
    const modeId = askingModeId(hosted.differences, rules.current);
    if (modeId === undefined || record.facts.modeId !== undefined) return;
    const run = this.#run ?? this.#begin();
    if (run.start.session?.modes?.current === modeId) return;
    await run.setMode(modeId).catch((error: unknown) => {
      if (!this.#hasWarnedOfMode) warn(`The agent could not be set to ask for permission: ${errorText(error)}`);
      this.#hasWarnedOfMode = true;
    });
  }

  /** Whether the agent, which runs, has announced a child session with this id. */
  hasChild(sessionId: string): boolean {
    return this.#run?.start.session?.hasChild(sessionId) ?? false;
  }

  /** Asks the agent, which runs, to cancel a part of its work. */
  async cancelWork(work: AgentWork): Promise<void> {
    const { agent, sessionId } = this;
    if (!agent || sessionId === undefined) throw notRunning();
    await cancelWork(agent, sessionId, work);
  }

  async setMode(modeId: string): Promise<void> {
    await this.wake();
    await this.#run?.setMode(modeId);
    this.#parts.record.note({ modeId });
  }

  async setConfigOption(id: string, value: string | boolean): Promise<void> {
    await this.wake();
    await this.#run?.setOption(id, value);
    const { record } = this.#parts;
    record.note({ options: { ...record.facts.options, [id]: value } });
  }

  /** Chooses a model by the option that the agent offers for it. */
  async setModel(model: string): Promise<void> {
    const { configOptions } = this.#parts.record.facts;
    const option = configOptions?.find(({ id, category }) => category === 'model' || id === 'model');
    if (!option) throw invalidParams(`the agent offers no choice of models, so ${model} cannot be used with it`);
    if (option.currentValue !== model) await this.setConfigOption(option.id, model);
  }

  /** Has the agent make a session that begins with the history of this one. Rejects with -32601 if it cannot. */
  async fork(meta: Readonly<Record<string, unknown>> | undefined): Promise<SessionFork> {
    await this.wake();
    const { agent, sessionId } = this;
    if (!agent || sessionId === undefined) throw notRunning();
    const { record, hosted } = this.#parts;
    const { cwd, additionalDirectories } = record.current;
    const mcpServers = this.#run?.mcpServers ?? [];
    const fork = await forkSession(agent, { sessionId, cwd, additionalDirectories, mcpServers }, meta);
    // The next prompt starts the agent again.
    if (hosted.differences?.keepsForks) await this.end();
    return fork;
  }

  /** Sends a method that the runtime does not know, as it is. */
  async call(method: string, params: unknown, isRequest: boolean): Promise<unknown> {
    await this.wake();
    const raw = this.agent?.peer.raw;
    const sent = withSessionId(params, this.sessionId);
    return isRequest ? raw?.request(method, sent) : raw?.notify(method, sent);
  }

  /** Ends the agent. The next prompt starts it again. */
  async end(): Promise<void> {
    const run = this.#run;
    this.#run = undefined;
    this.become(parked);
    await run?.end(this.#parts.onEnding);
  }

  #begin(failsIfLost = false): AgentRun {
    const warm = this.#warm;
    this.#warm = undefined;
    this.#run = new AgentRun(this.#parts, {
      onAbandoned: (run) => {
        if (this.#run === run) this.#run = undefined;
      },
      ...{ status: this.#status, warm, failsIfLost },
    });
    this.#run.begin();
    return this.#run;
  }
}

function notRunning(): TurnwireError {
  return new TurnwireError('connection-closed', 'The agent is not running: start it first');
}
