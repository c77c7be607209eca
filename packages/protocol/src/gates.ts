import type {
  AgentCapabilities,
  AuthMethod,
  ClientCapabilities,
  ContentBlock,
  McpServer,
  SessionConfigOption,
} from './generated/types.ts';
import { isObject } from './json-rpc/json-object.ts';
import type { Side } from './side.ts';

/** The capabilities of both sides, and the ways to log in. */
export interface Agreement<Client = ClientCapabilities, Agent = AgentCapabilities, Login = AuthMethod> {
  readonly client: Client;
  readonly agent: Agent;
  readonly authMethods: readonly Login[];
}

/** Why a message must not be sent or will not be taken; undefined when it may pass. */
export type Refusal = string | undefined;

/** The side that handles a method, and paths into its capabilities. One of them must be advertised; an empty list needs none. */
interface Offer {
  readonly side: Side | 'both';
  readonly capabilities: readonly string[];
}

/** True if the side that handles the method advertised it (protocol: Initialization, Capabilities). */
export function isAdvertised({ side, capabilities }: Offer, { agent, client }: Agreement): boolean {
  return capabilities.length === 0 || capabilities.some((path) => holds(side === 'agent' ? agent : client, path));
}

/** Whether capabilities have something at a path. Flags must be true; markers must be objects. */
export function holds(capabilities: unknown, path: string): boolean {
  const dot = path.indexOf('.');
  const key = dot < 0 ? path : path.slice(0, dot);
  const value = isObject(capabilities) && Object.hasOwn(capabilities, key) ? capabilities[key] : undefined;
  // Called for each message, so it makes no list of the keys.
  if (dot >= 0) return holds(value, path.slice(dot + 1));
  return value === true || isObject(value);
}

/** Checks what parameters need of the handling side's capabilities. Gets only parameters that fit the schema. */
export type ParamGate = (params: never, agreement: never) => Refusal;

/** Checks what an agent's answer needs of the client's capabilities. */
export function refuseResult(side: Side, result: unknown, agreement: Agreement): Refusal {
  return side === 'agent'
    ? refuseBooleanOptions((result as { readonly configOptions?: ConfigOptions }).configOptions, agreement)
    : undefined;
}

/** The gates of the stable methods whose parameters may ask for more than every peer offers. */
export const paramGates: { readonly [method: string]: ParamGate } = {
  authenticate: ({ methodId }: { readonly methodId: string }, { authMethods }: Agreement): Refusal => {
    const method = authMethods.find(({ id }) => id === methodId);
    if (method === undefined) return `methodId: the agent did not list ${JSON.stringify(methodId)} in authMethods`;
    return 'type' in method && method.type === 'terminal'
      ? `methodId: ${JSON.stringify(methodId)} is a terminal login: run the agent's command instead`
      : undefined;
  },
  'session/new': refuseSetup,
  'session/load': refuseSetup,
  'session/resume': refuseSetup,
  'session/prompt': ({ prompt }: { readonly prompt: readonly ContentBlock[] }, { agent }: Agreement): Refusal => {
    for (const [index, block] of prompt.entries())
      if (!takes(agent, block))
        return `prompt[${index}]: the agent did not advertise content of type ${JSON.stringify(block.type)}`;
    return undefined;
  },
  'session/update': (
    { update }: { readonly update: { readonly sessionUpdate: string; readonly configOptions?: ConfigOptions } },
    agreement: Agreement,
  ): Refusal => {
    switch (update.sessionUpdate) {
      case 'notice':
        return refuseUpdate(agreement, 'session.notices');
      case 'compaction_update':
      case 'compaction_summary_chunk':
        return refuseUpdate(agreement, 'session.compaction');
      case 'plan_update':
      case 'plan_removed':
        return refuseUpdate(agreement, 'plan');
      case 'subagent_update':
      case 'session_message':
      case 'session_message_chunk':
        return refuseUpdate(agreement, 'subagents');
      case 'config_option_update':
        return refuseBooleanOptions(update.configOptions, agreement);
      default:
        return undefined;
    }
  },
  'elicitation/create': ({ mode }: { readonly mode: string }, { client }: Agreement): Refusal =>
    holds(client, `elicitation.${mode}`)
      ? undefined
      : `mode: the client did not advertise elicitation of mode ${JSON.stringify(mode)}`,
};

function refuseUpdate({ client }: Agreement, path: string): Refusal {
  return holds(client, path) ? undefined : `update: the client did not advertise ${path}`;
}

type ConfigOptions = readonly SessionConfigOption[] | null | undefined;

interface Setup {
  readonly additionalDirectories?: readonly string[] | undefined;
  readonly mcpServers?: readonly McpServer[] | undefined;
}

function refuseSetup({ additionalDirectories, mcpServers = [] }: Setup, { agent }: Agreement): Refusal {
  if (additionalDirectories?.length && !holds(agent, 'sessionCapabilities.additionalDirectories'))
    return 'additionalDirectories: the agent did not advertise them';
  for (const [index, server] of mcpServers.entries()) {
    const type = 'type' in server ? server.type : 'stdio';
    if (type !== 'stdio' && !holds(agent, `mcpCapabilities.${type}`))
      return `mcpServers[${index}]: the agent did not advertise MCP over ${type}`;
  }
  return undefined;
}

/** Every agent accepts text and links; other known types must be advertised; unknown types are never sent. */
function takes(agent: AgentCapabilities, { type }: ContentBlock): boolean {
  if (type === 'text' || type === 'resource_link') return true;
  return holds(agent, `promptCapabilities.${type === 'resource' ? 'embeddedContext' : type}`);
}

function refuseBooleanOptions(options: ConfigOptions, { client }: Agreement): Refusal {
  const index = options?.findIndex((option) => option.type === 'boolean') ?? -1;
  return index < 0 || holds(client, 'session.configOptions.boolean')
    ? undefined
    : `configOptions[${index}]: the client did not advertise boolean options`;
}
