import type { AgentDifferences } from '@turnwire/client/known-agents';
import type { Permissions } from '@turnwire/permissions';

/** The part of the permissions that decides whether an agent has to ask. */
type Deciding = Pick<Permissions, 'mode' | 'rules' | 'limits' | 'judge'>;

/** The mode in which the agent asks; undefined if its first mode asks, or if the permissions allow everything. */
export function askingModeId(differences: AgentDifferences | undefined, permissions: Deciding): string | undefined {
  const asking = differences?.asking;
  return asking?.by === 'mode' && !allowsEverything(permissions) ? asking.modeId : undefined;
}

/** Whether an agent never asks for permission. */
export function neverAsks(differences: AgentDifferences | undefined): boolean {
  return differences?.asking?.by === 'nothing';
}

/** Whether nothing has to be asked. A rule that asks or denies needs questions, even if the mode allows the rest. */
export function allowsEverything({ mode, limits, rules }: Deciding): boolean {
  return mode === 'bypassPermissions' && limits === undefined && rules.every(({ effect }) => effect === 'allow');
}
