/** A file in a review. */
export interface ReviewedFile {
  /** Relative to the folder of the review, with slashes. */
  readonly path: string;
  readonly change: 'added' | 'changed' | 'deleted';
  /** The number of lines. */
  readonly added: number;
  readonly removed: number;
  /** The number of hunks. 0: the file is accepted or rejected as a whole, such as a binary one. */
  readonly hunks: number;
  /** Identifies both states of the file. A decision about the whole file names it, so that it applies only to the changes that the user has seen. */
  readonly version: string;
}

/** A part of a changed file, with unchanged lines around it. */
export interface ReviewedHunk {
  /** It stays the same while other hunks are accepted or rejected. */
  readonly id: string;
  /** Its first line before and after the change, counted from 1, and the number of its lines. */
  readonly before: { readonly line: number; readonly count: number };
  readonly after: { readonly line: number; readonly count: number };
  /** The lines with ` `, `-` or `+` before each. `\ No newline at end of file` is a line too. */
  readonly lines: readonly string[];
}

/** The changes of a file. */
export interface ReviewedText {
  readonly file: ReviewedFile;
  readonly hunks: readonly ReviewedHunk[];
  /** The file as it is now, for the lines between the hunks. Absent if it is deleted, binary, or has more than 500,000 UTF-16 units. */
  readonly text?: string;
  /** The changes have more than 2 MB: no hunk is sent. */
  readonly isTooLong?: true;
}

/** A comment of the user that the agent has not received yet. */
export interface UnsentComment {
  readonly path: string;
  /** The first and the last line, counted from 1. Absent: the comment is about the whole file. */
  readonly lines?: readonly [first: number, last: number] | undefined;
  /** The lines, or the rejected change, when the comment was made. */
  readonly code?: string | undefined;
  readonly text: string;
}

/** A turn that changed files. */
export interface ReviewedTurn {
  readonly number: number;
  /** Milliseconds since 1970. */
  readonly at: number;
  /** The beginning of the prompt. */
  readonly prompt: string;
  readonly isUndone?: true;
}

/** The changes in the folder of a session since the last review. */
export interface ReviewOverview {
  /** The recorded folder. */
  readonly folder: string;
  /** The branch that is checked out there, or the beginning of the commit of a detached head. Absent outside of a repository. */
  readonly branch?: string;
  /** The place in which the session works. Absent if it works in the user's own files. */
  readonly place?: { readonly name: string; readonly kind: string };
  readonly files: readonly ReviewedFile[];
  readonly comments: readonly UnsentComment[];
  /** The finished turns of the session, oldest first. */
  readonly turns: readonly ReviewedTurn[];
  /** The commit that `_turnwire/review_commit` would create from the accepted changes. Absent if there is nothing to commit, or the client may not. */
  readonly commit?: { readonly message: string; readonly files: readonly string[] };
}

/** A file, or some of its hunks, for a decision. */
export type ReviewedChange =
  | { readonly path: string; readonly version: string }
  | { readonly path: string; readonly hunks: readonly string[] };

/** Files that were left as they are, and why. */
export interface ReviewResult {
  readonly failures: readonly { readonly path: string; readonly why: string }[];
}
