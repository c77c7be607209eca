/** Where to look, and how. */
export interface Look {
  /** Absolute folder. */
  readonly folder: string;
  /** The one file in it to look at. Absent: all in the folder and below. */
  readonly file?: string | undefined;
  /**
   * Which files: globs as in `.gitignore`, but with `{a,b}`; one without a slash fits at any depth. With `!` in front it excludes.
   * The last that fits decides. A file that fits one counts even if an ignore file excludes it, unless its folder is excluded.
   */
  readonly globs?: readonly string[] | undefined;
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
  /** Matching lines that are enough of one file: the search goes on with the next one. */
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
 * Finds files and texts in them. Whatever does it finds the same: hidden files too, but no symbolic links, nothing of `.git`, nothing
 * that `.gitignore`, `.ignore` and `.git/info/exclude` leave out, and no matches in files with a NUL byte. Files come in the order of
 * their names, folder by folder.
 */
export interface FileEngine {
  /** Paths relative to the folder, with slashes. */
  files(look: Look): AsyncGenerator<string, void>;
  /** Files that hold what is searched for. */
  matches(look: Look, query: TextQuery): AsyncGenerator<FoundFile, void>;
}

/** What is told of a file whose matches are not given because a NUL byte follows them. */
export const binaryComplaint = 'binary, not searched';
