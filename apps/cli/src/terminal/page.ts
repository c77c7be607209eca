import type { Paint } from './paint.ts';

/** The width and the styles of the lines. */
export interface Page {
  readonly width: number;
  readonly paint: Paint;
  /** Paths inside of this folder are shown relative to it. Default: as they are. */
  readonly folder?: string | undefined;
  /** Whether lines are printed once: those of a growing paragraph are then taken when they are full. Default: no, it is drawn again. */
  readonly isPrintedOnce?: boolean;
}
