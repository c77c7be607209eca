import { isDeepStrictEqual } from 'node:util';
import type { SessionUpdate, ToolCall, ToolCallContent, ToolCallUpdate } from '@turnwire/protocol';

/** What a tool call shows: a text, or content as the protocol has it. */
export type ToolContent = string | readonly ToolCallContent[];

/** What may change while a call continues. */
export type ToolChanges = Pick<ToolCallUpdate, 'title' | 'kind' | 'locations' | 'rawInput' | 'rawOutput' | '_meta'> & {
  readonly content?: ToolContent;
};

/**
 * A tool call as the client follows it: pending, in progress, then completed or failed. Only what changed is sent.
 * Once it is completed or failed, whatever is reported does nothing.
 */
export interface ToolReport {
  /** The call as the client knows it. */
  readonly state: ToolCall;
  /** It runs now. */
  start(changes?: ToolChanges): Promise<void>;
  /** Shows how far it is; content replaces what the call showed before. */
  progress(changes: ToolContent | ToolChanges): Promise<void>;
  /** It is done. Without content, what the call showed stays. */
  complete(content?: ToolContent, rawOutput?: unknown): Promise<void>;
  /** It could not be done, or was not allowed to be. */
  fail(message: ToolContent, rawOutput?: unknown): Promise<void>;
}

/** What a report needs of its turn. */
export interface ToolReportPublisher {
  /** @param stored what to store in its place */
  send(update: SessionUpdate, stored?: SessionUpdate | null): Promise<void>;
  /** The call is completed or failed. */
  settled(): void;
}

/** A tool call that reports what happens to it. */
export class OpenToolCall implements ToolReport {
  readonly #publisher: ToolReportPublisher;
  #state: ToolCall;

  constructor(state: ToolCall, publisher: ToolReportPublisher) {
    this.#state = state;
    this.#publisher = publisher;
  }

  get state(): ToolCall {
    return this.#state;
  }

  start(changes: ToolChanges = {}): Promise<void> {
    return this.#change({ ...changes, status: 'in_progress' });
  }

  progress(changes: ToolContent | ToolChanges): Promise<void> {
    return this.#change(isContent(changes) ? { content: changes } : changes);
  }

  complete(content?: ToolContent, rawOutput?: unknown): Promise<void> {
    return this.#settle({ status: 'completed', content, rawOutput });
  }

  fail(message: ToolContent, rawOutput?: unknown): Promise<void> {
    return this.#settle({ status: 'failed', content: message, rawOutput });
  }

  /** Tells something in `_meta`, and new content with it. What is in `_meta` is not stored. */
  annotate(_meta: { readonly [key: string]: unknown }, content?: readonly ToolCallContent[]): Promise<void> {
    if (this.#isSettled) return Promise.resolve();
    if (content) this.#state = { ...this.#state, content };
    const change = {
      sessionUpdate: 'tool_call_update',
      toolCallId: this.#state.toolCallId,
      ...(content && { content }),
    } as const;
    return this.#publisher.send({ ...change, _meta }, content ? change : null);
  }

  get #isSettled(): boolean {
    return this.#state.status === 'completed' || this.#state.status === 'failed';
  }

  #settle(changes: Changes): Promise<void> {
    const sent = this.#change(changes);
    this.#publisher.settled();
    return sent;
  }

  #change({ content, ...rest }: Changes): Promise<void> {
    if (this.#isSettled) return Promise.resolve();
    const wanted = { ...rest, ...(content !== undefined && { content: asContent(content) }) };
    const changed = Object.fromEntries(
      Object.entries(wanted).filter(
        ([field, value]) => value !== undefined && !isDeepStrictEqual(value, this.#state[field as keyof ToolCall]),
      ),
    );
    if (Object.keys(changed).length === 0) return Promise.resolve();
    this.#state = { ...this.#state, ...changed };
    return this.#publisher.send({ sessionUpdate: 'tool_call_update', toolCallId: this.#state.toolCallId, ...changed });
  }
}

type Changes = Omit<ToolChanges, 'content'> & {
  readonly content?: ToolContent | undefined;
  readonly status?: ToolCall['status'];
};

function isContent(changes: ToolContent | ToolChanges): changes is ToolContent {
  return typeof changes === 'string' || Array.isArray(changes);
}

/** Content as the protocol has it. */
export function asContent(content: ToolContent): readonly ToolCallContent[] {
  return typeof content === 'string' ? [{ type: 'content', content: { type: 'text', text: content } }] : content;
}
