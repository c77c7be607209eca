import { type AgentDifferences, permissionsOptionsFor } from '@turnwire/client/known-agents';
import type { SessionRules } from '@turnwire/gateway';
import { createPermissions } from '@turnwire/permissions';
import { keepDecisions } from '../permission/keep-decisions.ts';
import type { PermissionSettings } from '../permission/permission-settings.ts';
import { judgement, rulesFiles } from '../permission/turn-permissions.ts';

/** The rules of the sessions of a gateway: those of the command line, of the user and of the session's project. What they leave open is asked. */
export function sessionRules(
  settings: PermissionSettings,
  {
    differences,
    warn,
  }: { readonly differences?: AgentDifferences | undefined; readonly warn?: (message: string) => void },
): SessionRules {
  return ({ cwd }, { ask, onWarning }) => {
    const permissions = createPermissions({
      project: cwd,
      ...judgement(settings, []),
      ...permissionsOptionsFor(differences),
      files: rulesFiles(cwd),
      ask,
      onWarning,
    });
    keepDecisions(permissions, warn);
    return permissions;
  };
}
