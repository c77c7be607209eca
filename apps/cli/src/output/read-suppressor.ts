/** The replacement for the content of files that an agent reads. */
export const suppressed = '[read output suppressed]';

interface Message {
  readonly id?: unknown;
  readonly method?: string;
  readonly params?: { readonly update?: Update };
  readonly result?: { readonly content?: unknown };
}

interface Update {
  readonly sessionUpdate?: string;
  readonly toolCallId?: string;
  readonly kind?: string;
  readonly content?: readonly unknown[];
  readonly rawOutput?: unknown;
}

/** Removes the content of files that the agent reads from frames: from our answers and from the agent's updates about its reads. */
export class ReadSuppressor {
  readonly #requests = new Set<unknown>();
  readonly #reading = new Set<string>();

  /** The frame with the content of files replaced; other frames unchanged. */
  frame(frame: string): string {
    const message = parsed(frame);
    if (!message) return frame;
    if (message.method === 'fs/read_text_file') this.#requests.add(message.id);
    if (
      message.method === undefined &&
      typeof message.result?.content === 'string' &&
      this.#requests.delete(message.id)
    )
      return JSON.stringify({ ...message, result: { ...message.result, content: suppressed } });
    const { params } = message;
    const cleared = params?.update && this.#cleared(params.update);
    return cleared ? JSON.stringify({ ...message, params: { ...params, update: cleared } }) : frame;
  }

  /** The update without the file's content; undefined if it contains none. */
  #cleared(update: Update): Update | undefined {
    const { sessionUpdate = '', toolCallId, kind, content, rawOutput } = update;
    if (toolCallId === undefined || !sessionUpdate.startsWith('tool_call')) return undefined;
    if (kind === 'read') this.#reading.add(toolCallId);
    if (!this.#reading.has(toolCallId) || (!content && rawOutput === undefined)) return undefined;
    const placeholder = { type: 'content', content: { type: 'text', text: suppressed } };
    return {
      ...update,
      ...(content && { content: [placeholder] }),
      ...(rawOutput !== undefined && { rawOutput: suppressed }),
    };
  }
}

function parsed(frame: string): Message | undefined {
  try {
    const value: unknown = JSON.parse(frame);
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}
