import type { SessionUpdate, ToolCall, ToolCallContent, ToolCallUpdate } from '@turnwire/protocol';

/** The content of a tool call: a text, or content as in the protocol. */
export type ToolContent = string | readonly ToolCallContent[];

/** The fields that may change while a call runs. */
export type ToolChanges = Pick<ToolCallUpdate, 'title' | 'kind' | 'locations' | 'rawInput' | 'rawOutput' | '_meta'> & {
  readonly content?: ToolContent;
};

/**
 * A tool call as shown by the client: pending, in progress, then completed or failed. Only changes are sent. Once the call is completed or
 * failed, reports are ignored.
 */
export interface ToolReport {
  /** The call as the client knows it. */
  readonly state: ToolCall;
  /** Reports that it is running. */
  start(changes?: ToolChanges): Promise<void>;
  /** Reports progress; content replaces the earlier content. */
  progress(changes: ToolContent | ToolChanges): Promise<void>;
  /** Reports success. Without content, the earlier content stays. */
  complete(content?: ToolContent, rawOutput?: unknown): Promise<void>;
  /** Reports that it failed, or was not allowed. */
  fail(message: ToolContent, rawOutput?: unknown): Promise<void>;
}

/** The parts of a turn that a report uses. */
export interface ToolReportPublisher {
  /** @param stored an update to store instead */
  send(update: SessionUpdate, stored?: SessionUpdate | null): Promise<void>;
  /** Called when the call is completed or failed. */
  settled(): void;
}

/** A tool call that reports its progress. */
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

  /** Sends `_meta`, with new content if there is any. `_meta` is not stored. */
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
        ([field, value]) => value !== undefined && !isSame(value, this.#state[field as keyof ToolCall]),
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

/** Converts to content as in the protocol. */
export function asContent(content: ToolContent): readonly ToolCallContent[] {
  return typeof content === 'string' ? [{ type: 'content', content: { type: 'text', text: content } }] : content;
}

/** Whether two JSON values are equal; the order of keys is ignored. */
function isSame(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return false;
  const keys = Object.keys(one);
  return (
    Array.isArray(one) === Array.isArray(other) &&
    keys.length === Object.keys(other).length &&
    keys.every((key) => Object.hasOwn(other, key) && isSame(one[key as never], other[key as never]))
  );
}
