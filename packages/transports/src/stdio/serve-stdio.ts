import type { Transport } from '@turnwire/protocol';
import type { LineLimits } from '../lines/line-transport.ts';
import { divertStdout } from './divert-stdout.ts';
import { stdioTransport } from './stdio-transport.ts';

/**
 * Reserves this process's stdin and stdout for the protocol. From now on only frames reach stdout: `console.log` and everything else that writes to
 * `process.stdout` goes to stderr, until the transport is disposed of. Call it once, before anything is printed.
 *
 * Direct writes to file descriptor 1 cannot be diverted. Start child processes with `stdio: 'pipe'` or `'ignore'`, never `'inherit'`. A client that
 * does not read never blocks this process, but unread output can keep the process alive: call `process.exit` when the connection has ended.
 */
export function serveStdio(limits: LineLimits = {}): Transport {
  const transport = stdioTransport({ ...limits, input: process.stdin, output: process.stdout });
  const restore = divertStdout();
  return {
    start: (receiver) => transport.start(receiver),
    send: (frame) => transport.send(frame),
    close: () => transport.close(),
    [Symbol.asyncDispose]: async () => {
      await transport[Symbol.asyncDispose]();
      restore();
    },
  };
}
