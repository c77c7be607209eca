import {
  errorCodes,
  type AuthenticateRequest,
  type CloseSessionRequest,
  type DeleteSessionRequest,
  type ListSessionsRequest,
  type LoadSessionRequest,
  type NewSessionRequest,
  type NewSessionResponse,
  type Peer,
  type PromptRequest,
  type PromptResponse,
  ProtocolError,
  type RequestOptions,
  type SetSessionConfigOptionRequest,
  type SetSessionConfigOptionResponse,
  TurnwireError,
} from '@turnwire/protocol';
import type {
  CancelTerminalRequest,
  CancelToolCallRequest,
  IdleStateUpdate,
  NewSessionResponse as V2Setup,
  V2,
} from '@turnwire/protocol/v2';
import {
  changedMode,
  commandsInVersion1,
  mcpServersInVersion2,
  modesInVersion1,
  optionsInVersion1,
  type ReportedSession,
} from '@turnwire/protocol/translation';
import { unlessAborted } from '@turnwire/machine/waits';
import type { CallOptions } from '../session/connection.ts';
import { type Deliver, OpenSession } from './open-session.ts';

/** The calls of version 1, made to an agent of version 2. */
export class ProjectedCalls {
  readonly #peer: Peer<'client', V2>;
  readonly #sessions: Map<string, OpenSession>;
  readonly #deliver: Deliver;

  constructor(peer: Peer<'client', V2>, sessions: Map<string, OpenSession>, deliver: Deliver) {
    this.#peer = peer;
    this.#sessions = sessions;
    this.#deliver = deliver;
  }

  async 'session/new'(params: NewSessionRequest, options?: RequestOptions): Promise<NewSessionResponse> {
    const setup = await this.#peer.request('session/new', setupOf(params), options);
    const session = new OpenSession(this.#deliver);
    this.#sessions.set(setup.sessionId, session);
    // The caller registers the session when it has this answer. Updates that came before the answer are newer than it.
    setTimeout(() => this.#deliverCommands(setup.sessionId, session, setup), 0);
    return projectedSetup(session.reported, setup);
  }

  'session/load'(params: LoadSessionRequest, options?: CallOptions): Promise<NewSessionResponse> {
    return this.#resume(params, { ...options, replayFrom: { type: 'start' } });
  }

  'session/resume'(params: LoadSessionRequest, options?: CallOptions): Promise<NewSessionResponse> {
    return this.#resume(params, options ?? {});
  }

  /** Ends as a turn of version 1 does: with the first `idle` after the echo of its message. The agent may hold it for any time before. */
  async 'session/prompt'(params: PromptRequest, { signal }: RequestOptions = {}): Promise<PromptResponse> {
    const { ends } = this.#sessions.get(params.sessionId) ?? new OpenSession(this.#deliver);
    ends.begin();
    try {
      const prompt = { ...params, idempotencyKey: randomKey() };
      const { messageId } = await this.#peer.request('session/prompt', prompt as never, { signal });
      return outcome(await unlessAborted(ends.after(messageId), signal ?? new AbortController().signal));
    } catch (error) {
      // The agent withdrew the prompt before it became part of the conversation.
      if (hasCode(error, errorCodes.requestCancelled)) return { stopReason: 'cancelled' };
      throw error;
    } finally {
      ends.finish();
    }
  }

  async 'session/set_config_option'(
    { sessionId, configId, ...choice }: SetSessionConfigOptionRequest,
    options?: RequestOptions,
  ): Promise<SetSessionConfigOptionResponse> {
    const type = 'type' in choice ? choice.type : 'id';
    const params = { sessionId, configId, type, value: choice.value };
    const answer = await this.#peer.request('session/set_config_option', params as never, options);
    const configOptions = optionsInVersion1(answer.configOptions);
    const reported = this.#sessions.get(sessionId)?.reported;
    for (const update of reported ? changedMode(reported, configOptions) : [])
      void this.#deliver({ sessionId, update, said: null });
    return { configOptions };
  }

  'session/list'(params: ListSessionsRequest, options?: RequestOptions): Promise<unknown> {
    return this.#peer.request('session/list', params, options);
  }

  async 'session/close'(params: CloseSessionRequest, options?: RequestOptions): Promise<object> {
    const answer = await this.#peer.request('session/close', params, options).catch(withoutSession);
    const closed = this.#sessions.get(params.sessionId);
    for (const [id, session] of this.#sessions) if (isWithin(session, closed)) this.#sessions.delete(id);
    return answer;
  }

  'tool_call/cancel'(params: CancelToolCallRequest, options?: RequestOptions): Promise<object> {
    const { sessionId, toolCallId } = params;
    if (this.#sessions.get(sessionId)?.reported.calls.get(toolCallId)?.canCancel !== true)
      throw notCancellable(`tool call ${toolCallId}`);
    return this.#peer.request('tool_call/cancel', params, options);
  }

  'terminal/cancel'(params: CancelTerminalRequest, options?: RequestOptions): Promise<object> {
    const { sessionId, terminalId } = params;
    if (this.#sessions.get(sessionId)?.reported.terminals.get(terminalId)?.canCancel !== true)
      throw notCancellable(`terminal ${terminalId}`);
    return this.#peer.request('terminal/cancel', params, options);
  }

  'session/delete'(params: DeleteSessionRequest, options?: RequestOptions): Promise<object> {
    return this.#peer.request('session/delete', params, options).catch(withoutSession);
  }

  authenticate(params: AuthenticateRequest, options?: RequestOptions): Promise<object> {
    return this.#peer.request('auth/login', params, options);
  }

  logout(_: unknown, options?: RequestOptions): Promise<object> {
    return this.#peer.request('auth/logout', {}, options);
  }

  /** The session is open before the agent answers, since its updates come first. */
  async #resume(
    params: LoadSessionRequest,
    { onAnswer, replayFrom, ...options }: CallOptions & { readonly replayFrom?: { readonly type: 'start' } },
  ): Promise<NewSessionResponse> {
    const { sessionId } = params;
    const before = this.#sessions.get(sessionId);
    const session = new OpenSession(this.#deliver);
    session.onReplayed = onAnswer;
    this.#sessions.set(sessionId, session);
    try {
      const request = { sessionId, ...setupOf(params), ...(replayFrom && { replayFrom }) };
      const setup = { ...(await this.#peer.request('session/resume', request, options)), sessionId };
      this.#deliverCommands(sessionId, session, setup);
      return projectedSetup(session.reported, setup);
    } catch (error) {
      if (before) this.#sessions.set(sessionId, before);
      else this.#sessions.delete(sessionId);
      throw error;
    }
  }

  #deliverCommands(sessionId: string, { reported }: OpenSession, { availableCommands }: V2Setup): void {
    if (!availableCommands || reported.hasCommands) return;
    const update = {
      sessionUpdate: 'available_commands_update',
      availableCommands: commandsInVersion1(availableCommands),
    } as const;
    const said = { sessionUpdate: 'available_commands_update', availableCommands } as const;
    void this.#deliver({ sessionId, update, said });
  }
}

function setupOf({ cwd, additionalDirectories, mcpServers, _meta }: NewSessionRequest) {
  return {
    cwd,
    ...(additionalDirectories && { additionalDirectories }),
    ...(mcpServers.length > 0 && { mcpServers: mcpServersInVersion2(mcpServers) }),
    ...(_meta && { _meta }),
  };
}

function projectedSetup(session: ReportedSession, { sessionId, configOptions, _meta }: V2Setup): NewSessionResponse {
  const options = configOptions && optionsInVersion1(configOptions);
  const modes = options && modesInVersion1(options);
  if (modes) session.modeId = modes.currentModeId;
  return {
    sessionId,
    ...(modes && { modes }),
    ...(options && { configOptions: options }),
    ...(_meta && { _meta }),
  };
}

/** The result of a turn. The state after a turn that failed has the error. */
function outcome(idle: IdleStateUpdate): PromptResponse {
  const { stopReason, error, usage, _meta } = idle as {
    readonly stopReason?: string | null;
    readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown } | null;
    readonly usage?: object | null;
    readonly _meta?: PromptResponse['_meta'];
  };
  if (stopReason === 'error') {
    const { code, message, data } = error ?? {
      code: errorCodes.internalError,
      message: 'The turn failed, and the agent gave no reason',
    };
    throw new ProtocolError(code, message, data);
  }
  const known = ['end_turn', 'max_tokens', 'max_turn_requests', 'refusal', 'cancelled'];
  const reason = known.includes(stopReason ?? '') ? stopReason : 'end_turn';
  return { stopReason: reason, ...(usage && { usage }), ...(_meta && { _meta }) } as PromptResponse;
}

/** Whether a session is another one, or was started by it. */
function isWithin(session: OpenSession | undefined, other: OpenSession | undefined): boolean {
  return session !== undefined && (session === other || isWithin(session.parent, other));
}

function notCancellable(what: string): TurnwireError {
  return new TurnwireError('not-advertised', `The agent cannot cancel the ${what} separately`);
}

/** A session that the agent does not know is closed, and deleted. */
function withoutSession(error: unknown): object {
  if (hasCode(error, errorCodes.resourceNotFound)) return {};
  throw error;
}

function hasCode(error: unknown, code: number): boolean {
  return error instanceof ProtocolError && error.code === code;
}

/** `crypto.randomUUID` is missing in pages that were loaded without TLS. */
function randomKey(): string {
  return Array.from(crypto.getRandomValues(new Uint32Array(4)), (word) => word.toString(36)).join('-');
}
