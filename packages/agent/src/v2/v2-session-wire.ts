import {
  type ClientCapabilities,
  type ContentBlock,
  type Peer,
  type PromptResponse,
  type RequestPermissionOutcome,
  type RequestPermissionRequest,
  type SessionUpdate as V1Update,
  TurnwireError,
} from '@turnwire/protocol';
import {
  Foreground,
  foregroundError,
  historyInVersion2,
  MessageIds,
  permissionOutcomeInVersion1,
  permissionRequestInVersion2,
  type StateUpdate,
  terminalUpdates,
  updateInVersion2,
} from '@turnwire/protocol/translation';
import type { SessionUpdate, ToolCallUpdate, V2 } from '@turnwire/protocol/v2';
import type { CancellableCommand, QuestionWire, Replayed, SessionWire } from '../wire/client-wire.ts';
import { RunningCommands } from './running-commands.ts';

/** The connection of a session, and the questions that belong to no session. */
export interface V2SessionParts {
  readonly peer: Peer<'agent', V2>;
  readonly sessionId: string;
  readonly questions: QuestionWire;
  /** Receives each new state of the session. */
  readonly changed?: ((state: StateUpdate) => void) | undefined;
}

/** A session of version 2. Updates of the session, not the answer to a prompt, report the beginning and end of its work. */
export class V2SessionWire implements SessionWire {
  readonly #peer: Peer<'agent', V2>;
  readonly #sessionId: string;
  readonly #questions: QuestionWire;
  readonly #foreground: Foreground;
  readonly #isChild: boolean;
  readonly #commands = new RunningCommands();
  readonly #messages = new MessageIds();
  #cancelled: AbortSignal | undefined;
  #isClosed = false;

  constructor({ peer, sessionId, questions, changed }: V2SessionParts) {
    this.#peer = peer;
    this.#sessionId = sessionId;
    this.#questions = questions;
    this.#isChild = changed !== undefined;
    this.#foreground = new Foreground((state) => {
      void this.#send(state).catch(() => undefined);
      changed?.(state);
    });
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

  async replay({ updates, children }: Replayed, signal: AbortSignal): Promise<void> {
    for (const update of historyInVersion2(updates)) {
      signal.throwIfAborted();
      await this.#send(update);
    }
    for (const child of children) {
      const wire = new V2SessionWire({ peer: this.#peer, sessionId: child.sessionId, questions: this.#questions });
      await wire.replay({ updates: child.updates, children: [] }, signal);
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
    this.#foreground.end({ stopReason: 'error', error: foregroundError(error) });
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

  commandStarts(toolCallId: string): CancellableCommand | undefined {
    // The session itself can be cancelled, but no part of it.
    if (this.#isChild) return undefined;
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

  childContinues(sessionId: string): () => void {
    const work = { type: 'subagent', sessionId } as const;
    this.#foreground.backgroundBegins(work);
    return () => this.#foreground.backgroundEnds(work);
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
