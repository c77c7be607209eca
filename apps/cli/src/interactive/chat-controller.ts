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
import type { ChatEnd } from './chat-end.ts';
import { UserShell } from './user-shell.ts';
import type { WantedPlace } from '../option-values.ts';

/** The introduction of a session that a chat switches to. */
export interface Introduction {
  readonly title: string;
  /** A prompt for the editor, if the editor is empty. */
  readonly draft?: string | undefined;
}

/** The surface of a chat: a screen, or lines. */
export interface ChatView {
  /** Requests a redraw after a change. */
  changed(): void;
  /** Prints lines. */
  say(lines: readonly string[]): void;
  /** Shows a message. */
  note(text: string): void;
  /** Offers first steps before the first prompt. */
  offer(steps: readonly FirstStep[]): void;
  /** Introduces the session that is shown from now on. Without an introduction it is a new one, or one that the user has chosen. */
  switched(sessionId: string | undefined, introduction: Introduction | undefined): void;
  /** Returns a prompt that could not be sent. */
  unsent(text: string): void;
}

/** The state of a chat, independent of its surface: the conversation, the attachments of the next prompt, and the end of the chat. */
export class ChatController {
  readonly cwd: string;
  readonly permissions: Permissions;
  /** The differences of a known agent. */
  readonly differences: AgentDifferences | undefined;
  /** The other recorded sessions of this agent in this folder that can be continued, newest first. */
  readonly keptSessions: () => Promise<readonly KnownSession[]>;
  readonly attachments: Attachments = new Attachments();
  readonly shell: UserShell;
  /** Resolves when the user leaves, or a signal ends the chat. */
  readonly left: Promise<ChatEnd>;
  readonly #options: ChatOptions;
  readonly #view: ChatView;
  readonly #limit: TurnLimit;
  #current: ChatSession;
  #unsubscribe: () => void;
  #leave!: (left: ChatEnd) => void;

  constructor(options: ChatOptions, view: ChatView) {
    this.#options = options;
    this.#view = view;
    this.cwd = options.cwd;
    this.shell = new UserShell(options.cwd);
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

  /** The current conversation. */
  get conversation(): ChatSession {
    return this.#current;
  }

  /** The name that the agent reports, or the name that the user gave. */
  get agentName(): string {
    const { agentInfo } = this.#current;
    return agentInfo?.title ?? agentInfo?.name ?? this.#options.agentName;
  }

  /** Sends the first prompt, and offers first steps in a new session. */
  begin(): void {
    const { first, agentSessionId } = this.#options.opening;
    if (first !== undefined) this.send(first);
    if (agentSessionId === undefined) void this.#offerFirstSteps();
  }

  /**
   * Sends a prompt with its attachments, or queues it while a turn runs.
   * @param how `hasMentions`: `@path` in the text stands for a file. Default: true
   */
  send(text: string, { hasMentions = true }: { readonly hasMentions?: boolean } = {}): void {
    this.#send(text, hasMentions).catch((error: unknown) => {
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

  /** Leaves for a chat in a new place. */
  changePlace(place: WantedPlace): void {
    this.#leave({ place });
  }

  /** Switches to a stored or a new session, and closes the current one. */
  switchTo(sessionId: string | undefined, introduction?: Introduction): void {
    this.#unsubscribe();
    void this.#current.close();
    this.#current = this.#options.open(sessionId);
    this.#unsubscribe = this.#subscribe();
    this.#view.switched(sessionId, introduction);
    this.#view.changed();
  }

  /** Ignores further events, and stops the turn limit. */
  mute(): void {
    this.#unsubscribe();
    this.#limit[Symbol.dispose]();
  }

  /** Closes the conversation and the resources of the chat. */
  async close(): Promise<void> {
    this.mute();
    await this.#current.close();
    await this.#options.close();
    await this.attachments[Symbol.asyncDispose]();
  }

  async #send(text: string, hasMentions: boolean): Promise<void> {
    const { cwd, attachments } = this;
    const draft = { text, hasMentions, attachments: attachments.take(), cwd, agent: this.#current.agent };
    const { content, notice } = await composePrompt(draft);
    void this.#current.prompt(content);
    if (notice !== undefined) this.#view.note(notice);
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

  /** Restarts the timer when the running turn changes. */
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
  readonly hasMentions: boolean;
  readonly attachments: ReturnType<Attachments['take']>;
  readonly cwd: string;
  /** Absent until the agent is ready: then files are only linked. */
  readonly agent: { readonly capabilities: AgentCapabilities } | undefined;
}

/** The blocks of a prompt, and a message for the user. */
interface ComposedPrompt {
  readonly content: readonly ContentBlock[];
  readonly notice: string | undefined;
}

/** Composes the text with its images and the files it names. Content that the agent does not accept becomes a link, with a message. */
async function composePrompt({ text, hasMentions, attachments, cwd, agent }: PromptDraft): Promise<ComposedPrompt> {
  const { images, texts } = attachments;
  const paths = images.map(({ path }) => path);
  const known = agent?.capabilities.promptCapabilities;
  const notices: string[] = [];
  const onUnknown = (path: string): unknown => notices.push(noSuchFile(path));
  const prompt = await promptContent({ text, attachments: paths }, known, {
    ...{ cwd, onUnknown },
    mentions: hasMentions,
  });
  // After the prompt, because a command of the agent must be the first text.
  const content = [...prompt, ...texts.map((each) => ({ type: 'text', text: each.text }) as const)];
  if (images.length > 0 && !known?.image) notices.push('the agent does not accept images: it gets links to them');
  return { content, notice: notices.length === 0 ? undefined : notices.join('; ') };
}
