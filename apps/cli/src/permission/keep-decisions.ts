import { decisionLog, type Permissions } from '@turnwire/permissions';
import { decisionsFile } from '../places.ts';
import { decisionWrites } from './pending-writes.ts';

/**
 * Logs decisions to the file of decisions. A file that cannot be written stops nothing.
 * @param warn called once if that fails; absent: the failure is ignored
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
    // Most processes never decide anything: the folder is created by the first decision.
    log ??= decisionLog(file);
    log.listener(record);
    decisionWrites.add(log.flush().catch(fail));
  });
}
