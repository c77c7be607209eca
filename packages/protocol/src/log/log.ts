/** One thing a peer saw. Never holds env, headers, credentials or prompt text. */
export interface LogEntry {
  readonly level: 'debug' | 'info' | 'warn' | 'error';
  /** The event, in a few words. */
  readonly event: string;
  /** The direction of the message. Absent if the entry is not about a message. */
  readonly direction?: 'in' | 'out';
  readonly method?: string;
  readonly id?: number | string | null;
  /** Length of the frame, in UTF-16 units. */
  readonly size?: number;
  /** The mistake, with paths and types, never values. */
  readonly detail?: string;
  /** The message, redacted. Computed when read. */
  readonly message?: unknown;
  /** The error a handler threw, for the local log only. */
  readonly error?: unknown;
}

/** Receives log entries. Must not throw; called on the hot path, so keep it short. */
export type Log = (entry: LogEntry) => void;
