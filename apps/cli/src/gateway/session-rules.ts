import { type AgentDifferences, permissionsOptionsFor } from '@turnwire/client/known-agents';
import type { SessionRules } from '@turnwire/gateway';
import { createPermissions } from '@turnwire/permissions';
import { keepDecisions } from '../permission/keep-decisions.ts';
import type { PermissionSettings } from '../permission/permission-settings.ts';
import { judgement, rulesFiles } from '../permission/turn-permissions.ts';

/** What the rules of a gateway need besides the settings. */
export interface SessionRulesParts {
  /** Facts about an agent, by its name, if it is a known one. */
  readonly differences: (agent: string) => AgentDifferences | undefined;
  /** Called once if decisions cannot be written down; absent: that is ignored. */
  readonly warn?: (message: string) => void;
}

/** The rules of the sessions of a gateway: those of the command line, of the user and of the session's project. What they leave open is asked. */
export function sessionRules(settings: PermissionSettings, { differences, warn }: SessionRulesParts): SessionRules {
  return ({ cwd, agent }, { ask, onWarning }) => {
    const permissions = createPermissions({
      project: cwd,
      ...judgement(settings, []),
      ...permissionsOptionsFor(differences(agent)),
      files: rulesFiles(cwd),
      ask,
      onWarning,
    });
    keepDecisions(permissions, warn);
    return permissions;
  };
}
