import type { Exit } from '../../wire/line.ts';

export interface ClientRun {
  /** The ids of the processes that were started for it. */
  readonly pids: () => readonly (number | undefined)[];
  /** Resolves when it has completed its action, or ended otherwise. */
  readonly exited: Promise<Exit>;
  /** The last 1 MiB of its stdout so far. */
  readonly stdout: () => string;
  /** The last 1 MiB of its stderr so far. */
  readonly stderr: () => string;
  /** Cancels the running turn. Resolves once the cancel was requested. */
  cancel(): Promise<void>;
  /** Asks it to exit, as a user does with Ctrl-C. */
  interrupt(): void;
  /** Kills it and everything it started. */
  kill(): Promise<void>;
}

export interface ClientEnd {
  /** `interrupted`: it exited after an interrupt; `killed`: it ignored that as well. */
  readonly how: 'by itself' | 'interrupted' | 'killed';
  readonly exit: Exit;
  readonly pids: readonly (number | undefined)[];
  readonly stdout: string;
  readonly stderr: string;
}
