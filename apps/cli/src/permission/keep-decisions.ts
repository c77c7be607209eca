import { decisionLog, type Permissions } from '@turnwire/permissions';
import { decisionsFile } from '../places.ts';
import { decisionWrites } from './pending-writes.ts';

/**
 * Logs decisions to the file of decisions. A failure to write it does not fail the turn.
 * @param warn called once if that fails. Undefined: the failure is ignored
 */
export function keepDecisions(permissions: Permissions, warn: ((message: string) => void) | undefined): void {
  const file = decisionsFile();
  let log: ReturnType<typeof decisionLog> | undefined;
  let hasFailed = false;
  const fail = (error: unknown): void => {
    if (!hasFailed) warn?.(`decisions are not written to ${file}: ${(error as Error).message}`);
    hasFailed = true;
  };
  permissions.onDecision((record) => {
    // The first decision creates the folder: most processes never make one.
    log ??= decisionLog(file);
    log.listener(record);
    decisionWrites.add(log.flush().catch(fail));
  });
}
