import { promptContent } from '@turnwire/client/node';
import type { AgentDifferences } from '@turnwire/client/known-agents';
import type { Permissions } from '@turnwire/permissions';
import type { AgentCapabilities, ContentBlock } from '@turnwire/protocol';
import { noSuchFile } from '../driving/prompt-content.ts';
import { explain } from '../failure.ts';
import type { ChatSession } from '../sessions/chat-session.ts';
import type { KnownSession } from '../store/known-sessions.ts';
import { Attachments } from './attachments.ts';
import type { ChatOptions } from './chat-options.ts';
import type { FirstStep } from './first-steps.ts';
import type { LeftChat } from './left-chat.ts';

/** How a session that a chat continues with is introduced. */
export interface Introduction {
  readonly title: string;
  /** A prompt for the editor, if that is empty. */
  readonly draft?: string | undefined;
}

/** The surface of a chat: a screen, or lines. */
export interface ChatView {
  /** Reports a change that has to be drawn. */
  changed(): void;
  /** Prints lines. */
  say(lines: readonly string[]): void;
  /** Shows a message. */
  note(text: string): void;
  /** Offers what the user can do first. Nothing was asked yet. */
  offer(steps: readonly FirstStep[]): void;
  /** Introduces the session that is shown from now on; without a title it is a new one, or one that the user has chosen. */
  switched(sessionId: string | undefined, introduction: Introduction | undefined): void;
  /** Takes back a prompt that could not be sent. */
  unsent(text: string): void;
}

/** The state of a chat, without its surface: the conversation, the attachments of the next prompt, and how the user leaves. */
export class ChatController {
  readonly cwd: string;
  readonly permissions: Permissions;
  /** Facts about the agent, if it is a known one. */
  readonly differences: AgentDifferences | undefined;
  /** The other sessions of this agent in this folder that can be continued, as far as they are known here, newest first. */
  readonly keptSessions: () => Promise<readonly KnownSession[]>;
  readonly attachments: Attachments = new Attachments();
  /** Resolves when the user leaves, or a signal ends the chat. */
  readonly left: Promise<LeftChat>;
  readonly #options: ChatOptions;
  readonly #view: ChatView;
  readonly #limit: TurnLimit;
  #current: ChatSession;
  #unsubscribe: () => void;
  #leave!: (left: LeftChat) => void;

  constructor(options: ChatOptions, view: ChatView) {
    this.#options = options;
    this.#view = view;
    this.cwd = options.cwd;
    this.permissions = options.permissions;
    this.differences = options.differences;
    this.keptSessions = options.keptSessions;
    this.left = new Promise((resolve) => (this.#leave = resolve));
    this.#limit = new TurnLimit(options.turnLimit, (message) => {
      view.say([`(${message})`]);
      void this.#current.cancel();
    });
    this.#current = options.open(options.opening.agentSessionId);
    this.#unsubscribe = this.#subscribe();
  }

  /** The one that is shown now. */
  get conversation(): ChatSession {
    return this.#current;
  }

  /** As the agent reports it, or as the user called it. */
  get agentName(): string {
    const { agentInfo } = this.#current;
    return agentInfo?.title ?? agentInfo?.name ?? this.#options.agentName;
  }

  /** Sends the first prompt, and offers the first steps in a new session. */
  begin(): void {
    const { first, agentSessionId } = this.#options.opening;
    if (first !== undefined) this.send(first);
    if (agentSessionId === undefined) void this.#offerFirstSteps();
  }

  /** Sends a prompt with its attachments, or queues it while a turn runs. */
  send(text: string): void {
    this.#send(text).catch((error: unknown) => {
      this.#view.note(explain(error));
      this.#view.unsent(text);
    });
  }

  /** Restarts the agent and restores the session. */
  restart(): void {
    void this.#current.restart().catch(() => undefined);
  }

  /** Leaves with an exit code. */
  leave(exitCode: number): void {
    this.#leave(exitCode);
  }

  /** Leaves for a chat with another agent. */
  changeAgent(name: string): void {
    this.#leave({ agent: name });
  }

  /** Continues with another session, a stored or a new one. The current one is closed. */
  switchTo(sessionId: string | undefined, introduction?: Introduction): void {
    this.#unsubscribe();
    void this.#current.close();
    this.#current = this.#options.open(sessionId);
    this.#unsubscribe = this.#subscribe();
    this.#view.switched(sessionId, introduction);
    this.#view.changed();
  }

  /** From now on events are ignored, and no turn is cancelled. */
  mute(): void {
    this.#unsubscribe();
    this.#limit[Symbol.dispose]();
  }

  /** Closes the conversation, and the resources that were opened for the chat. */
  async close(): Promise<void> {
    this.mute();
    await this.#current.close();
    await this.#options.close();
    await this.attachments[Symbol.asyncDispose]();
  }

  async #send(text: string): Promise<void> {
    const { cwd, attachments } = this;
    const draft = { text, attachments: attachments.take(), cwd, agent: this.#current.agent };
    const { content, remark } = await composePrompt(draft);
    void this.#current.prompt(content);
    if (remark !== undefined) this.#view.note(remark);
  }

  async #offerFirstSteps(): Promise<void> {
    const conversation = this.#current;
    await conversation.opened.catch(() => undefined);
    const steps = (await this.#options.firstSteps?.(conversation.transcript).catch(() => [])) ?? [];
    if (steps.length > 0 && conversation.transcript.entries.length === 0) this.#view.offer(steps);
  }

  #subscribe(): () => void {
    return this.#current.onChange(() => {
      this.#limit.follow(this.#current);
      this.#view.changed();
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
