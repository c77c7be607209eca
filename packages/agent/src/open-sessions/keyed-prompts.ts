import { unlessAborted } from '@turnwire/machine/waits';
import { type ContentBlock, invalidParams, requestCancelled } from '@turnwire/protocol';
import type { KeyedPrompt } from '../store/history.ts';

interface Insertion {
  /** The prompt as JSON. */
  readonly prompt: string;
  readonly messageId: Promise<string>;
}

/** A request to insert a prompt. */
interface Attempt {
  readonly insert: () => Promise<string>;
  /** Cancels the request. */
  readonly signal: AbortSignal;
}

/** The prompts of a session that have an idempotency key: each is inserted at most once, however often the client sends it. */
export class KeyedPrompts {
  readonly #insertions = new Map<string, Insertion>();

  /** @param earlier the prompts of the stored conversation */
  constructor(earlier: ReadonlyMap<string, KeyedPrompt>) {
    for (const [key, { prompt, messageId }] of earlier)
      this.#insertions.set(key, { prompt: JSON.stringify(prompt), messageId: Promise.resolve(messageId) });
  }

  /**
   * Inserts a prompt, unless it was inserted before. A prompt that could not be inserted may be sent again.
   * @returns the id of its message
   * @throws ProtocolError -32602 if the key belongs to another prompt; -32800 if a repeated request is cancelled before the insertion
   */
  async once(key: string, blocks: readonly ContentBlock[], { insert, signal }: Attempt): Promise<string> {
    const prompt = JSON.stringify(blocks);
    const earlier = this.#insertions.get(key);
    if (earlier !== undefined && earlier.prompt !== prompt)
      throw invalidParams('idempotencyKey: another prompt of this session has the same key');
    if (earlier !== undefined)
      return unlessAborted(earlier.messageId, signal).catch((error: unknown) => {
        throw signal.aborted ? requestCancelled() : error;
      });
    const messageId = insert();
    this.#insertions.set(key, { prompt, messageId });
    try {
      return await messageId;
    } catch (error) {
      this.#insertions.delete(key);
      throw error;
    }
  }
}
