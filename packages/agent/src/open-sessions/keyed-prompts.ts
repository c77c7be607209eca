import { unlessAborted } from '@turnwire/machine/waits';
import { type ContentBlock, invalidParams, requestCancelled } from '@turnwire/protocol';
import type { KeyedPrompt } from '../store/history.ts';

/** Prompts that a session remembers by their keys, and their characters as JSON. The oldest that was inserted is forgotten first. */
const most = 1_000;
const mostCharacters = 16 * 2 ** 20;

interface Insertion {
  /** The prompt as JSON. */
  readonly prompt: string;
  readonly messageId: Promise<string>;
  isInserted: boolean;
}

/** A request to insert a prompt. */
interface Attempt {
  readonly insert: () => Promise<string>;
  /** Cancels the request. */
  readonly signal: AbortSignal;
}

/** The last prompts of a session that have an idempotency key: each is inserted at most once, however often the client sends it. */
export class KeyedPrompts {
  readonly #insertions = new Map<string, Insertion>();
  #characters = 0;

  /** @param earlier the prompts of the stored conversation */
  constructor(earlier: ReadonlyMap<string, KeyedPrompt>) {
    for (const [key, { prompt, messageId }] of earlier)
      this.#add(key, { prompt: JSON.stringify(prompt), messageId: Promise.resolve(messageId), isInserted: true });
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
    const insertion = { prompt, messageId: insert(), isInserted: false };
    this.#add(key, insertion);
    try {
      const messageId = await insertion.messageId;
      insertion.isInserted = true;
      return messageId;
    } catch (error) {
      this.#remove(key, insertion);
      throw error;
    }
  }

  #add(key: string, insertion: Insertion): void {
    this.#insertions.set(key, insertion);
    this.#characters += insertion.prompt.length;
    for (const [oldest, each] of this.#insertions) {
      if (this.#insertions.size <= most && this.#characters <= mostCharacters) return;
      if (each.isInserted) this.#remove(oldest, each);
    }
  }

  #remove(key: string, { prompt }: Insertion): void {
    if (this.#insertions.delete(key)) this.#characters -= prompt.length;
  }
}
