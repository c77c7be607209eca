import type { GatewayConversation } from '../gateway/gateway-conversation.ts';
import type { Attachments } from './attachments.ts';
import type { ChatOptions } from './chat-options.ts';
import { composePrompt } from './prompt-draft.ts';
import { TurnLimit } from './turn-limit.ts';

/** The events a chat receives from its conversation. */
export interface ConversationListener {
  changed(): void;
  /** A turn took too long, and is cancelled. */
  overLimit(message: string): void;
}

/** The conversations of a chat, one after the other, with limited turns. */
export class ChatConversation {
  readonly #options: ChatOptions;
  readonly #listener: ConversationListener;
  readonly #limit: TurnLimit;
  #current: GatewayConversation;
  #unsubscribe: () => void;

  constructor(options: ChatOptions, listener: ConversationListener) {
    this.#options = options;
    this.#listener = listener;
    this.#limit = new TurnLimit(options.turnLimit, (message) => {
      listener.overLimit(`(${message})`);
      void this.#current.cancel();
    });
    this.#current = options.open(options.opening.agentSessionId);
    this.#unsubscribe = this.#subscribe();
  }

  get current(): GatewayConversation {
    return this.#current;
  }

  /** Sends a prompt. Resolves with a message for the user, if any. Rejects if an attachment cannot be read. */
  async send(text: string, attachments: ReturnType<Attachments['take']>): Promise<string | undefined> {
    const { cwd } = this.#options;
    const { content, remark } = await composePrompt({ text, attachments, cwd, agent: this.#current.agent });
    void this.#current.prompt(content);
    return remark;
  }

  /** Continues with another session, a stored or a new one. The current one is closed. */
  switchTo(sessionId: string | undefined): void {
    this.#unsubscribe();
    void this.#current.close();
    this.#current = this.#options.open(sessionId);
    this.#unsubscribe = this.#subscribe();
  }

  restart(): void {
    void this.#current.restart().catch(() => undefined);
  }

  /** From now on events are ignored, and no turn is cancelled. */
  mute(): void {
    this.#unsubscribe();
    this.#limit[Symbol.dispose]();
  }

  /** Closes it, and the resources that were opened for the chat. */
  async close(): Promise<void> {
    this.mute();
    await this.#current.close();
    await this.#options.close();
  }

  #subscribe(): () => void {
    return this.#current.onChange(() => {
      this.#limit.follow(this.#current);
      this.#listener.changed();
    });
  }
}
