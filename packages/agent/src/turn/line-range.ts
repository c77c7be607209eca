/** A part of a text file, by lines. */
export interface LineRange {
  /** The first line, counted from 1. Default 1. */
  readonly line?: number;
  /** How many lines. Default: all. */
  readonly limit?: number;
}
