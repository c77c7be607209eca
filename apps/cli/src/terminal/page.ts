import type { Paint } from './paint.ts';

/** The width and style of rendered lines. */
export interface Page {
  readonly width: number;
  readonly paint: Paint;
  /** Paths inside this folder are shown relative to it. Default: all paths are shown in full. */
  readonly folder?: string | undefined;
  /** Whether lines are printed only once, so that a growing paragraph is printed line by line. Default: false, the screen is redrawn. */
  readonly isPrintedOnce?: boolean;
}
