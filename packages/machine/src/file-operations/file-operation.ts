/** A command that changes the files it names and nothing else: `mkdir`, `rm`, `mv`, `touch` or `cp`. */
export interface FileOperation {
  readonly name: keyof typeof knownLetters;
  /** The letters of its options, of those in {@link knownLetters}. */
  readonly letters: string;
  readonly operands: readonly string[];
}

/** The supported options. `-i`, which asks, is not supported. */
export const knownLetters = { mkdir: 'pv', rm: 'dfrRv', mv: 'fnv', touch: 'acm', cp: 'fnprRv' } as const;

/** An operation of a command line. */
export interface OperationStep extends FileOperation {
  /** It is skipped if the one before it failed, as after `&&`. */
  readonly needsSuccess: boolean;
}

/** The context of operations, and the files that they may touch. */
export interface OperationContext {
  /** The folder in which relative paths start: absolute. */
  readonly cwd: string;
  /** Whether a file may be read: its absolute path, links resolved. */
  readonly mayRead: (real: string) => boolean;
  /** Whether a file may be created, changed or removed, in the same form. */
  readonly mayChange: (real: string) => boolean;
  /** Receives what the commands print: lines with their ends. */
  readonly print: (text: string) => void;
  /** No further file is touched once it aborts. */
  readonly signal: AbortSignal;
}
