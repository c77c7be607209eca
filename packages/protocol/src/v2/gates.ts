import { type Agreement, holds, type ParamGate, type Refusal } from '../gates.ts';
import type {
  AgentCapabilities,
  AuthMethod,
  ClientCapabilities,
  ContentBlock,
  McpServer,
} from '../generated/v2-types.ts';

/** The capabilities of both sides in version 2, and the ways to log in. */
export type V2Agreement = Agreement<ClientCapabilities, AgentCapabilities, AuthMethod>;

/** The gates of the stable methods whose parameters may ask for more than every peer offers. */
export const v2ParamGates: { readonly [method: string]: ParamGate } = {
  'auth/login': ({ methodId }: { readonly methodId: string }, { authMethods }: V2Agreement): Refusal => {
    const method = authMethods.find((each) => each.methodId === methodId);
    if (method === undefined) return `methodId: the agent did not list ${JSON.stringify(methodId)} in authMethods`;
    return method.type === 'terminal'
      ? `methodId: ${JSON.stringify(methodId)} is a terminal login: run the agent's command instead`
      : undefined;
  },
  'session/new': refuseSetup,
  'session/resume': refuseSetup,
  'session/prompt': ({ prompt }: { readonly prompt: readonly ContentBlock[] }, { agent }: V2Agreement): Refusal => {
    for (const [index, block] of prompt.entries())
      if (!takes(agent, block))
        return `prompt[${index}]: the agent did not advertise content of type ${JSON.stringify(block.type)}`;
    return undefined;
  },
  'elicitation/create': ({ mode }: { readonly mode: string }, { client }: V2Agreement): Refusal =>
    holds(client, `elicitation.${mode}`)
      ? undefined
      : `mode: the client did not advertise elicitation of mode ${JSON.stringify(mode)}`,
};

interface Setup {
  readonly additionalDirectories?: readonly string[] | undefined;
  readonly mcpServers?: readonly McpServer[] | undefined;
}

const transportCapabilities: { readonly [type: string]: string } = {
  stdio: 'session.mcp.stdio',
  http: 'session.mcp.http',
  acp: 'session.mcp.acp',
};

const blockCapabilities: { readonly [type: string]: string } = {
  image: 'session.prompt.image',
  audio: 'session.prompt.audio',
  resource: 'session.prompt.embeddedContext',
};

/** Refuses folders and MCP servers that the agent did not advertise. */
export function refuseSetup({ additionalDirectories, mcpServers = [] }: Setup, { agent }: V2Agreement): Refusal {
  if (additionalDirectories?.length && !holds(agent, 'session.additionalDirectories'))
    return 'additionalDirectories: the agent did not advertise them';
  for (const [index, { type }] of mcpServers.entries())
    if (!offers(agent, transportCapabilities, type))
      return `mcpServers[${index}]: the agent did not advertise MCP over ${type}`;
  return undefined;
}

/** Every agent accepts text and links; other known types must be advertised. */
function takes(agent: AgentCapabilities, { type }: ContentBlock): boolean {
  return type === 'text' || type === 'resource_link' || offers(agent, blockCapabilities, type);
}

/** Whether the agent advertised a type. One without a capability in this version never is. */
function offers(agent: AgentCapabilities, capabilities: { readonly [type: string]: string }, type: string): boolean {
  const path = Object.hasOwn(capabilities, type) ? capabilities[type] : undefined;
  return path !== undefined && holds(agent, path);
}
