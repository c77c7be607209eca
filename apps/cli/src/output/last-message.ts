import type { SessionUpdate } from '@turnwire/protocol';
import { contentText } from '@turnwire/client/view';

/** The last message of a turn: the agent's text after its last tool call. */
export class LastMessage {
  #text = '';
  #messageId: string | undefined;
  #isOver = false;

  /** As the agent sent it, without white space at the end. */
  get text(): string {
    return this.#text.trimEnd();
  }

  update(update: SessionUpdate): void {
    if (update.sessionUpdate !== 'agent_message_chunk') {
      this.#isOver ||= update.sessionUpdate === 'tool_call';
      return;
    }
    const id = update.messageId ?? undefined;
    if (this.#isOver || id !== this.#messageId) this.#text = '';
    this.#text += contentText(update.content);
    this.#messageId = id;
    this.#isOver = false;
  }

  /** The next message belongs to another turn. */
  endTurn(): void {
    this.#isOver = true;
  }
}
