import { join } from 'node:path';
import { configFolder, stateFolder } from '@turnwire/machine';
import type { Environment } from '../config/environment.ts';

/** Where rules are kept: the same files as the command `turnwire` keeps, so that one rule counts everywhere. */
export function ruleFiles(
  project: string,
  env: Environment = process.env,
): { readonly project: string; readonly user: string; readonly accepted: string } {
  return {
    project: join(project, '.turnwire', 'permissions.json'),
    user: join(configFolder(env), 'permissions.json'),
    accepted: join(stateFolder(env), 'accepted-rules.json'),
  };
}
