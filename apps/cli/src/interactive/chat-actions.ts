import type { Diff } from '@turnwire/protocol';
import type { Page } from '../terminal/page.ts';
import type { ChatController } from './chat-controller.ts';
import type { Completion } from './completion/completion.ts';
import type { Choosing } from '../questions/choice.ts';
import type { OpenDialogs } from './dialogs/open-dialogs.ts';
import type { Editor } from './editor.ts';
import type { PromptHistory } from './prompt-history.ts';

/** The chat as commands use it. */
export interface CommandActions {
  readonly controller: ChatController;
  /** For what is printed with `say`. */
  readonly page: Page;
  /** The keys, with their effects. */
  readonly keys: readonly (readonly [key: string, does: string])[];
  /** Prints lines above the live region. */
  say(lines: readonly string[]): void;
  /** Shows a message for a short time. */
  note(text: string): void;
  /** Resolves with undefined if the user closed it. */
  choose<Value>(choosing: Choosing<Value>): Promise<Value | undefined>;
  /** Asks for a line. Resolves with undefined if the user closed it. */
  askText(question: string): Promise<string | undefined>;
  /** Puts a text into the clipboard, where the terminal allows that. */
  copy(text: string): void;
  toggleThoughts(): void;
  showTranscript(): void;
  /** Shows diffs, in pages if the chat draws. Resolves when the user has left them. */
  showDiffs(diffs: readonly Diff[]): Promise<void>;
}

/** The chat as keys use it. */
export interface ChatActions extends CommandActions {
  readonly editor: Editor;
  readonly history: PromptHistory;
  readonly completion: Completion;
  readonly dialogs: OpenDialogs;
  /** Sends a prompt, or queues it while a turn runs. */
  send(text: string): void;
  /** Cancels the turn; queued prompts return to the editor. */
  stop(): void;
  /** Asks a question that a key of the user has led to. Resolves with undefined if the user closed it. */
  confirm(question: string, labels: { readonly yes: string; readonly no: string }): Promise<boolean | undefined>;
  /** Suspends the UI for other work, which ends when the signal aborts. */
  suspendUi<Value>(work: (signal: AbortSignal) => Promise<Value>): Promise<Value>;
  suspend(): void;
  /** Does what the first screen offers under a number, if that is the first prompt. False if it offers nothing. */
  takeFirstStep(prompt: string): boolean;
  /** Redraws everything. */
  redraw(): void;
  /** Reports a change that has to be drawn. */
  changed(): void;
}
