import { basename, extname } from 'node:path';
import { programPath } from '@turnwire/client/node';
import { isAgentName } from '../../config/agent-names.ts';
import { type AgentCommand, agentCommand } from '../../driving/agent-command.ts';
import { warn } from '../../failure.ts';
import type { GlobalOptions } from '../../options.ts';

/** An agent of a server, with the name that clients use. */
export interface ServedAgent {
  readonly name: string;
  readonly command: AgentCommand;
}

/**
 * The agents of a server. Each is a name or a command. Without any, the agent that the command line names, or the default one. Rejects with
 * CommandError as {@link agentCommand} does.
 */
export async function servedAgents(named: readonly string[], options: GlobalOptions): Promise<readonly ServedAgent[]> {
  const { agent: _, ...rest } = options;
  const served: ServedAgent[] = [];
  if (named.length === 0) served.push({ name: options.agentName, command: await agentCommand(rest) });
  for (const each of named) {
    const isName = isAgentName(each, options.config) || options.proposals.has(each);
    const command = await agentCommand(isName ? { ...rest, agentName: each } : { ...rest, agent: each });
    served.push({ name: freeName(isName ? each : programName(command.words), served), command });
  }
  for (const { name, command } of served) warnIfMissing(name, command, options);
  return served;
}

/** Warns about a missing program. The server starts anyway, because the program may be installed before a client needs it. */
function warnIfMissing(name: string, { words: [program = ''] }: AgentCommand, { cwd }: GlobalOptions): void {
  if (programPath(program, { cwd, env: process.env }) !== undefined) return;
  warn(`the agent ${name} is not installed: there is no program ${program}. Clients that need it get an error`);
}

/** A name for a command: the name of its program, or of the script that Node runs. */
function programName([program = '', ...words]: readonly string[]): string {
  const isNode = /^node(?:\.exe)?$/.test(basename(program));
  const named = (isNode ? words.find((word) => !word.startsWith('-')) : undefined) ?? program;
  const name = basename(named, extname(named)).replaceAll(/[^\w.-]/g, '-');
  return /\w/.test(name) ? name : 'agent';
}

function freeName(name: string, taken: readonly ServedAgent[]): string {
  const isTaken = (wanted: string): boolean => taken.some((served) => served.name === wanted);
  if (!isTaken(name)) return name;
  for (let number = 2; ; number++) if (!isTaken(`${name}-${number}`)) return `${name}-${number}`;
}
