/** Replaces the content of files an agent read. */
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

/** Removes from frames the content of files the agent reads: in our answers, and in the agent's reports about its reading. */
export class ReadSuppressor {
  readonly #requests = new Set<unknown>();
  readonly #reading = new Set<string>();

  /** The frame, with the text of files replaced. Other frames are returned unchanged. */
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
    const shown = params?.update && this.#shown(params.update);
    return shown ? JSON.stringify({ ...message, params: { ...params, update: shown } }) : frame;
  }

  /** The update without the file's content; undefined if it has none. */
  #shown(update: Update): Update | undefined {
    const { sessionUpdate = '', toolCallId, kind, content, rawOutput } = update;
    if (toolCallId === undefined || !sessionUpdate.startsWith('tool_call')) return undefined;
    if (kind === 'read') this.#reading.add(toolCallId);
    if (!this.#reading.has(toolCallId) || (!content && rawOutput === undefined)) return undefined;
    const stand = { type: 'content', content: { type: 'text', text: suppressed } };
    return {
      ...update,
      ...(content && { content: [stand] }),
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
