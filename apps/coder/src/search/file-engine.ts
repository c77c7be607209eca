import type { FileListing } from '@turnwire/machine';

/** Where to look, and how. */
export interface Look extends Pick<FileListing, 'folder' | 'globs'> {
  /** The one file in the folder to look at. Absent: all in it and below. */
  readonly file?: string | undefined;
  /** Ends it at once: what is being awaited rejects. */
  readonly signal: AbortSignal;
  /** Told what could not be looked at, as `path: why`. */
  readonly tell: (complaint: string) => void;
}

/** What to search for. */
export interface TextQuery {
  readonly text: string;
  /** A regular expression rather than a text: the syntax RE2 and Rust have in common. */
  readonly regex?: boolean | undefined;
  readonly ignoreCase?: boolean | undefined;
  /** Matches may span lines. */
  readonly multiline?: boolean | undefined;
  /** Lines to give before and after each line that matches. Default 0. */
  readonly context?: number | undefined;
  /** Matching lines that are enough of one file: the search continues with the next one. */
  readonly perFile: number;
}

/** One line of a file. */
export interface FoundLine {
  /** From 1. Undefined: not known. */
  readonly line: number | undefined;
  /** Without its line ending. What is not text is replaced. */
  readonly text: string;
  /** Where the first match in it begins, in UTF-16 units. Undefined: it is there for context. */
  readonly match: number | undefined;
}

/** What a file holds of what was searched for. */
export interface FoundFile {
  /** Relative to the folder, with slashes. */
  readonly path: string;
  /** Matching lines and their context, in order. */
  readonly lines: readonly FoundLine[];
}

/**
 * Finds texts in files. Whatever does it finds the same, in the files `listFiles` of `@turnwire/machine` lists and in their order,
 * and no matches in files with a NUL byte.
 */
export interface FileEngine {
  /** Files that hold what is searched for. */
  matches(look: Look, query: TextQuery): AsyncGenerator<FoundFile, void>;
}

/** What is told of a file whose matches are not given because a NUL byte follows them. */
export const binaryComplaint = 'binary, not searched';
