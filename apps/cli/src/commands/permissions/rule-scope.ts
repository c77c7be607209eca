import { createPermissions, type Permissions, type RuleSource, rulesFiles } from '@turnwire/permissions';
import { warn } from '../../failure.ts';
import type { GlobalOptions } from '../../options.ts';
import { judgement } from '../../permission/judgement.ts';

/** Whose rules are meant. Neither: all; for a change, the project's. */
export interface RuleScope {
  readonly project?: true;
  readonly user?: true;
}

/** The place a change is made in. */
export function changedSource({ user }: RuleScope): Extract<RuleSource, 'project' | 'user'> {
  return user ? 'user' : 'project';
}

/** The permissions in force here, as a turn would have them. Problems of the files are printed. */
export function permissionsInForce({ cwd, permission }: GlobalOptions): Permissions {
  const files = rulesFiles(cwd);
  return createPermissions({ project: cwd, ...judgement(permission, []), files, onWarning: warn });
}

/** The permissions of the files alone, for a change. */
export function permissionsOfFiles(cwd: string): Permissions {
  return createPermissions({ project: cwd, files: rulesFiles(cwd), onWarning: warn });
}

/** Whether a file cannot be read. Rules waiting for acceptance are reported the same way, but are not an error. */
export function hasBrokenFile({ warnings, rules }: Permissions): boolean {
  const notes = rules.some(({ isAccepted }) => isAccepted === false) ? 1 : 0;
  return warnings.length > notes;
}
