import type { TerminalUpdate } from '../generated/v2-types.ts';

/** Most UTF-16 units of output that are compared with a later snapshot. */
const mostText = 256 * 1024;

/** A terminal of the agent: the text of its output, and the tool call that shows it. */
export class AgentTerminal {
  readonly id: string;
  /** The call that shows it. Undefined until a call refers to it. */
  toolCallId: string | undefined;
  /** The agent can cancel it separately. */
  canCancel = false;
  /** Its last report. */
  facts: Pick<TerminalUpdate, 'command' | 'cwd' | 'exitStatus'> = {};
  #text = '';
  #isCut = false;
  #decoder = new TextDecoder();

  constructor(id: string) {
    this.id = id;
  }

  get text(): string {
    return this.#text;
  }

  /**
   * Adds bytes, and returns their text: a character may be divided between chunks.
   * @throws {Error} if they are not base64
   */
  add(base64: string): string {
    const added = this.#decoder.decode(bytesOf(base64), { stream: true });
    this.#keep(this.#text + added);
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
    const isWhole = this.#isCut || !text.startsWith(this.#text);
    const added = isWhole ? text : text.slice(this.#text.length);
    this.#isCut = false;
    this.#keep(text);
    return { text: added, isWhole };
  }

  #keep(text: string): void {
    this.#isCut ||= text.length > mostText;
    this.#text = text.length > mostText ? text.slice(-mostText) : text;
  }
}

function bytesOf(base64: string): Uint8Array {
  return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
}
