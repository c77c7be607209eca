import type { FrameFlaw } from '@turnwire/trace';

/** Hears what comes over a line. */
export interface LineReceiver {
  /** One line, without its end. `flaw` says what is wrong with its bytes. */
  text(text: string, flaw?: FrameFlaw): void;
  /** The other side ended its direction, or is gone. Called once, last. */
  end(): void;
}

/** How the process at the other end ended. */
export interface Exit {
  readonly code: number | null;
  readonly signal: string | null;
}

/** The process at the other end, if there is one. */
export interface LineProcess {
  readonly pid: number;
  readonly exited: Promise<Exit>;
  /** What it printed last on stderr, 64 KiB at most. */
  readonly stderr: () => string;
  /** Signals it and what it started. */
  readonly kill: (signal: NodeJS.Signals) => void;
}

/**
 * A connection to the subject, below JSON-RPC: whatever is sent is sent, right or wrong. What a connection cannot do is absent, and what
 * would need it is not exercised.
 */
export interface Line {
  start(receiver: LineReceiver): void;
  /** Sends a text and the end of the line. Never throws. */
  send(text: string): void;
  /** Sends bytes as they are: on byte streams only. */
  readonly sendBytes?: (bytes: Uint8Array) => Promise<void>;
  /** Ends our direction and continues listening: on byte streams only. */
  readonly endInput?: () => void;
  readonly process?: LineProcess;
  /** Ends everything, with force if need be. */
  close(): Promise<void>;
}
