import { type Agent, errorText, lossText, type Session, type Turn, type UpdateListener } from '@turnwire/client';
import { mcpServersFor } from '@turnwire/client/node';
import type { TranscriptEvent } from '@turnwire/client/transcript';
import {
  type AgentState,
  type ContentBlock,
  errorCodes,
  type Implementation,
  invalidParams,
  type ListSessionsRequest,
  type ListSessionsResponse,
  type McpServer,
  ProtocolError,
  type SessionFork,
  type SessionUpdate,
  TurnwireError,
} from '@turnwire/protocol';
import { askingModeId, neverAsksWarning } from '../agent/agent-asking.ts';
import { offersOf } from '../agent/agent-facts.ts';
import { AgentStart, type StartListener } from '../agent/agent-start.ts';
import { DesiredSettings } from '../agent/desired-settings.ts';
import { isLoginNeeded } from '../agent/endings.ts';
import { forkSession } from '../agent/fork-session.ts';
import type { HostedAgent } from '../agent/hosted-agent.ts';
import type { OpenedSession } from '../agent/restore-session.ts';
import { isBroken, parked } from '../agent/agent-state.ts';
import { type AgentForSession, withSessionId } from './agent-access.ts';
import type { RulesInForce } from './rules-in-force.ts';
import type { StoredRecord } from './stored-record.ts';

/** Options and callbacks of the agent of a session. */
export interface SessionAgentParts {
  readonly hosted: HostedAgent;
  /** The access that its processes get, and perhaps a running agent. */
  readonly first: AgentForSession;
  readonly record: StoredRecord;
  readonly rules: RulesInForce;
  /** After how many milliseconds without a message a turn counts as silent. */
  readonly silence: number;
  readonly onEvent: (event: TranscriptEvent) => void;
  /** A returned promise delays the next update. */
  readonly onUpdate: (update: SessionUpdate, isReplay: boolean) => Promise<void> | undefined;
  /** The state became another one. */
  readonly onState: () => void;
  /** The session is open: prompts can be sent. */
  readonly onReady: () => void;
  /** The agent could not be started. */
  readonly onFailed: (error: unknown) => void;
  /** The agent is about to be ended. Resolves when its turn is over. */
  readonly onEnding: () => Promise<void>;
  /** Adds a warning to the log. */
  readonly warn: (title: string) => void;
}

/** How an agent is woken. */
export interface Waking {
  /** Fail instead of beginning a new session if the agent cannot restore it. */
  readonly failsIfLost?: boolean | undefined;
  /** The agent is made to ask by the first turn whose rules need it, and not before. */
  readonly keepsMode?: boolean | undefined;
}

/** From a start of the agent until it is ended: it may be started again in between, and gets the session back. */
interface Run {
  readonly start: AgentStart;
  /** Aborts when the agent is ended. */
  readonly ending: AbortController;
  readonly desired: DesiredSettings;
  /** Settles as the last start does. */
  settingUp: Promise<void>;
  /** The first start is under way. */
  isOpening: boolean;
  stopWatching: (() => void) | undefined;
}

/** The agent of a session, which runs or does not: it is started when it is needed, and gets the session back as the record has it. */
export class SessionAgent {
  readonly #parts: SessionAgentParts;
  /** A running agent without a session. */
  #ready: Agent | undefined;
  #run: Run | undefined;
  #state: AgentState = parked;
  #hasWarned = false;
  #hasWarnedOfMode = false;
  /** The state with the offers of the agent, and its sources. */
  #shown: { readonly of: AgentState; readonly agent: Agent | undefined; readonly state: AgentState } | undefined;

  constructor(parts: SessionAgentParts) {
    this.#parts = parts;
    this.#ready = parts.first.agent;
  }

  get isAwake(): boolean {
    return this.#run !== undefined;
  }

  /** The connection to it; undefined while it does not run. */
  get agent(): Agent | undefined {
    return this.#run?.start.agent;
  }

  /** What it does; the same object until that changes. */
  get state(): AgentState {
    const { agent } = this;
    if (!agent) return this.#state;
    if (this.#shown?.of !== this.#state || this.#shown.agent !== agent) {
      const offers = offersOf(agent, this.#parts.hosted);
      const state = { ...this.#state, offers, ...(agent.info && { agent: agent.info }) };
      this.#shown = { of: this.#state, agent, state };
    }
    return this.#shown.state;
  }

  /** As it introduced itself; undefined while it does not run. */
  get info(): Implementation | undefined {
    return this.agent?.info;
  }

  /** Whether it can restore a session; undefined while it does not run. */
  get canRestore(): boolean | undefined {
    const { agent } = this;
    return agent && (agent.loadSession !== undefined || agent.resumeSession !== undefined);
  }

  /** The id that the agent gave the session. */
  get sessionId(): string | undefined {
    return this.#run?.start.sessionId;
  }

  /** A turn changes what the agent does. */
  become(state: AgentState): void {
    this.#state = state;
    this.#parts.onState();
  }

  /** A turn ended with a failure that leaves the agent in a state. */
  failed(state: AgentState): void {
    if (state.name === 'dead' && this.#run) this.#broke(this.#run, state.message);
    else this.become(state);
  }

  /** What comes from now on belongs to no replay. */
  endReplay(): void {
    this.#run?.start.endReplay();
  }

  /** Sends a prompt. The agent is ready. */
  prompt(content: readonly ContentBlock[]): Turn {
    return this.#session.prompt(content);
  }

  /** Starts the agent for a prompt that waits, unless it runs. */
  rouse(): void {
    const run = this.#run ?? this.#begin(false);
    // What becomes of it is in the state.
    if (isBroken(this.#state)) this.#startAgain(run).catch(() => undefined);
  }

  /**
   * Starts the agent and opens the session with it, unless that was done; again if it has ended or does not react. Rejects with the reason if
   * it cannot be.
   */
  async wake({ failsIfLost = false, keepsMode = false }: Waking = {}): Promise<void> {
    if (this.#state.name === 'login-needed')
      throw new ProtocolError(errorCodes.authenticationRequired, this.#state.message);
    if (failsIfLost && this.#run && isBroken(this.#state)) await this.end();
    const run = this.#run ?? this.#begin(failsIfLost);
    await (isBroken(this.#state) ? this.#startAgain(run) : run.settingUp);
    if (!keepsMode) await this.ensureAsking();
  }

  /** Ends the agent, if it runs, and starts it, with the session. */
  async restart(): Promise<void> {
    this.warnIfItNeverAsks();
    if (!this.#run) return this.wake();
    await this.#startAgain(this.#run);
    await this.ensureAsking();
  }

  /** Logs in. The session continues, if it waited for that. */
  async authenticate(methodId: string): Promise<void> {
    const run = this.#run;
    const agent = run?.start.agent;
    if (!run || !agent) throw notRunning();
    const { needsRestart } = await agent.authenticate(methodId);
    if (needsRestart) return this.#startAgain(run);
    if (this.#state.name !== 'login-needed') return;
    this.become({ name: 'starting', since: Date.now() });
    run.settingUp = this.#settingUp(run, run.start.continue(agent));
    await run.settingUp;
  }

  /** A page of the sessions that the agent itself has in a folder, without this one. */
  async ownSessions({ cwd, cursor }: ListSessionsRequest): Promise<ListSessionsResponse> {
    if (!this.agent) throw notRunning();
    const { sessions, ...page } = await this.agent.peer.request('session/list', { cwd, cursor });
    return { ...page, sessions: sessions.filter(({ sessionId }) => sessionId !== this.sessionId) };
  }

  /** Warns once of an agent that asks nobody, as far as the rules are about what it does. */
  warnIfItNeverAsks(): void {
    const { hosted, rules, warn } = this.#parts;
    const unasked = neverAsksWarning(hosted.differences, rules.current);
    if (unasked !== undefined && !this.#hasWarned) warn(unasked);
    this.#hasWarned ||= unasked !== undefined;
  }

  /** Has an agent ask that would not by itself, unless a client chose its mode. */
  async ensureAsking(): Promise<void> {
    const { hosted, rules, record, warn } = this.#parts;
    const modeId = askingModeId(hosted.differences, rules.current);
    if (modeId === undefined || record.facts.modeId !== undefined) return;
    const run = this.#run ?? this.#begin(false);
    if (run.start.session?.modes?.current === modeId) return;
    await this.#setMode(run, modeId).catch((error: unknown) => {
      if (!this.#hasWarnedOfMode) warn(`The agent could not be made to ask: ${errorText(error)}`);
      this.#hasWarnedOfMode = true;
    });
  }

  async setMode(modeId: string): Promise<void> {
    await this.wake();
    if (this.#run) await this.#setMode(this.#run, modeId);
    this.#parts.record.note({ modeId });
  }

  async setConfigOption(id: string, value: string | boolean): Promise<void> {
    await this.wake();
    if (this.#run) await this.#setOption(this.#run, id, value);
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
    const mcpServers = [...(record.facts.mcpServers ?? []), ...this.#usableServers(agent)];
    const fork = await forkSession(agent, { sessionId, cwd, additionalDirectories, mcpServers }, meta);
    // The next prompt starts it again.
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
    if (!run) return;
    run.ending.abort();
    await this.#parts.onEnding();
    await run.start.session?.close?.().catch(() => undefined);
    await run.start.endAgent();
    run.stopWatching?.();
  }

  get #session(): Session {
    const session = this.#run?.start.session;
    if (!session) throw notRunning();
    return session;
  }

  #begin(failsIfLost: boolean): Run {
    const { first, record, onEvent } = this.#parts;
    const { modeId, options = {} } = record.facts;
    const ending = new AbortController();
    const start = this.#newStart(failsIfLost, (): Run => run);
    const run: Run = {
      ...{ start, ending, desired: new DesiredSettings(), isOpening: true },
      settingUp: Promise.resolve(),
      stopWatching: first.access.host.terminals?.watch((snapshot) => {
        if (snapshot.sessionId === start.sessionId) onEvent({ at: Date.now(), type: 'terminal', snapshot });
      }),
    };
    if (modeId !== undefined) run.desired.mode(modeId);
    this.#run = run;
    this.become({ name: 'starting', since: Date.now() });
    run.settingUp = this.#settingUp(run, start.begin({ isRestart: false }));
    run.settingUp.then(
      () => (run.isOpening = false),
      () => {
        run.isOpening = false;
        // What could not be opened is opened anew, and not restarted.
        if (this.#run === run && this.#state.name === 'dead') void this.#drop(run);
      },
    );
    for (const [id, value] of Object.entries(options))
      this.#setOption(run, id, value).catch((error: unknown) => this.#notSetAgain(id, error));
    return run;
  }

  async #drop(run: Run): Promise<void> {
    this.#run = undefined;
    run.ending.abort();
    await run.start.endAgent();
    run.stopWatching?.();
  }

  #newStart(failsIfLost: boolean, runOf: () => Run): AgentStart {
    const { hosted, first, record } = this.#parts;
    const { retry, reconnect, loadNotBefore, replaysLate } = hosted;
    const { agentSessionId, mcpServers = [], setUpAt, mustRestore } = record.facts;
    let servers: readonly McpServer[] = [];
    return new AgentStart(
      {
        start: async (signal) => {
          const agent = await this.#connect(signal);
          // Which of the configured servers it can use is known once it runs.
          servers = [...mcpServers, ...this.#usableServers(agent)];
          return agent;
        },
        ...(agentSessionId !== undefined && { sessionId: agentSessionId }),
        isKnown: setUpAt !== undefined,
        ifLost: failsIfLost || mustRestore || setUpAt === undefined ? 'fail' : 'begin-anew',
        terminals: first.access.host.terminals,
        setUpAt,
        ...{ retry, reconnect, loadNotBefore, replaysLate },
      },
      this.#listener(runOf, () => servers),
    );
  }

  /** Receives what happens to the agent of a run, as long as that has not ended. */
  #listener(runOf: () => Run, servers: () => readonly McpServer[]): StartListener {
    const { record, silence, onEvent, onUpdate } = this.#parts;
    const { cwd, additionalDirectories } = record.current;
    const { meta } = record.facts;
    return {
      untilClosed: () => runOf().ending.signal,
      sessionOptions: (listener: UpdateListener) => ({
        ...{ cwd, additionalDirectories, meta, silence, mcpServers: servers(), onUpdate: listener },
        signal: runOf().ending.signal,
        onPermission: (event) => onEvent({ at: Date.now(), ...event }),
        onMessageLost: (loss) => {
          const text = lossText(loss);
          this.#say('error', `${text.charAt(0).toUpperCase()}${text.slice(1)}`);
        },
        onSilence: (_turn, silentSince) => this.#silent(silentSince),
      }),
      setState: (state) => this.#run === runOf() && this.become(state),
      remark: (severity, title, description) => this.#say(severity, title, description),
      update: onUpdate,
      sessionOpened: (opened) => this.#opened(runOf(), opened),
      agentEnded: (message) => this.#agentEnded(runOf(), message),
    };
  }

  async #settingUp(run: Run, start: Promise<void>): Promise<void> {
    try {
      await start;
    } catch (error) {
      if (this.#run === run) {
        const message = errorText(error);
        const needsLogin = isLoginNeeded(error) && run.start.agent !== undefined;
        this.become({ name: needsLogin ? 'login-needed' : 'dead', message });
        if (!needsLogin) this.#parts.onFailed(error);
      }
      throw error;
    }
  }

  #startAgain(run: Run): Promise<void> {
    const { name } = this.#state;
    if (name === 'reconnecting') run.start.hurry();
    if (name === 'starting' || name === 'reconnecting') return run.settingUp;
    run.settingUp = this.#settingUp(run, run.start.beginAgain());
    // Callers that did not ask for the restart see its failure in the state.
    run.settingUp.catch(() => undefined);
    return run.settingUp;
  }

  async #opened(run: Run, { session, boundary }: OpenedSession): Promise<void> {
    const { record, onEvent, onReady, warn } = this.#parts;
    // Users need not know that another process has the session than before; that it ended during use they do.
    if (boundary && !(run.isOpening && boundary.reason === 'restarted'))
      onEvent({ at: Date.now(), type: 'boundary', ...boundary });
    const isBack = boundary?.reason === 'loaded' || boundary?.reason === 'resumed';
    if (run.isOpening && isBack && record.facts.wasInterrupted) warn(lastTurnInterrupted);
    for (const title of await run.desired.apply(session)) warn(title);
    if (this.#run !== run) return;
    this.#recordSetup(session);
    this.become({ name: 'ready' });
    onReady();
  }

  #agentEnded(run: Run, message: string): void {
    const { name } = this.#state;
    if (this.#run === run && name !== 'starting' && name !== 'reconnecting') this.#broke(run, message);
  }

  /** The agent is gone without having been asked to leave. */
  #broke(run: Run, message: string): void {
    if (!run.start.reconnects) return this.become({ name: 'dead', message });
    run.settingUp = this.#settingUp(run, run.start.reconnect(message));
    // Callers see the failure in the state.
    run.settingUp.catch(() => undefined);
  }

  #silent(silentSince: number | undefined): void {
    if (this.#state.name !== 'working') return;
    const { since } = this.#state;
    this.become({ name: 'working', since, ...(silentSince !== undefined && { silentSince }) });
  }

  async #setMode(run: Run, modeId: string): Promise<void> {
    await run.settingUp;
    const session = run.start.session;
    if (!session?.modes) throw new TurnwireError('not-advertised', 'The agent has no modes');
    await session.modes.set(modeId);
    run.desired.mode(modeId);
    this.#recordSetup(session);
  }

  async #setOption(run: Run, id: string, value: string | boolean): Promise<void> {
    await run.settingUp;
    const session = run.start.session;
    if (!session?.configOptions) throw new TurnwireError('not-advertised', 'The agent has no options');
    await session.configOptions.set(id, value);
    run.desired.option(id, value);
    this.#recordSetup(session);
  }

  /** The current modes and options: not every agent sends an update about them. */
  #recordSetup({ modes, configOptions }: Session): void {
    this.#parts.onEvent({
      at: Date.now(),
      type: 'setup',
      ...(modes && { modes: { currentModeId: modes.current, availableModes: [...modes.available] } }),
      ...(configOptions && { configOptions: configOptions.list }),
    });
  }

  #say(severity: 'info' | 'warning' | 'error', title: string, description?: string): void {
    this.#parts.onEvent({
      ...{ at: Date.now(), type: 'remark', severity, title },
      ...(description !== undefined && { description }),
    });
  }

  async #connect(signal: AbortSignal): Promise<Agent> {
    const ready = this.#ready;
    this.#ready = undefined;
    if (ready) return ready;
    const { hosted, first, record } = this.#parts;
    return hosted.start(first.access.options(signal), { cwd: record.current.cwd });
  }

  #usableServers({ capabilities }: Agent): readonly McpServer[] {
    const { hosted, warn } = this.#parts;
    const { servers, refused } = mcpServersFor(capabilities.mcpCapabilities, hosted.mcpServers ?? []);
    for (const { name, reason } of refused) warn(`the MCP server ${name} is left out: ${reason}`);
    return servers;
  }

  #notSetAgain(id: string, error: unknown): void {
    if (this.#state.name !== 'ready') return;
    this.#parts.warn(`The agent did not take the option ${id} again: ${(error as Error).message}`);
  }
}

const lastTurnInterrupted = 'The last turn did not finish: its answer may be incomplete.';

function notRunning(): TurnwireError {
  return new TurnwireError('connection-closed', 'The agent is not running: start it first');
}
