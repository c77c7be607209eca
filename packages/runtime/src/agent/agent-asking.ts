import type { AgentDifferences } from '@turnwire/client/known-agents';
import type { Permissions } from '@turnwire/permissions';

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

/** True for an agent that never asks, whatever it does. */
export function neverAsks(differences: AgentDifferences | undefined): boolean {
  return differences?.asking?.by === 'nothing';
}

/** A rule that asks or denies needs questions, also where the mode allows the rest. */
function allowsEverything({ mode, limits, rules }: Deciding): boolean {
  return mode === 'bypassPermissions' && limits === undefined && rules.every(({ effect }) => effect === 'allow');
}
