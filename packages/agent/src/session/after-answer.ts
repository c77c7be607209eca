import type { Log } from '@turnwire/protocol';

/** Does something once the answer that is about to be returned has been written. */
export function afterAnswer(work: () => Promise<unknown>, log: Log): void {
  setImmediate(() => {
    work().catch((error: unknown) => log({ level: 'error', event: 'what follows a session’s start failed', error }));
  });
}
