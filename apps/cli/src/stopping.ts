import { exitCodes, signalCodes } from './exit-codes.ts';
import { stdout } from './terminal/output.ts';

/** Why a command stops early. */
export interface Stop {
  readonly exitCode: number;
  /** A message for the user; absent if they know. */
  readonly message?: string;
}

/** One Ctrl-C may arrive several times: from the terminal, and again from npm and other parents. */
const sameKeypress = 250;

/**
 * Everything that can stop a turn from outside: Ctrl-C, a signal, `--timeout`, the reader of our output closing it.
 * The first of them aborts {@link signal}, so that the agent is asked to stop; a second Ctrl-C ends this process at once, and the
 * agent's processes with it.
 */
export class Stopping implements Disposable {
  readonly #controller = new AbortController();
  readonly #timer: NodeJS.Timeout | undefined;
  readonly #stopHearing: () => void;
  #pressed = -Infinity;

  constructor(timeout: number | undefined) {
    for (const signal of signals) process.on(signal, this.#onSignal);
    this.#stopHearing = stdout.on('error', this.#onBrokenOutput);
    if (timeout !== undefined)
      this.#timer = setTimeout(
        () => this.stop({ exitCode: exitCodes.timeout, message: `stopped: it took longer than ${timeout} s` }),
        timeout * 1000,
      );
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** The reason; undefined while it has not stopped. */
  get reason(): Stop | undefined {
    return this.signal.aborted ? (this.signal.reason as Stop) : undefined;
  }

  /** Acts as on Ctrl-C. */
  readonly interrupt = (): void => this.#onSignal('SIGINT');

  [Symbol.dispose](): void {
    clearTimeout(this.#timer);
    for (const signal of signals) process.off(signal, this.#onSignal);
    this.#stopHearing();
  }

  /** Stops for another reason, unless it has stopped already. */
  stop(stop: Stop): void {
    if (!this.signal.aborted) this.#controller.abort(stop);
  }

  /** Waits for work until the command stops. Then it resolves with undefined, and ignores the outcome of the work. */
  async unlessStopped<Value>(work: Promise<Value>): Promise<Value | undefined> {
    const stopped = new Promise<undefined>((resolve) => {
      if (this.reason) resolve(undefined);
      this.signal.addEventListener('abort', () => resolve(undefined), { once: true });
    });
    return Promise.race([stopped, work]);
  }

  readonly #onSignal = (signal: keyof typeof signalCodes): void => {
    const now = performance.now();
    if (now - this.#pressed < sameKeypress) return;
    this.#pressed = now;
    if (this.reason) process.exit(signalCodes[signal]);
    this.stop({ exitCode: signalCodes[signal] });
  };

  /** A reader that left knows why; a user who redirected to a full disk does not. */
  readonly #onBrokenOutput = ({ code, message }: NodeJS.ErrnoException): void =>
    this.stop({
      exitCode: exitCodes.error,
      ...(code !== 'EPIPE' && { message: `stopped: the output cannot be written (${message})` }),
    });
}

const signals = ['SIGHUP', 'SIGINT', 'SIGTERM'] as const;
