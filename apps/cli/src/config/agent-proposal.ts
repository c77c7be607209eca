import type { ProjectProposal } from '@turnwire/machine';
import type { ConfiguredAgent } from './config.ts';

/** An agent of a project's file that the user has not agreed to start. Without consent the author of the project would decide what runs. */
export interface AgentProposal extends ProjectProposal {
  readonly entry: ConfiguredAgent;
}

/** The command, variables and headers as configured, for the user to judge. */
export function describeAgent({ command, args = [], env = {}, headers = {}, place }: ConfiguredAgent): string {
  const words = [command, ...args.map((word) => (/^[\w@%+=:,./\\-]+$/.test(word) ? word : JSON.stringify(word)))];
  const variables = Object.keys(env).length > 0 ? [`with the variables ${JSON.stringify(env)}`] : [];
  const sent = Object.keys(headers).length > 0 ? [`with the headers ${JSON.stringify(headers)}`] : [];
  const behind = place ? [`in the place ${JSON.stringify(place)}`] : [];
  return [words.join(' '), ...behind, ...variables, ...sent].join('\n');
}
