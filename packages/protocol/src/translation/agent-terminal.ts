import type { TerminalUpdate } from '../generated/v2-types.ts';
import { grownText, type NewestText, newestText } from '../newest-text.ts';

/**
 * A terminal of the agent: the last 262,144 UTF-16 units of its output, and the tool call that shows it. The call reports an output whose
 * beginning was left out as one.
 */
export class AgentTerminal {
  readonly id: string;
  /** The call that shows it. Undefined until a call refers to it. */
  toolCallId: string | undefined;
  /** The agent can cancel it separately. */
  canCancel = false;
  /** Its last report. */
  facts: Pick<TerminalUpdate, 'command' | 'cwd' | 'exitStatus'> = {};
  #output: NewestText = newestText('');
  #decoder = new TextDecoder();

  constructor(id: string) {
    this.id = id;
  }

  get output(): NewestText {
    return this.#output;
  }

  /**
   * Adds bytes, and returns their text: a character may be divided between chunks.
   * @throws {Error} if they are not base64
   */
  add(base64: string): string {
    const added = this.#decoder.decode(bytesOf(base64), { stream: true });
    this.#output = grownText(this.#output, added);
    return added;
  }

  /**
   * Replaces the output, and returns the text that was added; if the earlier output changed, the whole text.
   * @throws {Error} if it is not base64
   */
  replace(base64: string): { readonly text: string; readonly isWhole: boolean } {
    const bytes = bytesOf(base64);
    this.#decoder = new TextDecoder();
    const text = this.#decoder.decode(bytes, { stream: true });
    const before = this.#output;
    const isWhole = before.isCut || !text.startsWith(before.text);
    const added = isWhole ? text : text.slice(before.text.length);
    this.#output = newestText(text);
    return { text: added, isWhole };
  }
}

function bytesOf(base64: string): Uint8Array {
  const binary = atob(base64);
  const bytes = new Uint8Array(binary.length);
  for (let index = 0; index < binary.length; index++) bytes[index] = binary.charCodeAt(index);
  return bytes;
}
