import type { TerminalView } from '@turnwire/client/transcript';
import type { Page } from '../markdown/markdown-lines.ts';

/** How entries are shown. */
export interface Look extends Page {
  /** Everything in full, as in the pager; else the long is cut, with a word on how much there is. */
  readonly isExpanded: boolean;
  /** Thoughts in full, even where the rest is cut. */
  readonly showsThoughts: boolean;
  readonly terminals: ReadonlyMap<string, TerminalView>;
  /** Milliseconds since the epoch, for what runs. */
  readonly now: number;
}
