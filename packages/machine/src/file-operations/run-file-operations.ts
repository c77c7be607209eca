import { MovedError } from '../holding/holding.ts';
import { codeOf, systemReason } from '../system-reason.ts';
import { FileOperations, OperationError } from './file-operations.ts';
import type { OperationPlace, OperationStep } from './file-operation.ts';

/**
 * Does what a command line of `mkdir`, `rm`, `mv`, `touch` and `cp` says, without a shell and without these programs. Every folder on the way
 * is kept open while it is used, so no link leads to a file that may not be touched, whenever it was made. Resolves with the exit code.
 */
export async function runFileOperations(steps: readonly OperationStep[], place: OperationPlace): Promise<number> {
  const operations = new FileOperations(place);
  let code = 0;
  for (const { needsSuccess, ...step } of steps) {
    if (needsSuccess && code !== 0) continue;
    code = 0;
    for (const run of operations.of(step)) {
      place.signal.throwIfAborted();
      try {
        await run();
      } catch (error) {
        code = 1;
        place.print(`${step.name}: ${reasonOf(error)}\n`);
      }
    }
  }
  return code;
}

function reasonOf(error: unknown): string {
  if (error instanceof OperationError) return error.message;
  if (error instanceof MovedError) return 'a folder on the way was moved or replaced; nothing was changed';
  return systemReason(codeOf(error));
}
