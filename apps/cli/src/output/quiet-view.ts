import type { SessionUpdate } from '@turnwire/protocol';
import { cleanText } from '../terminal/clean-text.ts';
import { warn } from '../failure.ts';
import { contentText, noticeText } from '@turnwire/client/view';
import type { View } from './view.ts';

/** Prints only the final message of a turn: the agent's text after its last tool call. */
export class QuietView implements View {
  readonly #write: (text: string) => void;
  #message = '';
  #messageId: string | undefined;
  #isOver = false;

  constructor(write: (text: string) => void) {
    this.#write = write;
  }

  update(update: SessionUpdate): void {
    if (update.sessionUpdate === 'notice') this.#notice(update);
    if (update.sessionUpdate !== 'agent_message_chunk') {
      this.#isOver ||= update.sessionUpdate === 'tool_call';
      return;
    }
    const id = update.messageId ?? undefined;
    if (this.#isOver || id !== this.#messageId) this.#message = '';
    this.#message += contentText(update.content);
    this.#messageId = id;
    this.#isOver = false;
  }

  /** Prints warnings and errors to stderr, separate from the message. */
  #notice(notice: SessionUpdate & { readonly sessionUpdate: 'notice' }): void {
    if (notice.severity !== 'info') warn(cleanText(noticeText(notice)));
  }

  output(): void {}

  question(): void {}

  end(): void {
    const text = cleanText(this.#message).trimEnd();
    if (text !== '') this.#write(`${text}\n`);
    this.#message = '';
  }
}
