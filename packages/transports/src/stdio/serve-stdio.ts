import type { Transport } from '@turnwire/protocol';
import { divertStdout } from './divert-stdout.ts';
import type { StdioLimits } from './stdio-transport.ts';
import { StdioTransport } from './stdio-transport.ts';

class ServedStdio extends StdioTransport {
  readonly #restore: () => void;

  constructor(limits: StdioLimits) {
    super({ ...limits, input: process.stdin, output: process.stdout });
    this.#restore = divertStdout();
  }

  override async [Symbol.asyncDispose](): Promise<void> {
    await super[Symbol.asyncDispose]();
    this.#restore();
  }
}

/**
 * Takes this process's stdin and stdout for the protocol. From now on only frames reach stdout: `console.log` and
 * everything else that writes to `process.stdout` goes to stderr, until the transport is disposed of.
 * Call it once, before the first line is printed.
 *
 * What it cannot divert: writes to file descriptor 1 itself. Start child processes with `stdio: 'pipe'` or `'ignore'`,
 * never `'inherit'`. A client that does not read never blocks this process, but what it left unread can keep the
 * process alive: call `process.exit` when the connection has ended.
 */
export function serveStdio(limits: StdioLimits = {}): Transport {
  return new ServedStdio(limits);
}
