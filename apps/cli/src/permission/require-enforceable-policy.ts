import type { AgentDifferences } from '@turnwire/client/known-agents';
import { neverAsks } from '@turnwire/runtime';
import { createPermissions, rulesFiles } from '@turnwire/permissions';
import { exitCodes } from '../exit-codes.ts';
import { CommandError } from '../failure.ts';
import { judgement } from './judgement.ts';
import type { PermissionSettings } from './permission-settings.ts';

/**
 * Throws CommandError if the settings refuse everything and the agent never asks: then nothing would be refused.
 * @param cwd the folder of the agent
 */
export function requireEnforceablePolicy(
  differences: AgentDifferences | undefined,
  settings: PermissionSettings,
  cwd: string,
): void {
  if (!neverAsks(differences)) return;
  const permissions = createPermissions({ project: cwd, ...judgement(settings, []), files: rulesFiles(cwd) });
  const anything = { sessionId: '', roots: [cwd], kind: 'other', paths: [], source: 'request' } as const;
  if (permissions.judge(anything).effect !== 'deny') return;
  throw new CommandError(
    'this agent never asks for permission, so nothing it does can be refused, and it was not started. ' +
      'Name another agent, or leave out the options that refuse: --deny-all, --permission-mode plan, --allowed-tools, or a policy that denies',
    exitCodes.denied,
  );
}
