import type { AgentDifferences } from '@turnwire/client/known-agents';
import type { Permissions } from '@turnwire/permissions';

/** The part of the permissions that decides whether an agent has to ask. */
type Deciding = Pick<Permissions, 'mode' | 'rules' | 'limits' | 'judge'>;

/** The mode in which the agent asks; undefined if its first mode asks, or if the permissions allow everything. */
export function askingModeId(differences: AgentDifferences | undefined, permissions: Deciding): string | undefined {
  const asking = differences?.asking;
  return asking?.by === 'mode' && !allowsEverything(permissions) ? asking.modeId : undefined;
}

/** The warning about an agent that never asks; undefined if it asks, or if the permissions allow everything. */
export function neverAsksWarning(differences: AgentDifferences | undefined, permissions: Deciding): string | undefined {
  return neverAsks(differences) && !allowsEverything(permissions) ? 'this agent never asks for permission' : undefined;
}

/** Whether an agent never asks for permission. */
export function neverAsks(differences: AgentDifferences | undefined): boolean {
  return differences?.asking?.by === 'nothing';
}

/** A rule that asks or denies needs questions, even if the mode allows the rest. */
function allowsEverything({ mode, limits, rules }: Deciding): boolean {
  return mode === 'bypassPermissions' && limits === undefined && rules.every(({ effect }) => effect === 'allow');
}
