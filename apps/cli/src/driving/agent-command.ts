import { agentEnvironment, commandWords, type Environment, programPath } from '@turnwire/client/node';
import {
  type AgentDifferences,
  fetchedCommand,
  installedCommand,
  type KnownAgent,
  knownAgent,
  knownAgentNamed,
  knownAgents,
} from '@turnwire/client/known-agents';
import { expanded } from '@turnwire/machine';
import type { AgentPlace } from '@turnwire/runtime/places';
import { agreedAgent } from './agent-consent.ts';
import { isFetchAgreed, offeredFetch } from './fetched-agent.ts';
import { passedVariable } from './passed-variables.ts';
import type { Config, ConfiguredAgent } from '../config/config.ts';
import { userConfigPath } from '../config/read-config.ts';
import { CommandError } from '../failure.ts';
import type { GlobalOptions } from '../options.ts';
import { ownCommand } from '../own-command.ts';
import { shownCommand } from '../shown-command.ts';
import { headersVariable, isRemoteAgent, remoteVariables, startableWords } from './remote-agent.ts';
import type { AgentChoice } from '../store/session-record.ts';
import { builtInAgentName } from '../built-in-agent.ts';
import { exitCodes } from '../exit-codes.ts';

/** The agent of a command, and its start. */
export interface AgentCommand {
  readonly choice: AgentChoice;
  readonly words: readonly string[];
  readonly env: Environment;
  readonly inheritEnv: readonly string[];
  /** The version of the protocol to ask for. Default: 1, or 2 if the agent has only that. */
  readonly protocol?: 1 | 2 | undefined;
  /** Whether it is the built-in agent, not a configured one with its name. */
  readonly isBuiltIn?: boolean | undefined;
  /** Where it and its commands run. Default: on this machine. */
  readonly place?: AgentPlace | undefined;
  /** The differences of a known agent from others. */
  readonly differences?: AgentDifferences | undefined;
}

/** The variables that only the built-in agent inherits: its own and those of its models. Other TURNWIRE variables hold tokens and secrets of a server. */
const builtInVariables = [
  'TURNWIRE_CODER_*',
  'TURNWIRE_STARTED_AS',
  'ANTHROPIC_*',
  'OPENAI_*',
  'GOOGLE_*',
  'GEMINI_*',
  'OPENROUTER_*',
  'OLLAMA_*',
  'LMSTUDIO_*',
  'LM_STUDIO_*',
  'VLLM_*',
  'LLAMACPP_*',
  'XAI_*',
  'DEEPSEEK_*',
  'MISTRAL_*',
  'GROQ_*',
];

/** The purpose of the agent. */
export interface AgentUse {
  /** Offers to get a known agent that is not installed. */
  readonly getsMissing?: boolean;
  /** The command sends one prompt, for which the agent waits for its MCP servers. */
  readonly isOneTurn?: boolean;
  /** The variables for `${NAME}` in the configuration. Default: those of this process. */
  readonly variables?: NodeJS.ProcessEnv;
}

/**
 * Finds the agent of the options. An agent of the project needs the consent of the user, once. Rejects with CommandError for an unknown name,
 * without consent, and for a command that cannot be split into words.
 */
export async function agentCommand(options: GlobalOptions, use: AgentUse = {}): Promise<AgentCommand> {
  return completed(await namedCommand(options, use), options);
}

/** Makes the agent of these words: a command, or a URL with options. */
export function commandOfWords(words: readonly string[], options: GlobalOptions): AgentCommand {
  const choice = { command: shownCommand(words) };
  const inheritEnv = isRemoteAgent(words) ? remoteVariables : [];
  return completed({ choice, words: startableWords(words), inheritEnv }, options);
}

function completed(
  { choice, words, env = {}, inheritEnv = [], protocol, isBuiltIn, place }: NamedCommand,
  options: GlobalOptions,
): AgentCommand {
  const known = isBuiltIn ? undefined : knownAgent({ command: words });
  const own = options.env.filter((entry) => entry.includes('=')).map((entry) => entry.split(/=(.*)/s, 2));
  return {
    choice,
    words,
    env: { ...env, ...(Object.fromEntries(own) as Environment) },
    protocol: options.protocol ?? protocol ?? options.config.protocol,
    isBuiltIn,
    place,
    inheritEnv: [...inheritEnv, ...(known?.inheritEnv ?? []), ...options.env.filter((entry) => !entry.includes('='))],
    differences: known?.differences,
  };
}

/** The choice of an agent, as stored data names it. It starts nothing, so it needs no consent. */
export function agentChoice({ agent, agentName }: GlobalOptions): AgentChoice {
  return agent === undefined ? { name: agentName } : { command: agent.trim() };
}

type NamedCommand = Pick<AgentCommand, 'choice' | 'words'> &
  Partial<Pick<AgentCommand, 'env' | 'inheritEnv' | 'protocol' | 'isBuiltIn' | 'place'>>;

async function namedCommand(options: GlobalOptions, use: AgentUse): Promise<NamedCommand> {
  const { agent, agentName, config } = options;
  const choice = agentChoice(options);
  if (agent !== undefined) {
    const words = split(agent);
    return { choice, words: startableWords(words), inheritEnv: isRemoteAgent(words) ? remoteVariables : [] };
  }
  const proposal = options.proposals.get(agentName);
  const configured = proposal ? await agreedAgent(proposal) : config.agents?.[agentName];
  if (configured) {
    const { command, args = [], env, protocol, place } = withVariables(agentName, configured, use.variables);
    return { choice, words: startableWords([...split(command), ...args]), env, protocol, place };
  }
  if (agentName === builtInAgentName)
    return {
      choice,
      words: [...ownCommand('coder'), ...coderFlags(options), ...(use.isOneTurn ? ['--wait-for-mcp'] : [])],
      inheritEnv: builtInVariables,
      env: passedOn(config),
      isBuiltIn: true,
    };
  const known = knownAgentNamed(agentName);
  if (known) return { choice, words: await knownCommand(known, options.cwd, use) };
  throw new CommandError(
    `there is no agent '${agentName}'. Give its command with --agent, or add it to "agents" in ${userConfigPath()}`,
    exitCodes.usage,
  );
}

/** The variables for the agents that the built-in agent hires. They are not its own: the commands that it runs do not get them. */
function passedOn({ agents = {} }: Config): Environment {
  const texts = Object.values(agents).flatMap(({ env = {} }) => Object.values(env));
  const configured = texts.flatMap((text) => [...text.matchAll(/\$\{(\w+)/g)].map(([, name = '']) => name));
  const patterns = knownAgents.flatMap(({ inheritEnv = [] }) => inheritEnv);
  const variables = agentEnvironment(process.env, [...patterns, ...configured]);
  return Object.keys(variables).length === 0 ? {} : { [passedVariable]: JSON.stringify(variables) };
}

async function knownCommand(known: KnownAgent, cwd: string, { getsMissing }: AgentUse): Promise<readonly string[]> {
  const words = installedCommand(known, process.platform);
  const isHere = programPath(words[0], { cwd, env: process.env }) !== undefined;
  if (isHere || (!getsMissing && !isFetchAgreed(known))) return words;
  return (await offeredFetch(known)) ?? refuseMissing(known, words);
}

/** Throws CommandError for a known agent that cannot be started, with the commands that install it. */
function refuseMissing(known: KnownAgent, words: readonly string[]): never {
  const ways = [
    ...(fetchedCommand(known) ? [`turnwire agents get ${known.name}`] : []),
    ...(known.package === undefined ? [] : [`npm install -g ${known.package}`]),
  ];
  const advice =
    ways.length > 0 ? `To install it: ${ways.join(', or ')}` : 'Install it, and put its folder on your PATH';
  throw new CommandError(
    `${known.title} is not installed: there is no program ${words[0]}. ${advice}`,
    exitCodes.error,
  );
}

/**
 * Replaces `${NAME}` in the URL, the headers and the variables of an agent. Headers become a variable of the program that connects. Throws
 * CommandError, which never shows a value.
 */
function withVariables(
  agentName: string,
  configured: ConfiguredAgent,
  environment: NodeJS.ProcessEnv = process.env,
): ConfiguredAgent & { readonly env: Environment } {
  const source = { environment, workspace: undefined };
  const replaced = (text: string): string =>
    expanded(text, source, (problem) => {
      throw new CommandError(`the agent '${agentName}': ${problem}`, exitCodes.usage);
    });
  const { command, env = {}, headers = {} } = configured;
  const variables = Object.entries(env).map(([key, value]) => [key, replaced(value)] as const);
  if (!isRemoteAgent([command])) return { ...configured, env: Object.fromEntries(variables) };
  const lines = Object.entries(headers).map(([key, value]) => `${key}: ${replaced(value)}`);
  if (lines.some((line) => /[\r\n]/.test(line)))
    throw new CommandError(`the agent '${agentName}': a header has more than one line`, exitCodes.usage);
  if (lines.length > 0) variables.push([headersVariable, lines.join('\n')]);
  return { ...configured, command: replaced(command), env: Object.fromEntries(variables) };
}

/** The flags of the built-in agent. As flags they may name any model of a provider and any limit; options of the protocol offer only listed ones. */
function coderFlags({ model, maxTurns, systemPrompt, appendSystemPrompt }: GlobalOptions): readonly string[] {
  const flags = {
    '--model': model,
    '--max-steps': maxTurns,
    '--system-prompt': systemPrompt,
    '--append-system-prompt': appendSystemPrompt,
  };
  // One word each, so that a value with a leading dash is not a flag.
  return Object.entries(flags).flatMap(([flag, value]) => (value === undefined ? [] : [`${flag}=${value}`]));
}

function split(command: string): readonly string[] {
  try {
    return commandWords(command);
  } catch (error) {
    throw new CommandError((error as Error).message, exitCodes.usage);
  }
}
