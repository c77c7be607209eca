import type { OpenQuestion, OwnPrompt, PageVisit, SessionPhase } from '@turnwire/client/gateway';
import type { TranscriptView } from '@turnwire/client/transcript';
import type { WaitingPrompt } from '@turnwire/protocol';

/** All that is shown of a session. */
export interface SessionState {
  readonly view: TranscriptView;
  /** The number of the first entry of the view: entries that are loaded before it have smaller ones. */
  readonly firstRow: number;
  /** What the session has before the first entry: nothing, something that can be loaded, or something that is being loaded. */
  readonly earlier: 'none' | 'there' | 'loading';
  /** `detached`: the connection broke. What is shown stays, and is completed when it is made again. */
  readonly phase: SessionPhase;
  readonly failure?: string | undefined;
  readonly role: 'control' | 'observe';
  /** Prompts of this window that are not in the log. */
  readonly waiting: readonly OwnPrompt[];
  /** The prompts of all windows that wait in the gateway. */
  readonly queue: readonly WaitingPrompt[];
  readonly questions: readonly OpenQuestion[];
  /** Pages of the agent that the user has opened and is not done with. */
  readonly visits: readonly PageVisit[];
  /** When the running turn began, in milliseconds since 1970. */
  readonly workingSince?: number | undefined;
  readonly isCancelling: boolean;
}
