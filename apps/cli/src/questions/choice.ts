/** One of several choices. */
export interface Choice<Value> {
  readonly label: string;
  /** A detail, after the label. */
  readonly detail?: string | undefined;
  /** A letter that selects it. */
  readonly letter?: string | undefined;
  readonly value: Value;
}

/** Replaces the choices, with a note about them. */
export type Offer<Value> = (choices: readonly Choice<Value>[], note: string) => void;

/** A choice to make. */
export interface Choosing<Value> {
  readonly title: string;
  readonly choices: readonly Choice<Value>[];
  /** The current value. */
  readonly current?: Value | undefined;
  /** The first search text, if the list has a search. */
  readonly search?: string | undefined;
  /** Whether a search keeps the order of the choices, such as newest first. Default: the best match is first. */
  readonly keepsOrder?: boolean | undefined;
  /** Fetches the choices and shows them as they arrive. The signal aborts once the user has chosen. */
  readonly load?: (offer: Offer<Value>, signal: AbortSignal) => Promise<void>;
}
