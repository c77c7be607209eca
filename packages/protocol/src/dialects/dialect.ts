import type { WireError } from '../json-rpc/wire-error.ts';

/**
 * The documented ways in which messages deviate from the official form, and how to read them.
 * A dialect rewrites only received messages, before the schema is checked. It never changes sent ones.
 */
export interface Dialect {
  readonly name: 'strict' | 'lenient' | 'go-reference' | 'pharo';
  /** By method: reads the parameters of a received request or notification. */
  readonly params: Readonly<Record<string, Reading | undefined>>;
  /** By method: reads the result of an answer to our own request. */
  readonly results: Readonly<Record<string, Reading | undefined>>;
  /**
   * Maps the numbers of a received error to the official ones, where the meaning is known; otherwise returns it as it is.
   * `method` and `request` are those of the call it answers.
   */
  readonly error?: (error: WireError, method: string, request?: unknown) => WireError;
}

/** How one kind of message is read in a dialect. */
export interface Reading {
  /**
   * True if the value may hold a deviating form that the schema alone would let pass, such as an alias that is read as an unknown key.
   * Runs on every message of its kind, so it must be cheap. Absent: only values that fail the schema are rewritten.
   */
  readonly suspects?: (value: unknown) => boolean;
  /**
   * Rewrites a value to the official form. Returns the very same value if there is nothing to rewrite, or several values where
   * one message means several notifications (none at all, if it is an empty one). Never changes its argument and never throws. Values that
   * it does not understand are returned unchanged.
   */
  readonly rewrite: (value: unknown, context: DialectContext) => unknown | SeveralValues;
}

/** The context in which a dialect reads a value. */
export interface DialectContext {
  /** For results: the parameters of our request. */
  readonly request?: unknown;
  /** Makes an id for something that was sent without one; unique on the connection. */
  readonly freshId: (prefix: string) => string;
  /** The introduction of the other side in `initialize`, as rewritten: the peer's `remote`. */
  readonly remote?: unknown;
  /** Facts about this side's sessions that a message may leave out. Unknown facts stay missing. */
  readonly lookup?: SessionLookup;
}

/** Looks up facts of a session that a message may leave out. */
export interface SessionLookup {
  /** The working directory the session was created in. */
  readonly cwd?: (sessionId: string) => string | undefined;
  /** The session's configuration options, as the agent last sent them. */
  readonly configOptions?: (sessionId: string) => readonly unknown[] | undefined;
}

/** Several notifications that one non-official message stands for, in order. */
export class SeveralValues {
  readonly values: readonly unknown[];

  constructor(values: readonly unknown[]) {
    this.values = values;
  }
}
