import type { AgentDifferences } from '@turnwire/client/known-agents';
import type { Permissions } from '@turnwire/permissions';
import { exitCodes } from '../exit-codes.ts';
import { CommandError } from '../failure.ts';

/** The permissions, as far as they decide whether an agent has to ask. */
type Deciding = Pick<Permissions, 'mode' | 'rules' | 'limits' | 'judge'>;

/** The mode in which the agent asks, if its first mode does not ask and there is anything to ask about. */
export function askingModeId(differences: AgentDifferences | undefined, permissions: Deciding): string | undefined {
  const asking = differences?.asking;
  return asking?.by === 'mode' && !allowsEverything(permissions) ? asking.modeId : undefined;
}

/** The warning about an agent that cannot be made to ask; undefined if it can, or need not. */
export function neverAsksWarning(differences: AgentDifferences | undefined, permissions: Deciding): string | undefined {
  return neverAsks(differences) && !allowsEverything(permissions) ? 'this agent never asks for permission' : undefined;
}

/**
 * Throws a CommandError if everything is to be refused and the agent is one that does not ask: then nothing would be refused.
 * @param cwd the folder the agent would work in
 */
export function requireEnforceablePolicy(
  differences: AgentDifferences | undefined,
  permissions: Deciding,
  cwd: string,
): void {
  if (!neverAsks(differences)) return;
  const anything = { sessionId: '', roots: [cwd], kind: 'other', paths: [], source: 'request' } as const;
  if (permissions.judge(anything).effect !== 'deny') return;
  throw new CommandError(
    'this agent never asks for permission, so nothing it does can be refused, and it was not started. ' +
      'Name another agent, or leave out the options that refuse: --deny-all, --permission-mode plan, --allowed-tools, or a policy that denies',
    exitCodes.denied,
  );
}

function neverAsks(differences: AgentDifferences | undefined): boolean {
  return differences?.asking?.by === 'nothing';
}

/** A rule that asks or denies needs questions, also where the mode allows the rest. */
function allowsEverything({ mode, limits, rules }: Deciding): boolean {
  return mode === 'bypassPermissions' && limits === undefined && rules.every(({ effect }) => effect === 'allow');
}
