import type { AcpContext } from '../apps/context.ts';
import type * as v2 from '../generated/v2-types.ts';
import type { SendRequestOptions } from '../json-rpc/messages.ts';
import { RequestPermissionSubject, StateUpdate } from '../guards/v2-guards.ts';
import type { UpdateNotification } from '../connection/session-updates.ts';
import { UpdateQueue } from './update-queue.ts';

/** The definitions that sessions of version 2 need, of an entry of the package. */
export interface V2SessionTypes {
  readonly BackgroundWork: object;
  readonly CancelTerminalResponse: object;
  readonly CancelToolCallResponse: object;
  readonly ContentBlock: { readonly type: string };
  readonly NewSessionResponse: {
    sessionId: string;
    configOptions?: unknown[];
    _meta?: { [key: string]: unknown } | null;
  };
  readonly PromptResponse: object;
  readonly RequestPermissionRequest: { subject?: unknown };
  readonly SessionConfigOption: object;
  readonly SetSessionConfigOptionRequest: object;
  readonly SetSessionConfigOptionResponse: { configOptions: unknown[] };
  readonly UpdateSessionNotification: { update: object };
  readonly IdleStateUpdate: { stopReason?: unknown };
}

interface UpdateMessage<D extends V2SessionTypes> {
  /** The whole notification. */
  notification: D['UpdateSessionNotification'];
  /** Its update. */
  update: D['UpdateSessionNotification']['update'];
}

/** An update of a session. One that says the session is idle has the kind `stop`. */
export type V2SessionMessageOf<D extends V2SessionTypes> =
  | (UpdateMessage<D> & { kind: 'session_update' })
  | (UpdateMessage<D> & { kind: 'stop'; stopReason: D['IdleStateUpdate']['stopReason'] });

/** The fields of updates that a session reads. */
interface Update {
  readonly sessionUpdate?: string;
  readonly configOptions?: unknown[];
  readonly state?: string;
  readonly stopReason?: unknown;
  readonly background?: unknown;
  readonly toolCallId?: string;
  readonly terminalId?: string;
  readonly capabilities?: { readonly cancel?: unknown } | null;
  readonly messageId?: string;
  readonly content?: unknown;
}

/** A session of version 2 whose updates are read one by one. */
export class V2ActiveSessionOf<D extends V2SessionTypes> {
  readonly #context: AcpContext;
  readonly #response: D['NewSessionResponse'];
  readonly #updates = new UpdateQueue<V2SessionMessageOf<D>>();
  readonly #detach: () => void;
  #configOptions: unknown[] | undefined;
  #background: unknown[] | undefined;
  readonly #cancellable = { toolCalls: new Set<string>(), terminals: new Set<string>() };

  constructor(context: AcpContext, response: D['NewSessionResponse']) {
    this.#context = context;
    this.#response = response;
    this.#configOptions = response.configOptions ?? undefined;
    this.#detach = context.connection.updates.attach(response.sessionId, {
      add: (notification) => this.#receive(notification),
      fail: (error) => this.#updates.fail(error),
    });
  }

  /** The id of the session. */
  get sessionId(): string {
    return this.#response.sessionId;
  }

  /** Extra data of the answer to `session/new`. */
  get meta(): { [key: string]: unknown } | null | undefined {
    return this.#response._meta;
  }

  /** The whole answer to `session/new`. */
  get newSessionResponse(): D['NewSessionResponse'] {
    return this.#response;
  }

  /** The configuration options, as they are now. */
  get configOptions(): Array<D['SessionConfigOption']> | undefined {
    return this.#configOptions as Array<D['SessionConfigOption']> | undefined;
  }

  /** The work in the background, as the last state named it; undefined if that named none. */
  get background(): ReadonlyArray<D['BackgroundWork']> | undefined {
    return this.#background as ReadonlyArray<D['BackgroundWork']> | undefined;
  }

  /** Whether a permission is about work in the background, which `session/cancel` does not stop. */
  isForBackgroundWork(request: D['RequestPermissionRequest']): boolean {
    const subject = request.subject as v2.RequestPermissionSubject | undefined;
    if (!this.#background || !subject) return false;
    const { toolCall, toolCallId, terminalId } = subject as {
      toolCall?: { toolCallId: string };
      toolCallId?: string | null;
      terminalId?: string | null;
    };
    const isCommand = RequestPermissionSubject.isCommand(subject);
    const call = RequestPermissionSubject.isToolCall(subject)
      ? toolCall?.toolCallId
      : isCommand
        ? toolCallId
        : undefined;
    const terminal = isCommand ? terminalId : undefined;
    return (this.#background as { toolCallId?: string; terminalId?: string }[]).some(
      ({ toolCallId: working, terminalId: running }) => isSame(working, call) || isSame(running, terminal),
    );
  }

  /** Whether the agent offers to cancel a tool call. */
  canCancelToolCall(toolCallId: string): boolean {
    return this.#cancellable.toolCalls.has(toolCallId);
  }

  /** Whether the agent offers to stop the command of a terminal. */
  canCancelTerminal(terminalId: string): boolean {
    return this.#cancellable.terminals.has(terminalId);
  }

  /** Cancels a tool call. Rejects without sending anything if the agent does not offer it. */
  cancelToolCall(toolCallId: string, options?: SendRequestOptions): Promise<D['CancelToolCallResponse']> {
    if (!this.canCancelToolCall(toolCallId)) return notOffered('Tool call', toolCallId);
    return this.#request('tool_call/cancel', { toolCallId }, options);
  }

  /** Stops the command of a terminal. Rejects without sending anything if the agent does not offer it. */
  cancelTerminal(terminalId: string, options?: SendRequestOptions): Promise<D['CancelTerminalResponse']> {
    if (!this.canCancelTerminal(terminalId)) return notOffered('Terminal', terminalId);
    return this.#request('terminal/cancel', { terminalId }, options);
  }

  /** Sends a prompt. The promise resolves when the agent has accepted it; updates say when the work ends. */
  prompt(
    prompt: string | D['ContentBlock'] | Array<D['ContentBlock']>,
    options?: SendRequestOptions,
  ): Promise<D['PromptResponse']> {
    const content = typeof prompt === 'string' ? [{ type: 'text', text: prompt }] : prompt;
    const blocks = Array.isArray(content) ? content : [content];
    if (blocks.length === 0) return Promise.reject(new TypeError('A prompt must contain at least one content block'));
    return this.#request('session/prompt', { prompt: blocks }, options);
  }

  /** Changes a configuration option. */
  async setConfigOption(
    request: WithoutSession<D['SetSessionConfigOptionRequest']>,
    options?: SendRequestOptions,
  ): Promise<D['SetSessionConfigOptionResponse']> {
    type Response = D['SetSessionConfigOptionResponse'];
    const response = await this.#request<Response>('session/set_config_option', request, options);
    this.#configOptions = response.configOptions;
    return response;
  }

  /** The next update. */
  nextUpdate(signal?: AbortSignal): Promise<V2SessionMessageOf<D>> {
    return this.#updates.next(signal);
  }

  /** The text of the agent until the session is idle. */
  async readTextUntilIdle(signal?: AbortSignal): Promise<string> {
    const messages = new Map<string, unknown[]>();
    for (let next = await this.nextUpdate(signal); next.kind !== 'stop'; next = await this.nextUpdate(signal)) {
      const { sessionUpdate, messageId = '', content } = next.update as Update;
      if (sessionUpdate !== 'agent_message' && sessionUpdate !== 'agent_message_chunk') continue;
      const earlier = messages.get(messageId) ?? [];
      const replaced = content === undefined ? earlier : ((content ?? []) as unknown[]);
      messages.set(messageId, sessionUpdate === 'agent_message' ? replaced : [...earlier, content]);
    }
    const blocks = [...messages.values()].flat() as { readonly type?: string; readonly text?: string }[];
    return blocks.map(({ type, text }) => (type === 'text' ? text : '')).join('');
  }

  /** Reads no more updates. The session itself stays open at the agent. */
  dispose(): void {
    this.#detach();
    this.#updates.fail(new Error('Active session disposed'));
  }

  /** The same as `dispose`. */
  [Symbol.dispose](): void {
    this.dispose();
  }

  #receive(notification: UpdateNotification): void {
    const update = notification.update as Update;
    const { sessionUpdate, state, stopReason } = update;
    if (sessionUpdate === 'config_option_update') this.#configOptions = update.configOptions;
    if (sessionUpdate === 'state_update') {
      const isKnown = !StateUpdate.isCustom(update as never);
      this.#background = isKnown && Array.isArray(update.background) ? update.background : undefined;
    }
    if (sessionUpdate === 'tool_call_update') note(this.#cancellable.toolCalls, update.toolCallId, update.capabilities);
    if (sessionUpdate === 'terminal_update') note(this.#cancellable.terminals, update.terminalId, update.capabilities);
    const message = { notification, update };
    const isIdle = sessionUpdate === 'state_update' && state === 'idle';
    this.#updates.add(isIdle ? { kind: 'stop', ...message, stopReason } : { kind: 'session_update', ...message });
  }

  #request<Response>(method: string, params: object, options?: SendRequestOptions): Promise<Response> {
    const answer = this.#context.connection.request(method, { ...params, sessionId: this.sessionId }, options);
    return answer as Promise<Response>;
  }
}

/** A request whose session is known. */
export type WithoutSession<Request> = Request extends unknown
  ? { [Key in keyof Request as Key extends 'sessionId' ? never : Key]: Request[Key] }
  : never;

function isSame(id: string | undefined, other: string | null | undefined): boolean {
  return id !== undefined && id === other;
}

/** A patch: absent capabilities stay as they were. */
function note(cancellable: Set<string>, id: string | undefined, capabilities: Update['capabilities']): void {
  if (id === undefined || capabilities === undefined) return;
  if (capabilities?.cancel) cancellable.add(id);
  else cancellable.delete(id);
}

function notOffered(what: string, id: string): Promise<never> {
  return Promise.reject(new TypeError(`${what} ${JSON.stringify(id)} does not advertise cancel`));
}
