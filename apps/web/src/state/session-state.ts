import type { OpenQuestion, OwnPrompt, PageVisit, SessionPhase } from '@turnwire/client/gateway';
import type { TranscriptView } from '@turnwire/client/transcript';
import type { TextMatch, WaitingPrompt } from '@turnwire/protocol';

/** Everything that is shown of a session. */
export interface SessionState {
  readonly view: TranscriptView;
  /** The number of the first entry of the view. Entries loaded before it get smaller numbers. */
  readonly firstRow: number;
  /** Whether there are events before the first entry, and whether they are being loaded. */
  readonly earlier: 'none' | 'there' | 'loading';
  /** `detached`: the connection broke. The transcript stays, and is completed after the reconnect. */
  readonly phase: SessionPhase;
  readonly failure?: string | undefined;
  readonly role: 'control' | 'observe';
  /** This window's prompts that are not in the log yet. */
  readonly waiting: readonly OwnPrompt[];
  /** All windows' prompts in the gateway's queue. */
  readonly queue: readonly WaitingPrompt[];
  readonly questions: readonly OpenQuestion[];
  /** Pages of the agent that the user has opened and not completed. */
  readonly visits: readonly PageVisit[];
  /** When the running turn started, in milliseconds since 1970. */
  readonly workingSince?: number | undefined;
  readonly isCancelling: boolean;
  /** The text to scroll to, until it is shown. */
  readonly sought?: TextMatch | undefined;
}
