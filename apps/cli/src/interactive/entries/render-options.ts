import type { TerminalView } from '@turnwire/client/transcript';
import type { Page } from '../../terminal/page.ts';

/** The options for rendering entries. */
export interface RenderOptions extends Page {
  /** Whether to show everything in full, as in the pager. Otherwise long texts are cut, with a note about the rest. */
  readonly isExpanded: boolean;
  /** Whether to show thoughts in full, even if other texts are cut. */
  readonly showsThoughts: boolean;
  readonly terminals: ReadonlyMap<string, TerminalView>;
  /** The page for messages of the agent, if it differs. */
  readonly messages?: Page;
  /** The current time for running calls, in milliseconds since the epoch. */
  readonly now: number;
}
