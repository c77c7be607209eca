import {
  type ClientCapabilities,
  type ContentBlock,
  errorCodes,
  type Peer,
  type PromptResponse,
  ProtocolError,
  type RequestPermissionOutcome,
  type RequestPermissionRequest,
  type SessionUpdate as V1Update,
  TurnwireError,
} from '@turnwire/protocol';
import {
  Foreground,
  historyInVersion2,
  MessageIds,
  permissionOutcomeInVersion1,
  permissionRequestInVersion2,
  terminalUpdates,
  updateInVersion2,
} from '@turnwire/protocol/translation';
import type { SessionUpdate, ToolCallUpdate, V2 } from '@turnwire/protocol/v2';
import type { CancellableCommand, QuestionWire, SessionWire } from '../wire/client-wire.ts';
import { RunningCommands } from './running-commands.ts';

/** The connection of a session, and the questions that belong to no session. */
export interface V2SessionParts {
  readonly peer: Peer<'agent', V2>;
  readonly sessionId: string;
  readonly questions: QuestionWire;
}

/** A session of version 2. Updates of the session, not the answer to a prompt, report the beginning and end of its work. */
export class V2SessionWire implements SessionWire {
  readonly #peer: Peer<'agent', V2>;
  readonly #sessionId: string;
  readonly #questions: QuestionWire;
  readonly #foreground = new Foreground((update) => void this.#send(update).catch(() => undefined));
  readonly #commands = new RunningCommands();
  readonly #messages = new MessageIds();
  #cancelled: AbortSignal | undefined;
  #isClosed = false;

  constructor({ peer, sessionId, questions }: V2SessionParts) {
    this.#peer = peer;
    this.#sessionId = sessionId;
    this.#questions = questions;
  }

  get capabilities(): ClientCapabilities {
    return this.#questions.capabilities;
  }

  async update(update: V1Update): Promise<void> {
    const converted = updateInVersion2(this.#messages.identified(update));
    if (converted === undefined) return;
    if (converted.sessionUpdate !== 'tool_call_update') return this.#send(converted);
    await Promise.all(this.#toolCallUpdates(converted));
  }

  async replay(updates: readonly V1Update[], signal: AbortSignal): Promise<void> {
    for (const update of historyInVersion2(updates)) {
      signal.throwIfAborted();
      await this.#send(update);
    }
    await this.#send({ sessionUpdate: 'replay_complete' });
  }

  resumed(): void {
    this.#foreground.report();
  }

  inserted(messageId: string, content: readonly ContentBlock[]): void {
    void this.#send({ sessionUpdate: 'user_message', messageId, content }).catch(() => undefined);
  }

  turnBegins(cancelled: AbortSignal): void {
    this.#cancelled = cancelled;
    this.#foreground.begin();
  }

  turnEnds({ stopReason, _meta }: PromptResponse): void {
    this.#foreground.end({ stopReason, ...(_meta && { _meta }) });
  }

  turnFails(error: unknown): void {
    const { code, message, data } =
      error instanceof ProtocolError ? error : new ProtocolError(errorCodes.internalError, String(error));
    this.#foreground.end({ stopReason: 'error', error: { code, message, ...(data !== undefined && { data }) } });
  }

  async askPermission(
    request: RequestPermissionRequest,
    asking: { readonly signal: AbortSignal },
  ): Promise<RequestPermissionOutcome> {
    const { outcome } = await this.#foreground.asking(request.toolCall.toolCallId, () =>
      this.#peer.request('session/request_permission', permissionRequestInVersion2(request), asking),
    );
    return permissionOutcomeInVersion1(outcome);
  }

  elicit: SessionWire['elicit'] = (request, asking) => {
    const { toolCallId } = request as { readonly toolCallId?: string | null };
    return this.#foreground.asking(toolCallId ?? undefined, () => this.#questions.elicit(request, asking));
  };

  elicited: SessionWire['elicited'] = (elicitationId) => this.#questions.elicited(elicitationId);

  commandStarts(toolCallId: string): CancellableCommand {
    const command = this.#commands.start(toolCallId);
    this.#offerCancel(toolCallId, { cancel: {} });
    return {
      stopped: command.signal,
      ended: () => {
        if (this.#commands.end(toolCallId, command)) this.#offerCancel(toolCallId, null);
      },
    };
  }

  cancelToolCall(toolCallId: string): void {
    this.#commands.cancelToolCall(toolCallId);
  }

  cancelTerminal(terminalId: string): void {
    this.#commands.cancelTerminal(terminalId);
  }

  close(): void {
    this.#isClosed = true;
  }

  #offerCancel(toolCallId: string, capabilities: ToolCallUpdate['capabilities']): void {
    void this.#send({ sessionUpdate: 'tool_call_update', toolCallId, capabilities }).catch(() => undefined);
  }

  /** The change of a call, and of its terminal. A call that was cancelled has not failed. */
  #toolCallUpdates(update: { readonly sessionUpdate: 'tool_call_update' } & ToolCallUpdate): readonly Promise<void>[] {
    const { toolCallId, status } = update;
    const { terminals, call } = terminalUpdates(update, this.#commands);
    const sent = terminals.map((terminal) => this.#send(terminal));
    if (typeof status === 'string') this.#foreground.toolCallIs(toolCallId, status);
    const isFinal = status === 'failed' || status === 'completed';
    const isCancelled =
      isFinal &&
      (this.#commands.wasCancelled(toolCallId) || (status === 'failed' && this.#cancelled?.aborted === true));
    const wasRunning = isFinal && this.#commands.end(toolCallId);
    const changes = { ...(isCancelled && { status: 'cancelled' }), ...(wasRunning && { capabilities: null }) };
    if (call) sent.push(this.#send({ ...call, ...changes }));
    return sent;
  }

  #send(update: SessionUpdate): Promise<void> {
    if (this.#isClosed) return Promise.resolve();
    return this.#peer.notify('session/update', { sessionId: this.#sessionId, update }).catch((error: unknown) => {
      if (error instanceof TurnwireError && error.code === 'invalid-message')
        throw new TurnwireError(
          'invalid-message',
          `Version 2 of the protocol cannot express this update of the session: ${error.message}`,
        );
      throw error;
    });
  }
}
