import { type Agent, errorText, type Turn } from '@turnwire/client';
import { type Conversation, type ConversationState, openConversation } from '@turnwire/client/conversation';
import { conversationOptionsFor } from '@turnwire/client/known-agents';
import { mcpServersFor } from '@turnwire/client/node';
import { emptyTranscript, type TranscriptEvent } from '@turnwire/client/transcript';
import {
  type ContentBlock,
  errorCodes,
  type Implementation,
  invalidParams,
  type ListSessionsRequest,
  type ListSessionsResponse,
  type McpServer,
  ProtocolError,
  TurnwireError,
} from '@turnwire/protocol';
import type { HostedAgent } from '../hosted-agent.ts';
import { type AgentForSession, withSessionId } from './agent-access.ts';
import { offersOf } from './agent-facts.ts';
import { askingModeId, neverAsksWarning } from './agent-asking.ts';
import { type Fork, forkSession } from './fork-session.ts';
import type { RulesInForce } from './rules-in-force.ts';
import { isBroken, parked, type SessionState } from './session-state.ts';
import type { StoredRecord } from './stored-record.ts';

/** What the agent of a session is started with. */
export interface SessionAgentParts {
  readonly hosted: HostedAgent;
  /** What its processes are started with, and one that runs already. */
  readonly first: AgentForSession;
  readonly record: StoredRecord;
  readonly rules: RulesInForce;
  readonly host: AgentOwner;
}

/** The session that an agent belongs to. */
export interface AgentOwner {
  /** A turn begins: waited for before its prompt is sent. If it rejects, the turn fails. */
  beforeTurn(turnId: string): Promise<void>;
  received(event: TranscriptEvent): void;
  /** The state of the agent became another one; changes that come together are one. */
  stateChanged(): void;
  /** Adds a warning to the log. */
  warn(title: string): void;
}

/** How an agent is woken. */
export interface Waking {
  /** Fail instead of beginning anew if the agent cannot restore the session. */
  readonly failsIfLost?: boolean | undefined;
  /** The agent is made to ask by the first turn whose rules need it, and not before. */
  readonly keepsMode?: boolean | undefined;
}

/** What a client may have an agent do. */
export type AgentInUse = Pick<SessionAgent, 'setMode' | 'setModel' | 'setConfigOption' | 'call'>;

/** The agent of a session, which runs or does not: it is started when it is needed, and gets the session back as the record has it. */
export class SessionAgent {
  readonly #parts: SessionAgentParts;
  /** One that runs and has no session yet. */
  #ready: Agent | undefined;
  #conversation: Conversation | undefined;
  #hasWarned = false;
  #state: SessionState = parked;
  /** What the state is without an agent: `parked`, or why it could not be started. */
  #withoutAgent: SessionState = parked;
  /** What the state was made of. */
  #shown: { readonly state?: ConversationState | undefined; readonly agent?: Agent | undefined } = {};

  constructor(parts: SessionAgentParts) {
    this.#parts = parts;
    this.#ready = parts.first.agent;
  }

  get isAwake(): boolean {
    return this.#conversation !== undefined;
  }

  /** What it does; the same object until that changes. */
  get state(): SessionState {
    const { state, agent } = this.#conversation ?? {};
    if (!state || state.name === 'closed') return this.#withoutAgent;
    if (this.#shown.state === state && this.#shown.agent === agent) return this.#state;
    this.#shown = { state, agent };
    return (this.#state = agent ? shownAgent(state, agent, this.#parts.hosted) : state);
  }

  /** As it introduced itself; undefined while it does not run. */
  get info(): Implementation | undefined {
    return this.#conversation?.agentInfo;
  }

  /** Whether it can restore a session; undefined while it does not run. */
  get canRestore(): boolean | undefined {
    const agent = this.#conversation?.agent;
    return agent && (agent.loadSession !== undefined || agent.resumeSession !== undefined);
  }

  /** The id that the agent gave the session. */
  get sessionId(): string | undefined {
    return this.#conversation?.session?.id;
  }

  /**
   * Starts the agent and opens the session with it, unless that was done; again if it has ended or does not react. Rejects with the reason if
   * it cannot be.
   */
  async wake({ failsIfLost = false, keepsMode = false }: Waking = {}): Promise<void> {
    const { state } = this;
    if (state.name === 'login-needed') throw new ProtocolError(errorCodes.authenticationRequired, state.message);
    const isGone = this.#conversation !== undefined && isBroken(this.#conversation.state);
    if (isGone && failsIfLost) await this.end();
    const conversation = this.#awake(failsIfLost);
    // Of one that is being started this is the end of the start.
    if (isBroken(conversation.state) || conversation.state.name === 'starting') await conversation.restart();
    if (!keepsMode) await this.ensureAsking();
  }

  /** Ends the agent, if it runs, and starts it, with the session. */
  async restart(): Promise<void> {
    this.warnIfItNeverAsks();
    if (!this.#conversation) return this.wake();
    await this.#conversation.restart();
    await this.ensureAsking();
  }

  /** Logs in. The session goes on, if it waited for that. */
  async authenticate(methodId: string): Promise<void> {
    if (!this.#conversation) throw notRunning();
    await this.#conversation.authenticate(methodId);
  }

  /** A page of the sessions that the agent itself has in a folder, without this one. */
  async ownSessions({ cwd, cursor }: ListSessionsRequest): Promise<ListSessionsResponse> {
    const agent = this.#conversation?.agent;
    if (!agent) throw notRunning();
    const { sessions, ...page } = await agent.peer.request('session/list', { cwd, cursor });
    return { ...page, sessions: sessions.filter(({ sessionId }) => sessionId !== this.sessionId) };
  }

  /** Warns once of an agent that asks nobody, as far as the rules are about what it does. */
  warnIfItNeverAsks(): void {
    const { hosted, rules, host } = this.#parts;
    const unasked = neverAsksWarning(hosted.differences, rules.current);
    if (unasked !== undefined && !this.#hasWarned) host.warn(unasked);
    this.#hasWarned ||= unasked !== undefined;
  }

  /** Has an agent ask that would not by itself, unless a client chose its mode. */
  async ensureAsking(): Promise<void> {
    const { hosted, rules, record, host } = this.#parts;
    const modeId = askingModeId(hosted.differences, rules.current);
    if (modeId === undefined || record.facts.modeId !== undefined) return;
    const conversation = this.#awake();
    if (conversation.session?.modes?.current === modeId) return;
    await conversation
      .setMode(modeId)
      .catch((error: unknown) => host.warn(`The agent could not be made to ask: ${errorText(error)}`));
  }

  /** Starts a turn, or queues it behind those before it. */
  prompt(content: readonly ContentBlock[], turnId: string): Turn {
    return this.#awake().prompt(content, { id: turnId });
  }

  /** Removes a prompt that waits. False if it was sent already. */
  withdraw(turnId: string): boolean {
    return this.#conversation?.withdraw(turnId) ?? false;
  }

  /** Makes a prompt that waits the next one. False if it was sent already. */
  advance(turnId: string): boolean {
    return this.#conversation?.advance(turnId) ?? false;
  }

  /** Sends a prompt that waits into the running turn. False if it was sent already, or the agent has not taken it. */
  async steer(turnId: string): Promise<boolean> {
    return (await this.#conversation?.steer(turnId)) ?? false;
  }

  /** Cancels the running turn, if any. */
  async cancel(): Promise<void> {
    await this.#conversation?.cancel();
  }

  async setMode(modeId: string): Promise<void> {
    await this.wake();
    await this.#conversation?.setMode(modeId);
    this.#parts.record.note({ modeId });
  }

  async setConfigOption(id: string, value: string | boolean): Promise<void> {
    await this.wake();
    await this.#conversation?.setConfigOption(id, value);
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
  async fork(meta: Readonly<Record<string, unknown>> | undefined): Promise<Fork> {
    await this.wake();
    const { agent, session } = this.#conversation ?? {};
    if (!agent || !session) throw notRunning();
    const { record } = this.#parts;
    const { cwd, additionalDirectories } = record.current;
    const mcpServers = [...(record.facts.mcpServers ?? []), ...this.#usableServers(agent)];
    const fork = await forkSession(agent, { sessionId: session.id, cwd, additionalDirectories, mcpServers }, meta);
    // The next prompt starts it again.
    if (this.#parts.hosted.differences?.keepsForks) await this.end();
    return fork;
  }

  /** Sends a method that the gateway does not know, as it is. */
  async call(method: string, params: unknown, isRequest: boolean): Promise<unknown> {
    await this.wake();
    const raw = this.#conversation?.agent?.peer.raw;
    const sent = withSessionId(params, this.sessionId);
    return isRequest ? raw?.request(method, sent) : raw?.notify(method, sent);
  }

  /** Ends the agent. The next prompt starts it again. */
  async end(state: SessionState = parked): Promise<void> {
    const conversation = this.#conversation;
    this.#conversation = undefined;
    this.#withoutAgent = state;
    this.#parts.host.stateChanged();
    await conversation?.close();
  }

  #awake(failsIfLost = false): Conversation {
    if (this.#conversation) return this.#conversation;
    const conversation = this.#open(failsIfLost);
    this.#conversation = conversation;
    conversation.onChange(() => this.#parts.host.stateChanged());
    this.#parts.host.stateChanged();
    conversation.opened.catch(() => {
      // What could not be opened is opened anew, and not restarted.
      const { state } = conversation;
      if (state.name === 'dead' && this.#conversation === conversation) void this.end(state);
    });
    return conversation;
  }

  #open(failsIfLost: boolean): Conversation {
    const { hosted, first, record, rules, host } = this.#parts;
    const { cwd, additionalDirectories } = record.current;
    const { agentSessionId, mcpServers = [], meta, modeId, options = {}, setUpAt } = record.facts;
    // Which of the configured ones it can use is known once it runs.
    const servers: McpServer[] = [];
    let isOpening = true;
    const conversation = openConversation({
      start: async (signal) => {
        const agent = await this.#start(signal);
        servers.splice(0, Infinity, ...mcpServers, ...this.#usableServers(agent));
        return agent;
      },
      cwd,
      additionalDirectories,
      mcpServers: servers,
      meta,
      modeId,
      ...conversationOptionsFor(hosted.differences),
      reconnect: hosted.reconnect,
      retry: hosted.retry,
      setUpAt,
      ...(agentSessionId !== undefined && { sessionId: agentSessionId }),
      // What the agent replays is in the log already.
      ...(setUpAt !== undefined && { transcript: emptyTranscript() }),
      ifLost: failsIfLost || record.facts.mustRestore || setUpAt === undefined ? 'fail' : 'begin-anew',
      keepsTranscript: false,
      ...(first.access.host.terminals && { terminals: first.access.host.terminals }),
      permissions: rules,
      beforeTurn: (turnId) => host.beforeTurn(turnId),
      // That another process has the session than before is of no interest to users; that it ended under them is.
      onEvent: (event) => {
        if (!isOpening || event.type !== 'boundary') return host.received(event);
        if (event.reason !== 'restarted') host.received(event);
        const isBack = event.reason === 'loaded' || event.reason === 'resumed';
        if (isBack && record.facts.wasInterrupted) host.warn(lastTurnInterrupted);
      },
    });
    const opened = (): void => void (isOpening = false);
    conversation.opened.then(opened, opened);
    for (const [id, value] of Object.entries(options))
      conversation.setConfigOption(id, value).catch((error: unknown) => this.#notSetAgain(id, error));
    return conversation;
  }

  async #start(signal: AbortSignal): Promise<Agent> {
    const ready = this.#ready;
    this.#ready = undefined;
    if (ready) return ready;
    const { hosted, first, record } = this.#parts;
    return hosted.start(first.access.options(signal), { cwd: record.current.cwd });
  }

  #usableServers({ capabilities }: Agent): readonly McpServer[] {
    const { hosted, host } = this.#parts;
    const { servers, refused } = mcpServersFor(capabilities.mcpCapabilities, hosted.mcpServers ?? []);
    for (const { name, reason } of refused) host.warn(`the MCP server ${name} is left out: ${reason}`);
    return servers;
  }

  #notSetAgain(id: string, error: unknown): void {
    if (this.#conversation?.state.name !== 'ready') return;
    this.#parts.host.warn(`The agent did not take the option ${id} again: ${(error as Error).message}`);
  }
}

function shownAgent(
  state: Exclude<ConversationState, { readonly name: 'closed' }>,
  agent: Agent,
  hosted: HostedAgent,
): SessionState {
  const offers = offersOf(agent, hosted);
  return agent.info ? { ...state, agent: agent.info, offers } : { ...state, offers };
}

const lastTurnInterrupted = 'The last turn did not finish: its answer may be incomplete.';

function notRunning(): TurnwireError {
  return new TurnwireError('connection-closed', 'The agent is not running: start it first');
}
