import type { SessionUpdate } from '@turnwire/protocol';
import { cleanText } from '../terminal/clean-text.ts';
import { warn } from '../failure.ts';
import { noticeText } from '@turnwire/client/view';
import { LastMessage } from './last-message.ts';
import type { View } from './view.ts';

/** Prints only the final message of a turn: the agent's text after its last tool call. */
export class QuietView implements View {
  readonly #write: (text: string) => void;
  #message = new LastMessage();

  constructor(write: (text: string) => void) {
    this.#write = write;
  }

  update(update: SessionUpdate): void {
    // Warnings and errors are printed to stderr, separate from the message.
    if (update.sessionUpdate === 'notice' && update.severity !== 'info') warn(cleanText(noticeText(update)));
    this.#message.update(update);
  }

  output(): void {}

  question(): void {}

  end(): void {
    const text = cleanText(this.#message.text);
    if (text !== '') this.#write(`${text}\n`);
    this.#message = new LastMessage();
  }
}
