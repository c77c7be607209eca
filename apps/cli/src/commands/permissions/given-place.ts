import { createPermissions, type Permissions, type RuleSource } from '@turnwire/permissions';
import { complain } from '../../failure.ts';
import type { GlobalOptions } from '../../options.ts';
import { judgement, rulesFiles } from '../../permission/turn-permissions.ts';

/** Whose rules are meant. Neither: all, or the project's for a change. */
export interface GivenPlace {
  readonly project?: true;
  readonly user?: true;
}

/** The place a change is made in. */
export function changedSource({ user }: GivenPlace): Extract<RuleSource, 'project' | 'user'> {
  return user ? 'user' : 'project';
}

/** The permissions in force here, as a turn would have them. What is wrong with the files is told. */
export function permissionsInForce({ cwd, permission }: GlobalOptions): Permissions {
  const files = rulesFiles(cwd);
  return createPermissions({ project: cwd, ...judgement(permission, []), files, onWarning: complain });
}

/** The permissions of the files alone, for a change. */
export function permissionsOfFiles(cwd: string): Permissions {
  return createPermissions({ project: cwd, files: rulesFiles(cwd), onWarning: complain });
}

/** Whether a file cannot be understood. That rules wait to be accepted is told in one sentence too, but then nothing is broken. */
export function hasBrokenFile({ warnings, rules }: Permissions): boolean {
  const told = rules.some(({ isAccepted }) => isAccepted === false) ? 1 : 0;
  return warnings.length > told;
}
