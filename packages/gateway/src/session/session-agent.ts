import { type Agent, errorText, type Turn } from '@turnwire/client';
import { type Conversation, openConversation } from '@turnwire/client/conversation';
import { conversationOptionsFor } from '@turnwire/client/known-agents';
import { emptyTranscript, type TranscriptEvent } from '@turnwire/client/transcript';
import type { ContentBlock } from '@turnwire/protocol';
import type { HostedAgent } from '../hosted-agent.ts';
import { type AgentForSession, withSessionId } from './agent-access.ts';
import { askingModeId, neverAsksWarning } from './agent-asking.ts';
import type { RulesInForce } from './rules-in-force.ts';
import type { StoredRecord } from './stored-record.ts';

/** What the agent of a session is started with. */
export interface SessionAgentParts {
  readonly hosted: HostedAgent;
  /** What its processes are started with, and one that runs already. */
  readonly first: AgentForSession;
  readonly record: StoredRecord;
  readonly rules: RulesInForce;
  /** A turn begins: waited for before its prompt is sent. If it rejects, the turn fails. */
  readonly beforeTurn: (turnId: string) => Promise<void>;
  readonly onEvent: (event: TranscriptEvent) => void;
  /** Called with a sentence about a setting that the agent did not take. */
  readonly warn: (title: string) => void;
}

/** The agent of a session, which runs or does not: it is started when it is needed, and gets the session back as the record has it. */
export class SessionAgent {
  readonly #parts: SessionAgentParts;
  /** One that runs and has no session yet. */
  #ready: Agent | undefined;
  #conversation: Conversation | undefined;
  #hasWarned = false;

  constructor(parts: SessionAgentParts) {
    this.#parts = parts;
    this.#ready = parts.first.agent;
  }

  get isAwake(): boolean {
    return this.#conversation !== undefined;
  }

  /** The id that the agent gave the session. */
  get sessionId(): string | undefined {
    return this.#conversation?.session?.id;
  }

  /** Starts the agent and opens the session with it, unless that was done. Rejects with the reason if it cannot be. */
  async wake(): Promise<void> {
    await this.#awake.opened;
    await this.ensureAsking();
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
    const conversation = this.#awake;
    if (conversation.session?.modes?.current === modeId) return;
    await conversation
      .setMode(modeId)
      .catch((error: unknown) => warn(`The agent could not be made to ask: ${errorText(error)}`));
  }

  /** Starts a turn, or queues it behind those before it. */
  prompt(content: readonly ContentBlock[], turnId: string): Turn {
    return this.#awake.prompt(content, { id: turnId });
  }

  /** Removes a prompt that waits. False if it was sent already. */
  withdraw(turnId: string): boolean {
    return this.#conversation?.withdraw(turnId) ?? false;
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

  /** Sends a method that the gateway does not know, as it is. */
  async call(method: string, params: unknown, isRequest: boolean): Promise<unknown> {
    await this.wake();
    const raw = this.#conversation?.agent?.peer.raw;
    const sent = withSessionId(params, this.sessionId);
    return isRequest ? raw?.request(method, sent) : raw?.notify(method, sent);
  }

  /** Ends the agent. The next prompt starts it again. */
  async end(): Promise<void> {
    const conversation = this.#conversation;
    this.#conversation = undefined;
    await conversation?.close();
  }

  get #awake(): Conversation {
    return (this.#conversation ??= this.#open());
  }

  #open(): Conversation {
    const { hosted, first, record, rules, beforeTurn, onEvent } = this.#parts;
    const { cwd, additionalDirectories } = record.current;
    const { agentSessionId, mcpServers, meta, modeId, options = {}, setUpAt } = record.facts;
    const conversation = openConversation({
      start: (signal) => this.#start(signal),
      cwd,
      additionalDirectories,
      mcpServers,
      meta,
      modeId,
      ...conversationOptionsFor(hosted.differences),
      reconnect: hosted.reconnect,
      setUpAt,
      // What the agent replays is in the log already.
      ...(agentSessionId !== undefined && { sessionId: agentSessionId, transcript: emptyTranscript() }),
      ifLost: 'begin-anew',
      keepsTranscript: false,
      ...(first.access.host.terminals && { terminals: first.access.host.terminals }),
      permissions: rules,
      beforeTurn,
      onEvent,
    });
    for (const [id, value] of Object.entries(options))
      conversation.setConfigOption(id, value).catch((error: unknown) => this.#notSetAgain(id, error));
    return conversation;
  }

  async #start(signal: AbortSignal): Promise<Agent> {
    const ready = this.#ready;
    this.#ready = undefined;
    if (ready) return ready;
    const { hosted, first, record } = this.#parts;
    return hosted.start({ ...first.access.options, signal }, { cwd: record.current.cwd });
  }

  #notSetAgain(id: string, error: unknown): void {
    if (this.#conversation?.state.name !== 'ready') return;
    this.#parts.warn(`The agent did not take the option ${id} again: ${(error as Error).message}`);
  }
}
