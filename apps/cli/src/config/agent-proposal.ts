import type { ProjectProposal } from '@turnwire/machine';
import type { ConfiguredAgent } from './config.ts';

/** An agent of a project's file that the user has not agreed to start: whoever wrote the project says what runs. */
export interface AgentProposal extends ProjectProposal {
  readonly entry: ConfiguredAgent;
}

/** What would be started, for the user to judge: the command as written, and the variables it would get. */
export function describeAgent({ command, args = [], env = {} }: ConfiguredAgent): string {
  const words = [command, ...args.map((word) => (/^[\w@%+=:,./\\-]+$/.test(word) ? word : JSON.stringify(word)))];
  const variables = Object.keys(env).length > 0 ? [`with the variables ${JSON.stringify(env)}`] : [];
  return [words.join(' '), ...variables].join('\n');
}
