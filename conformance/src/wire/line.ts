import type { FrameFlaw } from '@turnwire/trace';

/** Receives the lines of a connection. */
export interface LineReceiver {
  /** One line, without its end. `flaw` is an error of its bytes. */
  text(text: string, flaw?: FrameFlaw): void;
  /** The other side ended its direction, or disconnected. Called once, last. */
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
  /** The end of its stderr, 64 KiB at most. */
  readonly stderr: () => string;
  /** Signals it and its child processes. */
  readonly kill: (signal: 'SIGTERM' | 'SIGKILL') => void;
}

/**
 * A connection to the subject, below JSON-RPC: anything is sent, valid or not. Operations that a connection does not support are absent,
 * and requirements that need them are not exercised.
 */
export interface Line {
  start(receiver: LineReceiver): void;
  send(text: string): void;
  /** Sends bytes unchanged: on byte streams only. */
  readonly sendBytes?: (bytes: Uint8Array) => Promise<void>;
  /** Ends our direction and continues to receive: on byte streams only. */
  readonly endInput?: () => void;
  readonly process?: LineProcess;
  /** What is known of its end: the end of its stderr, or why the connection ended. Empty if nothing is. */
  readonly lastWords?: () => string;
  /** Ends everything, with force if necessary. */
  close(): Promise<void>;
}
