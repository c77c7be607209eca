import type { Conversation } from '@turnwire/client/conversation';
import type { AgentDifferences } from '@turnwire/client/known-agents';
import type { Permissions } from '@turnwire/permissions';
import type { SessionRecord } from '../store/session-record.ts';
import type { Attachments } from './attachments.ts';
import type { Completion } from './completion/completion.ts';
import type { Choice } from './dialogs/choice-list.ts';
import type { OpenDialogs } from './dialogs/open-dialogs.ts';
import type { Editor } from './editor.ts';

/** Shows other choices, and what to say about them. */
export type Offer<Value> = (choices: readonly Choice<Value>[], note: string) => void;

/** Something the user asked to choose from. */
export interface Choosing<Value> {
  readonly title: string;
  readonly choices: readonly Choice<Value>[];
  /** The value in force. */
  readonly current?: Value | undefined;
  /** Fetches the choices, which appear as they come. The signal aborts when somebody has chosen. */
  readonly load?: (offer: Offer<Value>, signal: AbortSignal) => Promise<void>;
}

/** What commands do with a chat. */
export interface CommandActions {
  readonly conversation: Conversation;
  readonly cwd: string;
  readonly attachments: Attachments;
  /** The keys there are, and what each does. */
  readonly keys: readonly (readonly [key: string, does: string])[];
  readonly permissions: Permissions;
  /** What is known of the agent. */
  readonly differences: AgentDifferences | undefined;
  /** The sessions kept here, of this agent in this folder, newest first. */
  keptSessions(): Promise<readonly SessionRecord[]>;
  /** Starts the agent again and brings the session back. */
  restart(): void;
  /** Leaves with an exit code. */
  leave(exitCode: number): void;
  /** Continues with another session: a stored one, or a new one. */
  switchTo(sessionId: string | undefined): void;
  /** Prints lines into the transcript. */
  say(lines: readonly string[]): void;
  /** Tells the user something that passes. */
  note(text: string): void;
  /** Resolves with nothing if the user went away. */
  choose<Value>(choosing: Choosing<Value>): Promise<Value | undefined>;
  /** Asks for a line. Resolves with nothing if the user went away. */
  askText(question: string): Promise<string | undefined>;
  toggleThoughts(): void;
  showTranscript(): void;
}

/** What keys do with a chat. */
export interface ChatActions extends CommandActions {
  readonly editor: Editor;
  readonly completion: Completion;
  readonly dialogs: OpenDialogs;
  /** Sends a prompt, or has it wait for the turn that runs. */
  send(text: string): void;
  /** Stops the turn; prompts that wait come back into the editor. */
  stop(): void;
  /** Asks a question the user's own key has led to. */
  confirm(question: string, labels: { readonly yes: string; readonly no: string }): Promise<boolean>;
  suspend(): void;
  /** Draws everything anew. */
  redraw(): void;
  /** Something has changed that is to be drawn. */
  changed(): void;
}
