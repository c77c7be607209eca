/** Something to choose. */
export interface Choice<Value> {
  readonly label: string;
  /** A detail, after the label. */
  readonly detail?: string | undefined;
  /** A letter that selects it. */
  readonly letter?: string | undefined;
  readonly value: Value;
}

/** Shows other choices, with a note about them. */
export type Offer<Value> = (choices: readonly Choice<Value>[], note: string) => void;

/** A choice the user asked for. */
export interface Choosing<Value> {
  readonly title: string;
  readonly choices: readonly Choice<Value>[];
  /** The current value. */
  readonly current?: Value | undefined;
  /** What is searched for at first, where choices can be searched. */
  readonly search?: string | undefined;
  /** The choices are in an order that matters, such as newest first: a search keeps it for those that contain its text. Default: the best match is first. */
  readonly keepsOrder?: boolean | undefined;
  /** Fetches the choices, which are shown as they arrive. The signal aborts once the user has chosen. */
  readonly load?: (offer: Offer<Value>, signal: AbortSignal) => Promise<void>;
}
