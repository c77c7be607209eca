import { join } from 'node:path';
import { type EnvironmentVariables as Environment, stateFolder } from '@turnwire/machine';

/** The log of permission decisions, one JSON object per line. */
export function decisionsFile(env: Environment = process.env): string {
  return join(stateFolder(env), 'decisions.jsonl');
}

/** The file of accepted project rules. It is not a setting: it belongs to the folders of this machine. */
export function acceptedRulesFile(env: Environment = process.env): string {
  return join(stateFolder(env), 'accepted-rules.json');
}
