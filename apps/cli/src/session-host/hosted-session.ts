import { type Conversation, openConversation } from '@turnwire/client/conversation';
import { emptyTranscript, type TranscriptEvent } from '@turnwire/client/transcript';
import { conversationOptionsFor } from '@turnwire/client/known-agents';
import { TurnwireError, type McpServer } from '@turnwire/protocol';
import type { GivenRule } from '@turnwire/permissions';
import { type TraceWriter, traceWriter } from '@turnwire/trace/node';
import { headlessHost } from '../driving/headless-host.ts';
import { contentOf, type Draft } from '../driving/prompt-content.ts';
import { reconnectOptionsFor } from '../driving/remote-agent.ts';
import {
  ensureAskMode,
  fittingValue,
  metaOf,
  modelOption,
  refuseUnknownLogin,
  setModel,
  usableServers,
} from '../driving/session-setup.ts';
import { HistoryWriter, readHistory } from '../store/history.ts';
import type { SessionRecord } from '../store/session-record.ts';
import type { SessionStore } from '../store/session-store.ts';
import { openOwnedAgent } from './hosted-agent.ts';
import type { HostStart, PromptOutcome } from './host-protocol.ts';
import type { PromptJob, StartedTurn } from './prompt-job.ts';
import { PromptQueue } from './prompt-queue.ts';

/** What a session is hosted with. */
export interface HostedSessionParts {
  readonly start: HostStart;
  readonly record: SessionRecord;
  readonly store: SessionStore;
}

/** A session in its host process: the agent, the queue, the record and the history. */
export class HostedSession {
  readonly queue: PromptQueue;
  readonly #store: SessionStore;
  readonly #history: HistoryWriter;
  readonly #conversation: Conversation;
  readonly #start: HostStart;
  /** When the agent last created or loaded the session. */
  readonly #setUpAt: number | undefined;
  readonly #trace: TraceWriter | undefined;
  #record: SessionRecord;
  /** Rules the user made for this session. They live as long as the session host. */
  #rules: readonly GivenRule[] = [];
  /** Pending or resolved once the agent has the session. */
  #settled: Promise<void> | undefined;
  /** How often the agent has lost the context. */
  #lost = 0;
  /** The commands that wait until the agent has the session. */
  readonly #waiting = new Set<(remark: string) => void>();
  /** Messages without a subscriber. The next command gets them. */
  #remarks: string[] = [];

  private constructor(
    { start, record, store }: HostedSessionParts,
    history: HistoryWriter,
    setUpAt: number | undefined,
  ) {
    this.#start = start;
    this.#setUpAt = setUpAt;
    this.#record = record;
    this.#store = store;
    this.#history = history;
    const secrets = Object.values(start.env);
    const onProblem = (message: string): void => this.remark(message);
    this.#trace = start.trace === undefined ? undefined : traceWriter({ path: start.trace, secrets, onProblem });
    this.queue = new PromptQueue((job) => this.#run(job));
    this.#conversation = this.#open();
  }

  /** Opens the history and starts the agent; {@link ready} waits for it. */
  static async open(parts: HostedSessionParts): Promise<HostedSession> {
    const path = parts.store.historyOf(parts.record.id);
    const { unfinished, setUpAt } = await lookBack(path);
    const history = await HistoryWriter.open(path, ({ message }) =>
      session.remark(
        `the history of this session cannot be written (${message}); the turn continues, but is not stored`,
      ),
    );
    if (unfinished) history.append(unfinished);
    const session: HostedSession = new HostedSession(parts, history, setUpAt);
    return session;
  }

  get record(): SessionRecord {
    const { session } = this.#conversation;
    if (!session) return this.#record;
    const modeId = session.modes?.current;
    const model = modelOption(session)?.currentValue;
    return {
      ...this.#record,
      inUse: { ...(modeId !== undefined && { modeId }), ...(typeof model === 'string' && { model }) },
    };
  }

  get state(): string {
    return this.#conversation.state.name;
  }

  /** Resolves when the session is ready; restarts the agent if it is gone. Rejects with the reason if it cannot be. */
  async ready(): Promise<void> {
    const { state } = this.#conversation;
    const isBroken =
      state.name === 'dead' || state.name === 'reconnecting' || (state.name === 'cancelling' && state.isOverdue);
    if (isBroken && this.#settled) await this.#conversation.restart();
    else if (state.name === 'login-needed') throw new TurnwireError('cancelled', state.message);
    else await this.#conversation.opened;
    await (this.#settled ??= this.#settleIn());
  }

  /** Like {@link ready}, and reports messages in the meantime. */
  async readyFor(notify: (remark: string) => void): Promise<void> {
    for (const remark of this.takeRemarks()) notify(remark);
    this.#waiting.add(notify);
    try {
      await this.ready();
    } finally {
      this.#waiting.delete(notify);
    }
  }

  async setMode(modeId: string): Promise<void> {
    await this.ready();
    await this.#conversation.setMode(modeId);
    await this.#updateRecord({ modeId });
  }

  async setOption(id: string, value: string): Promise<void> {
    await this.ready();
    const fitting = fittingValue(this.#conversation.session, id, value);
    await this.#conversation.setConfigOption(id, fitting);
    await this.#updateRecord({ configOptions: { ...this.#record.configOptions, [id]: fitting } });
  }

  /** Reports to the command that waits, or to the next one. */
  remark(message: string): void {
    const subscriber = this.queue.listening?.subscriber;
    if (subscriber?.isConnected) subscriber.remark(message);
    else if (this.#waiting.size > 0) for (const notify of this.#waiting) notify(message);
    else this.#remarks.push(message);
  }

  takeRemarks(): readonly string[] {
    const remarks = this.#remarks;
    this.#remarks = [];
    return remarks;
  }

  /** Ends the running turn, then the agent. */
  async close(): Promise<void> {
    this.queue.close();
    await this.#conversation.close();
    await this.#updateRecord({});
    await this.#history.close();
    await this.#trace?.close();
  }

  async markClosed(): Promise<void> {
    await this.#updateRecord({ closedAt: new Date().toISOString() });
  }

  async #run(job: PromptJob): Promise<PromptOutcome> {
    const lostBefore = this.#lost;
    await this.ready();
    if (job.order.failsIfLost && this.#lost !== lostBefore) throw new Error(notGiven);
    const { model, draft } = job.order;
    if (model !== undefined) await this.#setModel(model);
    await this.#updateRecord({ lastPromptAt: new Date().toISOString() });
    if (job.isCancelled) return job.outcome('cancelled');
    try {
      const by = { cwd: this.#record.cwd, rules: this.#rules, differences: this.#start.differences };
      return await job.run(by, () => this.#prompt(draft));
    } finally {
      this.#rules = job.permissions?.rules.filter(({ source }) => source === 'session') ?? this.#rules;
      await this.#history.flush();
      await this.#updateRecord({});
    }
  }

  async #prompt(draft: Draft): Promise<StartedTurn> {
    await this.ready();
    await this.#ensureAskMode();
    const { cwd, settings } = this.#record;
    const place = { cwd, additionalDirectories: settings.additionalDirectories };
    const content = await contentOf(draft, this.#conversation.agent, place);
    const turn = this.#conversation.prompt(content);
    return { turn, drained: () => this.#history.drained, stored: () => this.#history.flush() };
  }

  /** Before every turn, since permissions may have changed since the last. A mode that the user chose stays. */
  async #ensureAskMode(): Promise<void> {
    const permissions = this.queue.running?.permissions;
    if (!permissions || this.#record.modeId !== undefined) return;
    await ensureAskMode(this.#conversation.session, {
      differences: this.#start.differences,
      permissions,
      setMode: (modeId) => this.#conversation.setMode(modeId),
      remark: (message) => this.remark(message),
    });
  }

  #open(): Conversation {
    const record = this.#record;
    const { settings } = record;
    const { answers, differences, inheritEnv, mcpServers, resumeSessionId } = this.#start;
    const host = headlessHost({
      files: !settings.withoutFiles,
      terminals: !settings.withoutTerminals,
      answers,
      inheritEnv,
      missingFile: differences?.missingFile,
      elicit: (request, signal) => this.queue.running?.subscriber.elicit(request, signal),
      remark: (message) => this.remark(message),
    });
    const sessionId = record.sessionId ?? resumeSessionId;
    // Which of them it can use is known once the agent runs.
    const servers: McpServer[] = [];
    return openConversation({
      start: async (signal) => {
        const { queue } = this;
        const agent = await openOwnedAgent({ start: this.#start, record, host, queue, trace: this.#trace, signal });
        refuseUnknownLogin(agent, { auth: settings.auth, authPolicy: this.#start.authPolicy });
        servers.splice(0, Infinity, ...usableServers(agent, mcpServers, (message) => this.remark(message)));
        return agent;
      },
      cwd: record.cwd,
      additionalDirectories: settings.additionalDirectories,
      mcpServers: servers,
      meta: metaOf(settings),
      ...(sessionId !== undefined && { sessionId }),
      ...conversationOptionsFor(differences),
      ...reconnectOptionsFor(this.#start.command),
      setUpAt: this.#setUpAt,
      ifLost: this.#start.failsIfLost || record.isImported || record.sessionId === undefined ? 'fail' : 'begin-anew',
      // The history is stored here: what the agent replays of it is known.
      ...(record.sessionId !== undefined && { transcript: emptyTranscript() }),
      keepsTranscript: false,
      ...(host.terminals && { terminals: host.terminals }),
      permissions: {
        observe: (id, update) => this.queue.running?.permissions?.observe(id, update),
        endTurn: (id) => this.queue.running?.permissions?.endTurn(id),
      },
      onEvent: (event) => this.#heard(event),
    });
  }

  /** Once the agent has the session: records its facts, and restores the mode and the options. */
  async #settleIn(): Promise<void> {
    const { session, agent } = this.#conversation;
    const canLoad = agent?.loadSession !== undefined || agent?.resumeSession !== undefined;
    const info = agent?.info;
    await this.#updateRecord({
      ...(session && { sessionId: session.id }),
      canLoad,
      ...(info && { agentInfo: { name: info.title ?? info.name, version: info.version } }),
    });
    if (this.#record.settings.model !== undefined) await this.#setModel(this.#record.settings.model);
    await this.#setAgain();
  }

  async #setAgain(): Promise<void> {
    const { modeId, configOptions = {} } = this.#record;
    const conversation = this.#conversation;
    const notTaken = (what: string) => (error: unknown) =>
      this.remark(`the agent did not restore ${what}: ${(error as Error).message}`);
    if (modeId !== undefined && conversation.session?.modes?.current !== modeId)
      await conversation.setMode(modeId).catch(notTaken(`the mode ${modeId}`));
    for (const [id, value] of Object.entries(configOptions))
      await conversation.setConfigOption(id, value).catch(notTaken(`${id}=${value}`));
  }

  async #setModel(model: string): Promise<void> {
    const { session } = this.#conversation;
    if (session) await setModel(session, model);
  }

  #heard(event: TranscriptEvent): void {
    this.#history.append(event);
    if (event.type === 'remark') this.remark(event.title);
    if (event.type === 'ran-unasked') this.remark(event.explanation);
    if (event.type !== 'boundary') return;
    if (event.reason === 'context-lost') {
      this.#lost++;
      this.remark(`context lost: ${event.message}`);
      const { session } = this.#conversation;
      const contextLostAt = new Date(event.at).toISOString();
      void this.#updateRecord({ contextLostAt, ...(session && { sessionId: session.id }) });
      // That a session host is new to a session does not matter; that its agent died under it does.
    } else if (event.reason === 'restarted' && this.#settled) this.remark(event.message);
  }

  /** Updates the record. A failed write is reported, and repeated with the next change. */
  async #updateRecord(change: Partial<SessionRecord>): Promise<void> {
    this.#record = { ...this.record, ...change, lastUsedAt: new Date().toISOString() };
    try {
      await this.#store.write(this.#record);
    } catch (error) {
      this.remark(`the record of this session cannot be written (${(error as Error).message}); the turn continues`);
    }
  }
}

const notGiven = 'the prompt was not sent to the agent because of --if-lost fail; the next one goes to the new session';

/** The part of a history that a new session host needs. */
async function lookBack(
  path: string,
): Promise<{ unfinished: TranscriptEvent | undefined; setUpAt: number | undefined }> {
  let openTurn: string | undefined;
  let setUpAt: number | undefined;
  for await (const event of readHistory(path)) {
    if (event.type === 'setup') setUpAt = event.at;
    if (event.type === 'prompt') openTurn = event.turnId;
    if (event.type === 'turn-ended' || event.type === 'turn-failed') openTurn = undefined;
  }
  return { unfinished: openTurn === undefined ? undefined : unfinishedTurn(openTurn), setUpAt };
}

/** The event that closes a turn whose session host ended in the middle of it. */
function unfinishedTurn(turnId: string): TranscriptEvent {
  const message = 'The host process of the session ended in the middle of this turn.';
  return { at: Date.now(), type: 'turn-failed', turnId, message };
}
