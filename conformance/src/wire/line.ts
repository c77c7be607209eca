import type { FrameFlaw } from '@turnwire/trace';

/** Receives the lines of a connection. */
export interface LineReceiver {
  /** Receives one line, without its line break. `flaw` is an error in its bytes. */
  text(text: string, flaw?: FrameFlaw): void;
  /** Called once, last: the other side ended its direction, or disconnected. */
  end(): void;
}

/** How the process at the other end exited. */
export interface Exit {
  readonly code: number | null;
  readonly signal: string | null;
}

/** The process at the other end, if there is one. */
export interface LineProcess {
  readonly pid: number;
  readonly exited: Promise<Exit>;
  /** The last 64 KiB of its stderr. */
  readonly stderr: () => string;
  /** Signals the process and its child processes. */
  readonly kill: (signal: 'SIGTERM' | 'SIGKILL') => void;
}

/**
 * A connection to the subject, below JSON-RPC: it sends anything, valid or not. Operations that a connection does not support are absent,
 * and requirements that need them are not exercised.
 */
export interface Line {
  start(receiver: LineReceiver): void;
  send(text: string): void;
  /** Sends bytes unchanged. Only on byte streams. */
  readonly sendBytes?: (bytes: Uint8Array) => Promise<void>;
  /** Ends our direction and continues to receive. Only on byte streams. */
  readonly endInput?: () => void;
  readonly process?: LineProcess;
  /** Why the connection ended, as far as known: the end of stderr, or a reason. Empty if unknown. */
  readonly lastOutput?: () => string;
  /** Ends the connection and its process, by force if necessary. */
  close(): Promise<void>;
}
