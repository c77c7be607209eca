import type { Diff } from '@turnwire/protocol';
import type { LivePrompt } from '@turnwire/runtime';
import type { Page } from '../terminal/page.ts';
import type { ChatController } from './chat-controller.ts';
import type { Completion } from './completion/completion.ts';
import type { Choosing } from '../questions/choice.ts';
import type { OpenDialogs } from './dialogs/open-dialogs.ts';
import type { Editor } from './editor.ts';
import type { PromptHistory } from './prompt-history.ts';
import type { VimKeys } from './vim-keys.ts';

/** The operations of a chat for its commands. */
export interface CommandActions {
  readonly controller: ChatController;
  /** The page for lines of `say`. */
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
  /** Puts a text into the clipboard, if the terminal allows it. */
  copy(text: string): void;
  toggleThoughts(): void;
  showTranscript(): void;
  /** Lets the user choose a call and shows it in full. @param entry the index of the entry to show at once. Default: the user chooses */
  showCalls(entry?: number): void | Promise<void>;
  /** Withdraws a queued prompt, which returns to the editor. Returns false if its turn has begun. Absent in a chat without an editor. */
  takeBack?(prompt: LivePrompt): boolean;
  /** Shows diffs, in a pager if the chat draws on the screen. Resolves when the user has closed them. */
  showDiffs(diffs: readonly Diff[]): Promise<void>;
}

/** The operations of a chat for its keys. */
export interface ChatActions extends CommandActions {
  readonly editor: Editor;
  /** The keys of vim; absent if the user has not chosen them. */
  readonly vim?: VimKeys | undefined;
  readonly history: PromptHistory;
  readonly completion: Completion;
  readonly dialogs: OpenDialogs;
  takeBack(prompt: LivePrompt): boolean;
  /** Sends a prompt, or queues it while a turn runs. */
  send(text: string): void;
  /** Cancels the turn; queued prompts return to the editor. */
  stop(): void;
  /** Asks a question in response to a key. Resolves with undefined if the user closed it. */
  confirm(question: string, labels: { readonly yes: string; readonly no: string }): Promise<boolean | undefined>;
  /** Suspends the UI during other work. The signal asks the work to end. */
  suspendUi<Value>(work: (signal: AbortSignal) => Promise<Value>): Promise<Value>;
  suspend(): void;
  /** Runs the first step with this number, if the prompt is a number and the first one. Returns false if there is no such step. */
  takeFirstStep(prompt: string): boolean;
  /** Redraws everything. */
  redraw(): void;
  /** Requests a redraw after a change. */
  changed(): void;
}
