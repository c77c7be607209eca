import type { SessionClaim, SessionStore } from '../../src/store/session-store.ts';
import { StoreError } from '../../src/store/store-error.ts';

/**
 * Writes events `NAME 1`, `NAME 2` … to a session until this process is killed, many at a time. It prints a line for each that is stored: its
 * epoch, its sequence and its text. When another process has claimed the session it claims it back.
 */
export async function writeUntilKilled(store: SessionStore, id: string, name: string): Promise<never> {
  let count = 0;
  const write = async (claim: SessionClaim): Promise<void> => {
    const text = `${name} ${++count}`;
    const stored = await store.append(claim, [{ at: 1, type: 'update', payload: JSON.stringify(text), key: text }]);
    for (const { epoch, sequence } of stored) process.stdout.write(`${epoch} ${sequence} ${text}\n`);
  };
  for (;;) {
    const claim = await store.claim('ada', id);
    try {
      for (;;) await Promise.all(Array.from({ length: 20 }, () => write(claim)));
    } catch (error) {
      if (!(error instanceof StoreError) || error.code !== 'fenced') throw error;
    }
  }
}
