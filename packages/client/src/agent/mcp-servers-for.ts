import type { McpCapabilities, McpServer } from '@turnwire/protocol';

/** A server that is not sent to an agent. */
export interface RefusedMcpServer {
  readonly name: string;
  /** A sentence for the user. */
  readonly reason: string;
}

/** The servers an agent supports, and the others. */
export interface McpServerChoice {
  readonly servers: readonly McpServer[];
  readonly refused: readonly RefusedMcpServer[];
}

/**
 * Selects the MCP servers an agent supports. All agents support type `stdio`; the others need a capability each.
 * @param capabilities `agentCapabilities.mcpCapabilities` of the agent's `initialize`; absent: none
 */
export function mcpServersFor(
  capabilities: McpCapabilities | null | undefined,
  servers: readonly McpServer[],
): McpServerChoice {
  const offers = (server: McpServer): boolean =>
    server.type === undefined || server.type === 'stdio' || capabilities?.[server.type] === true;
  return {
    servers: servers.filter(offers),
    refused: servers.filter((server) => !offers(server)).map(refusal),
  };
}

function refusal({ name, type = 'stdio' }: McpServer): RefusedMcpServer {
  return { name, reason: `The agent does not connect to MCP servers of type ${type} (mcpCapabilities.${type}).` };
}
