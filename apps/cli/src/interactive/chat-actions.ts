import type { Conversation } from '@agentwire/client/conversation';
import type { Dialog } from './dialogs/dialog.ts';
import type { Completion } from './completion/completion.ts';
import type { OpenDialogs } from './dialogs/open-dialogs.ts';
import type { Editor } from './editor.ts';
import type { Attachments } from './attachments.ts';

/** What keys and commands do with a chat. */
export interface ChatActions {
  readonly conversation: Conversation;
  readonly cwd: string;
  readonly editor: Editor;
  readonly completion: Completion;
  readonly dialogs: OpenDialogs;
  readonly attachments: Attachments;
  /** Sends a prompt, or has it wait for the turn that runs. */
  send(text: string): void;
  /** Stops the turn; prompts that wait come back into the editor. */
  stop(): void;
  /** Starts the agent again and brings the session back. */
  restart(): void;
  /** Leaves with an exit code. */
  leave(exitCode: number): void;
  /** Goes on with another session: a stored one, or a new one. */
  switchTo(sessionId: string | undefined): void;
  /** Prints lines into the transcript. */
  say(lines: readonly string[]): void;
  /** Tells the person something in the status line, for a while. */
  note(text: string): void;
  /** Opens a dialog the person asked for; returns how to close it. */
  open(dialog: Dialog): () => void;
  toggleThoughts(): void;
  showTranscript(): void;
  suspend(): void;
  /** Draws everything anew. */
  redraw(): void;
  /** Something has changed that is to be drawn. */
  changed(): void;
}
