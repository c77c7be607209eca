import { createPermissions, type Permissions, type RuleSource, rulesFiles } from '@turnwire/permissions';
import { warn } from '../../failure.ts';
import type { GlobalOptions } from '../../options.ts';
import { judgement } from '../../permission/judgement.ts';

/** The selected source of rules. Without a flag: all sources, or the project for a change. */
export interface RuleScope {
  readonly project?: true;
  readonly user?: true;
}

/** The source to change. */
export function changedSource({ user }: RuleScope): Extract<RuleSource, 'project' | 'user'> {
  return user ? 'user' : 'project';
}

/** The permissions of a turn in this folder. Warnings about the files are printed. */
export function permissionsInForce({ cwd, permission }: GlobalOptions): Permissions {
  const files = rulesFiles(cwd);
  return createPermissions({ project: cwd, ...judgement(permission, []), files, onWarning: warn });
}

/** The permissions of the files alone, without the command line, for a change. */
export function permissionsOfFiles(cwd: string): Permissions {
  return createPermissions({ project: cwd, files: rulesFiles(cwd), onWarning: warn });
}

/** Whether a rules file is broken. Rules that wait for acceptance also cause a warning, but they are not an error. */
export function hasBrokenFile({ warnings, rules }: Permissions): boolean {
  const notes = rules.some(({ isAccepted }) => isAccepted === false) ? 1 : 0;
  return warnings.length > notes;
}
