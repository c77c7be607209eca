import type { FileListing } from '@turnwire/machine';

/** What to search, and how. */
export interface SearchScope extends Pick<FileListing, 'folder' | 'globs'> {
  /** The only file in the folder to search. Absent: all in it and below. */
  readonly file?: string | undefined;
  /** Ends the search at once: pending promises reject. */
  readonly signal: AbortSignal;
  /** Receives what could not be searched, as `path: why`. */
  readonly report: (warning: string) => void;
}

/** A text to find. */
export interface TextQuery {
  readonly text: string;
  /** A regular expression instead of a text: the syntax RE2 and Rust have in common. */
  readonly regex?: boolean | undefined;
  readonly ignoreCase?: boolean | undefined;
  /** Matches may span lines. */
  readonly multiline?: boolean | undefined;
  /** Lines of context before and after each match. Default 0. */
  readonly context?: number | undefined;
  /** The most matching lines per file: the search continues with the next file. */
  readonly perFile: number;
}

/** One line of a file. */
export interface FoundLine {
  /** From 1. Undefined: unknown. */
  readonly line: number | undefined;
  /** Without its line ending. Invalid bytes are replaced. */
  readonly text: string;
  /** Where its first match begins, in UTF-16 units. Undefined: a line of context. */
  readonly match: number | undefined;
}

/** The matches in a file. */
export interface FoundFile {
  /** Relative to the folder, with slashes. */
  readonly path: string;
  /** Matching lines and their context, in order. */
  readonly lines: readonly FoundLine[];
}

/**
 * Finds texts in files. Every engine finds the same: in the files that `listFiles` of `@turnwire/machine` lists, in that order, and no matches in files with a
 * NUL byte.
 */
export interface FileEngine {
  /** The files with matches. */
  matches(scope: SearchScope, query: TextQuery): AsyncGenerator<FoundFile, void>;
}

/** Reported for a file whose matches are dropped because a NUL byte follows them. */
export const binaryWarning = 'binary, not searched';
