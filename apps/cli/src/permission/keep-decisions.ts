import { decisionLog, type Permissions } from '@turnwire/permissions';
import { decisionsFile } from '../places.ts';
import { decisionWrites } from './pending-writes.ts';

/**
 * Logs decisions to the file of decisions. A failure to write it does not fail the turn.
 * @param warn called once if that fails. Undefined: the failure is ignored
 */
export function keepDecisions(permissions: Permissions, warn: ((message: string) => void) | undefined): void {
  let log: ReturnType<typeof decisionLog> | undefined;
  let hasFailed = false;
  permissions.onDecision((record) => {
    // The first decision creates the folder: most processes never make one.
    log ??= decisionLog(decisionsFile());
    log.listener(record);
    const written = log.flush().catch((error: unknown) => {
      if (!hasFailed) warn?.(`decisions are not written to ${decisionsFile()}: ${(error as Error).message}`);
      hasFailed = true;
    });
    decisionWrites.add(written);
  });
}
