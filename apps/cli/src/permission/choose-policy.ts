import { approveAll, denyAll, type PermissionPolicy } from '@agentwire/client';
import { complain } from '../failure.ts';
import type { GlobalOptions } from '../options.ts';
import type { ToolCalls } from '../output/tool-calls.ts';
import { approveReads } from './approve-reads.ts';
import { type Asking, askPerson } from './ask-person.ts';

/** The policy the options ask for; without one, whoever can be asked is. */
export function choosePolicy(options: GlobalOptions, calls: ToolCalls, asking: Asking | undefined): PermissionPolicy {
  if (options.approveAll) return approveAll;
  if (options.denyAll) return denyAll;
  if (asking) return askPerson(asking, calls);
  return approveReads(calls, (title) =>
    complain(`refused: ${title} (nobody can be asked here; --approve-all allows it)`),
  );
}
