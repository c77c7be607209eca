import type { TranscriptView } from '@turnwire/client/transcript';
import type { ContentBlock } from '@turnwire/protocol';
import type { OpenQuestion, PageVisit } from './questions.ts';

/** A prompt of this window that has no place in the transcript yet. */
export interface OwnPrompt {
  /** Makes it one turn, however often it is sent. */
  readonly key: string;
  readonly content: readonly ContentBlock[];
  readonly isSent: boolean;
}

/** A prompt that waits in the gateway, whichever window sent it. */
export interface QueuedPrompt {
  readonly turnId: string;
  readonly by: { readonly client: string };
  /** The beginning of its text. */
  readonly text: string;
  readonly key?: string;
}

/** All that is shown of a session. */
export interface SessionState {
  readonly view: TranscriptView;
  /** The number of the first entry of the view: entries that are loaded before it have smaller ones. */
  readonly firstRow: number;
  /** What the session has before the first entry: nothing, something that can be loaded, or something that is being loaded. */
  readonly earlier: 'none' | 'there' | 'loading';
  /** `detached`: the connection broke. What is shown stays, and is completed when it is made again. */
  readonly phase: 'opening' | 'ready' | 'detached' | 'failed';
  readonly failure?: string;
  readonly role: 'control' | 'observe';
  /** Prompts of this window that are not in the log. */
  readonly waiting: readonly OwnPrompt[];
  /** The prompts of all windows that wait in the gateway. */
  readonly queue: readonly QueuedPrompt[];
  readonly questions: readonly OpenQuestion[];
  /** Pages of the agent that the user has opened and is not done with. */
  readonly visits: readonly PageVisit[];
  /** When the running turn began, in milliseconds since 1970. */
  readonly workingSince?: number | undefined;
  readonly isCancelling: boolean;
}
