import { type ContentBlock, invalidParams } from '@turnwire/protocol';
import type { KeyedPrompt } from '../store/history.ts';

interface Insertion {
  /** The prompt as JSON. */
  readonly prompt: string;
  readonly messageId: Promise<string>;
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
   * @throws ProtocolError -32602 if the key belongs to another prompt
   */
  async once(key: string, blocks: readonly ContentBlock[], insert: () => Promise<string>): Promise<string> {
    const prompt = JSON.stringify(blocks);
    const earlier = this.#insertions.get(key);
    if (earlier !== undefined && earlier.prompt !== prompt)
      throw invalidParams('idempotencyKey: another prompt of this session has the same key');
    if (earlier !== undefined) return earlier.messageId;
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
