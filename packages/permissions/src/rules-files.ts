import { join } from 'node:path';
import { configFolder, type EnvironmentVariables, stateFolder } from '@turnwire/machine';
import type { PermissionsOptions } from './permissions.ts';

/**
 * The files that store the rules of a project and of its user, and the accepted rules of projects. The command `turnwire` and its coding
 * agent share these files, so that a rule applies in both.
 * @param env default: the variables of this process
 */
export function rulesFiles(
  project: string,
  env: EnvironmentVariables = process.env,
): NonNullable<PermissionsOptions['files']> {
  return {
    project: join(project, '.turnwire', 'permissions.json'),
    user: join(configFolder(env), 'permissions.json'),
    // State rather than a setting: its keys are folders of this machine.
    accepted: join(stateFolder(env), 'accepted-rules.json'),
  };
}
