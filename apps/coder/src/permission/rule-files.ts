import { join } from 'node:path';
import { configFolder, stateFolder } from '@turnwire/machine';
import type { Environment } from '../config/environment.ts';

/** Where rules are stored: the same files that the command `turnwire` uses, so that a rule applies in both. */
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
