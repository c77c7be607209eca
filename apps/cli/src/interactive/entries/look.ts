import type { TerminalView } from '@turnwire/client/transcript';
import type { Page } from '../../terminal/page.ts';

/** The options for rendering entries. */
export interface Look extends Page {
  /** Everything in full, as in the pager; otherwise long texts are cut, with a note on how long they are. */
  readonly isExpanded: boolean;
  /** Thoughts in full, even where the rest is cut. */
  readonly showsThoughts: boolean;
  readonly terminals: ReadonlyMap<string, TerminalView>;
  /** The page of what the agent says, if it is not the page of the rest. */
  readonly messages?: Page;
  /** Milliseconds since the epoch, for running calls. */
  readonly now: number;
}
