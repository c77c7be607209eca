import type { ChatSession } from '../gateway/chat-session.ts';
import type { Attachments } from './attachments.ts';
import type { ChatOptions } from './chat-options.ts';
import { promptContent } from '@turnwire/client/node';
import type { AgentCapabilities, ContentBlock } from '@turnwire/protocol';
import { noSuchFile } from '../driving/prompt-content.ts';

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
  #current: ChatSession;
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

  get current(): ChatSession {
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

/** Cancels turns that take longer than a number of seconds. */
class TurnLimit implements Disposable {
  readonly #seconds: number | undefined;
  readonly #onLimit: (message: string) => void;
  #turnId: string | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(seconds: number | undefined, onLimit: (message: string) => void) {
    this.#seconds = seconds;
    this.#onLimit = onLimit;
  }

  /** Sets which turn runs, if any. */
  follow({ transcript: { turnId } }: ChatSession): void {
    if (turnId === this.#turnId || this.#seconds === undefined) return;
    this.#turnId = turnId;
    clearTimeout(this.#timer);
    const message = `stopped: it took longer than ${this.#seconds} s`;
    if (turnId !== undefined) this.#timer = setTimeout(() => this.#onLimit(message), this.#seconds * 1000);
  }

  [Symbol.dispose](): void {
    clearTimeout(this.#timer);
  }
}

/** A prompt before it is sent. */
interface PromptDraft {
  readonly text: string;
  readonly attachments: ReturnType<Attachments['take']>;
  readonly cwd: string;
  /** Absent while the agent is not ready: files are then only named. */
  readonly agent: { readonly capabilities: AgentCapabilities } | undefined;
}

/** The blocks of a prompt, with a message for the user. */
interface ComposedPrompt {
  readonly content: readonly ContentBlock[];
  readonly remark: string | undefined;
}

/** The text with its images and the files it names. Content the agent does not accept becomes a link, with a message. */
async function composePrompt({ text, attachments, cwd, agent }: PromptDraft): Promise<ComposedPrompt> {
  const { images, texts } = attachments;
  const paths = images.map(({ path }) => path);
  const known = agent?.capabilities.promptCapabilities;
  const remarks: string[] = [];
  const onUnknown = (path: string): unknown => remarks.push(noSuchFile(path));
  const prompt = await promptContent({ text, attachments: paths }, known, { cwd, onUnknown });
  // Behind the prompt: a command of the agent must be the first text.
  const content = [...prompt, ...texts.map((each) => ({ type: 'text', text: each.text }) as const)];
  if (images.length > 0 && !known?.image) remarks.push('the agent does not accept images: it gets links to them');
  return { content, remark: remarks.length === 0 ? undefined : remarks.join('; ') };
}
