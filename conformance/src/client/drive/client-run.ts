import type { Exit } from '../../wire/line.ts';

export interface ClientRun {
  /** Its processes, as far as they were started for it. */
  readonly pids: () => readonly (number | undefined)[];
  /** Resolves when it has done it, or gone otherwise. */
  readonly exited: Promise<Exit>;
  /** What it printed so far: 1 MiB of each at most, the last. */
  readonly stdout: () => string;
  readonly stderr: () => string;
  /** Has the turn cancelled that runs. Resolves when that was asked for. */
  cancel(): Promise<void>;
  /** Asks it to end, as a user does with Ctrl-C. */
  interrupt(): void;
  /** Ends it with force, and everything it started. */
  kill(): Promise<void>;
}

export interface ClientEnd {
  /** `interrupted`: it had to be asked to; `killed`: it did not heed that either. */
  readonly how: 'by itself' | 'interrupted' | 'killed';
  readonly exit: Exit;
  readonly pids: readonly (number | undefined)[];
  readonly stdout: string;
  readonly stderr: string;
}
