import { MovedError } from '../holding/holding.ts';
import { codeOf, systemReason } from '../system-reason.ts';
import { FileOperations, OperationError } from './file-operations.ts';
import type { OperationContext, OperationStep } from './file-operation.ts';

/**
 * Runs a command line of `mkdir`, `rm`, `mv`, `touch` and `cp`, without a shell and without these programs. Every folder on the path is kept open
 * while it is used, so that a link created at any moment cannot lead to a file that must not be touched. Resolves with the exit code.
 */
export async function runFileOperations(steps: readonly OperationStep[], context: OperationContext): Promise<number> {
  const operations = new FileOperations(context);
  let code = 0;
  for (const { needsSuccess, ...step } of steps) {
    if (needsSuccess && code !== 0) continue;
    code = 0;
    for (const run of operations.of(step)) {
      context.signal.throwIfAborted();
      try {
        await run();
      } catch (error) {
        code = 1;
        context.print(`${step.name}: ${reasonOf(error)}\n`);
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
