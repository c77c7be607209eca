import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { projectRoot, type EnvironmentVariables as Environment, stateFolder } from '@turnwire/machine';

/** The log of permission decisions, one JSON object per line. */
export function decisionsFile(env: Environment = process.env): string {
  return join(stateFolder(env), 'decisions.jsonl');
}

/** The prompts that were typed in chats of a project, one JSON text per line. */
export function promptsFile(cwd: string, env: Environment = process.env): string {
  const key = createHash('sha256').update(projectRoot(cwd)).digest('hex').slice(0, 16);
  return join(stateFolder(env), 'prompts', `${key}.jsonl`);
}
