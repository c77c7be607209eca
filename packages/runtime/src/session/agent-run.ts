import { type Agent, lossText, type UnsentFeedback } from '@turnwire/client';
import { errorText } from '@turnwire/client/error-text';
import { mcpServersFor } from '@turnwire/client/node';
import type { TranscriptEvent } from '@turnwire/client/transcript';
import type { McpServer } from '@turnwire/protocol';
import { AgentStart, type StartOptions } from '../agent/agent-start.ts';
import { type AgentStatus, isBroken } from '../agent/agent-status.ts';
import { isLoginNeeded } from '../agent/endings.ts';
import type { HostedAgent } from '../agent/hosted-agent.ts';
import type { OpenedSession } from '../agent/restore-session.ts';
import type { AgentForSession } from './agent-access.ts';
import { AgentSettings } from './agent-settings.ts';
import type { StoredRecord } from './stored-record.ts';

/** The inputs of all runs of a session's agent. */
export interface AgentRunParts {
  readonly hosted: HostedAgent;
  /** The host services and permissions of the agent, and perhaps a running one. */
  readonly first: AgentForSession;
  readonly record: StoredRecord;
  /** Milliseconds without a message after which a turn counts as silent. */
  readonly silence: number;
  readonly onEvent: (event: TranscriptEvent) => void;
  /** A returned promise delays the next update. */
  readonly onUpdate: StartOptions['onUpdate'];
  /** Receives each text for the agent that an answer to it could not contain. */
  readonly onFeedback: (feedback: UnsentFeedback) => void;
  /** Called when the session is open: prompts can be sent. */
  readonly onReady: () => void;
  /** Called when the agent could not be started. */
  readonly onFailed: (error: unknown) => void;
  /** Adds a warning to the log. */
  readonly warn: (title: string) => void;
}

/** One run. */
export interface RunOptions {
  readonly status: AgentStatus;
  /** A running agent to begin with. */
  readonly warm: Agent | undefined;
  /** Fails instead of beginning a new session if the agent cannot restore it. */
  readonly failsIfLost: boolean;
  /** Called when the first start failed: the run is over. */
  readonly onAbandoned: (run: AgentRun) => void;
}

/** A run of an agent, from its first start until it is ended. It may restart in between, and then gets the session back. */
export class AgentRun {
  readonly #parts: AgentRunParts;
  readonly #options: RunOptions;
  /** The agent and its session, of this start or an earlier one. */
  readonly start: AgentStart;
  /** Aborts at the end of the run. */
  readonly #ending = new AbortController();
  readonly #settings: AgentSettings;
  /** A running agent for the next start. */
  #warm: Agent | undefined;
  #mcpServers: readonly McpServer[] = [];
  /** Settles as the last start does. */
  #settingUp: Promise<void> = Promise.resolve();
  /** The first start is not over. */
  #isOpening = true;
  #stopWatching: (() => void) | undefined;

  constructor(parts: AgentRunParts, options: RunOptions) {
    this.#parts = parts;
    this.#options = options;
    this.#warm = options.warm;
    this.#settings = new AgentSettings(parts);
    const { hosted, first, record, onUpdate } = parts;
    const { retry, reconnect, loadNotBefore, replaysLate } = hosted;
    const { agentSessionId: sessionId, setUpAt, mustRestore } = record.facts;
    this.start = new AgentStart({
      start: (signal) => this.#connect(signal),
      ...{ retry, reconnect, loadNotBefore, replaysLate, sessionId, setUpAt },
      isKnown: setUpAt !== undefined,
      ifLost: options.failsIfLost || mustRestore || setUpAt === undefined ? 'fail' : 'begin',
      terminals: first.access.host.terminals,
      signal: this.#ending.signal,
      sessionOptions: (listeners) => ({
        ...listeners,
        cwd: record.current.cwd,
        additionalDirectories: record.current.additionalDirectories,
        meta: record.facts.meta,
        mcpServers: this.#mcpServers,
        silence: parts.silence,
        signal: this.#ending.signal,
        onFeedback: (feedback) => parts.onFeedback(feedback),
        onPermission: (event) => parts.onEvent({ at: Date.now(), ...event }),
        onMessageLost: (loss) => this.#notify('error', capitalized(lossText(loss))),
        onSilence: (_turn, silentSince) => this.#silent(silentSince),
      }),
      onState: (state) => this.isOver || options.status.become(state),
      onNotice: (severity, title, description) => this.#notify(severity, title, description),
      onUpdate,
      onChildUpdate: (child, update, { isReplay, said }) =>
        parts.onEvent({
          ...{ at: Date.now(), type: 'child-update', child, update },
          ...(isReplay && { isReplay }),
          ...(said !== undefined && { said }),
        }),
      onOpened: (opened) => this.#opened(opened),
      onEnded: (message) => {
        const { name } = options.status.activity;
        if (!this.isOver && name !== 'starting' && name !== 'reconnecting') this.broke(message);
      },
    });
  }

  /** Starts the agent and opens the session with it. */
  begin(): void {
    const { first, record, onEvent, warn } = this.#parts;
    const { status, onAbandoned } = this.#options;
    const { options = {} } = record.facts;
    this.#stopWatching = first.access.host.terminals?.watch((snapshot) => {
      if (snapshot.sessionId === this.start.sessionId) onEvent({ at: Date.now(), type: 'terminal', snapshot });
    });
    status.become({ name: 'starting', since: Date.now() });
    this.#settingUp = this.#reported(this.start.begin(false));
    this.#settingUp.then(
      () => (this.#isOpening = false),
      () => {
        this.#isOpening = false;
        if (this.isOver || status.activity.name !== 'dead') return;
        onAbandoned(this);
        void this.#end();
      },
    );
    for (const [id, value] of Object.entries(options))
      this.setOption(id, value).catch((error: unknown) => {
        if (status.activity.name !== 'ready') return;
        warn(`The agent did not accept the option ${id} again: ${(error as Error).message}`);
      });
  }

  get isOver(): boolean {
    return this.#ending.signal.aborted;
  }

  /** The MCP servers of the session that the agent can connect to. */
  get mcpServers(): readonly McpServer[] {
    return this.#mcpServers;
  }

  /** Resolves when the session is open. Restarts an agent that ended or does not react. Rejects with the reason if it cannot be started. */
  ready(): Promise<void> {
    return isBroken(this.#options.status.activity) ? this.restart() : this.#settingUp;
  }

  /** Ends the agent and starts it again, unless it is starting. */
  restart(): Promise<void> {
    const { name } = this.#options.status.activity;
    if (name === 'reconnecting') this.start.reconnectNow();
    if (name !== 'starting' && name !== 'reconnecting') this.#setUpAgain(this.start.beginAgain());
    return this.#settingUp;
  }

  /** Logs in at the agent, and opens the session if it waited for that. */
  async authenticate(agent: Agent, methodId: string): Promise<void> {
    const { status } = this.#options;
    const { needsRestart } = await agent.authenticate(methodId);
    if (needsRestart) return this.restart();
    if (status.activity.name !== 'login-needed') return;
    status.become({ name: 'starting', since: Date.now() });
    this.#settingUp = this.#reported(this.start.continue(agent));
    await this.#settingUp;
  }

  async setMode(modeId: string): Promise<void> {
    await this.#settingUp;
    await this.#settings.setMode(this.start, modeId);
  }

  async setOption(id: string, value: string | boolean): Promise<void> {
    await this.#settingUp;
    await this.#settings.setOption(this.start, id, value);
  }

  /** The agent ended by itself. */
  broke(message: string): void {
    if (this.start.reconnects) this.#setUpAgain(this.start.reconnect(message));
    else this.#options.status.become({ name: 'dead', message });
  }

  /**
   * Ends the agent.
   * @param turnOver waits for the end of the running turn
   */
  async end(turnOver: () => Promise<void>): Promise<void> {
    this.#ending.abort();
    await turnOver();
    await this.start.session?.close?.().catch(() => undefined);
    await this.#end();
  }

  async #end(): Promise<void> {
    this.#ending.abort();
    await this.start.endAgent();
    this.#stopWatching?.();
  }

  /** Callers that did not ask for the start see its failure in the state. */
  #setUpAgain(start: Promise<void>): void {
    this.#settingUp = this.#reported(start);
    this.#settingUp.catch(() => undefined);
  }

  /** Settles as a start does, and reports its failure. */
  async #reported(start: Promise<void>): Promise<void> {
    try {
      await start;
    } catch (error) {
      if (!this.isOver) {
        const needsLogin = isLoginNeeded(error) && this.start.agent !== undefined;
        this.#options.status.become({ name: needsLogin ? 'login-needed' : 'dead', message: errorText(error) });
        if (!needsLogin) this.#parts.onFailed(error);
      }
      throw error;
    }
  }

  /** The configured MCP servers that an agent can use are known once it runs. */
  async #connect(signal: AbortSignal): Promise<Agent> {
    const { hosted, first, record, warn } = this.#parts;
    const warm = this.#warm;
    this.#warm = undefined;
    const agent = warm ?? (await hosted.start(first.access.options(signal), { cwd: record.current.cwd }));
    const { servers, refused } = mcpServersFor(agent.capabilities.mcpCapabilities, hosted.mcpServers ?? []);
    for (const { name, reason } of refused) warn(`the MCP server ${name} is left out: ${reason}`);
    this.#mcpServers = [...(record.facts.mcpServers ?? []), ...servers];
    return agent;
  }

  async #opened({ boundary }: OpenedSession): Promise<void> {
    const { record, onEvent, onReady, warn } = this.#parts;
    // Users need to know that the agent restarted during use, not that another process had the session before.
    if (boundary && !(this.#isOpening && boundary.reason === 'restarted'))
      onEvent({ at: Date.now(), type: 'boundary', ...boundary });
    const isRestored = boundary?.reason === 'loaded' || boundary?.reason === 'resumed';
    if (this.#isOpening && isRestored && record.facts.wasInterrupted)
      warn('The last turn did not finish: its answer may be incomplete.');
    for (const title of await this.#settings.apply(this.start)) warn(title);
    if (this.isOver) return;
    this.#settings.record(this.start);
    this.#options.status.become({ name: 'ready' });
    onReady();
  }

  #silent(silentSince: number | undefined): void {
    const { status } = this.#options;
    if (status.activity.name !== 'working') return;
    const { since } = status.activity;
    status.become({ name: 'working', since, ...(silentSince !== undefined && { silentSince }) });
  }

  #notify(severity: 'info' | 'warning' | 'error', title: string, description?: string): void {
    this.#parts.onEvent({
      ...{ at: Date.now(), type: 'remark', severity, title },
      ...(description !== undefined && { description }),
    });
  }
}

function capitalized(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}
