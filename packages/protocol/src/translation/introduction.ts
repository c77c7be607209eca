import type {
  AgentCapabilities as V1AgentCapabilities,
  AuthMethod as V1AuthMethod,
  ClientCapabilities as V1ClientCapabilities,
  McpServer as V1McpServer,
} from '../generated/types.ts';
import type { AgentCapabilities, AuthMethod, ClientCapabilities, McpServer } from '../generated/v2-types.ts';

/** The capabilities of an agent in version 2. New, list, resume, close and prompt come with every `session`. */
export function agentCapabilitiesInVersion2({
  promptCapabilities,
  mcpCapabilities,
  sessionCapabilities,
  _meta,
}: V1AgentCapabilities): AgentCapabilities {
  const { image, audio, embeddedContext } = promptCapabilities ?? {};
  return {
    session: {
      prompt: {
        ...(image && { image: {} }),
        ...(audio && { audio: {} }),
        ...(embeddedContext && { embeddedContext: {} }),
      },
      mcp: { stdio: {}, ...(mcpCapabilities?.http && { http: {} }) },
      ...(sessionCapabilities?.delete && { delete: {} }),
      ...(sessionCapabilities?.additionalDirectories && { additionalDirectories: {} }),
    },
    ...(_meta && { _meta }),
  };
}

/**
 * The capabilities of a client in version 1. Version 2 has no files and terminals of the client; every client handles options of type
 * `boolean`, notices, compactions and terminals of the agent.
 */
export function clientCapabilitiesInVersion1({ auth, elicitation, _meta }: ClientCapabilities): V1ClientCapabilities {
  return {
    session: { configOptions: { boolean: {} }, notices: {}, compaction: {} },
    auth: { terminal: Boolean(auth?.terminal) },
    ...(elicitation && { elicitation }),
    _meta: { ..._meta, terminal_output: true },
  };
}

/** A login method of version 1 in version 2. */
export function authMethodInVersion2(method: V1AuthMethod): AuthMethod {
  const { id: methodId, ...fields } = method;
  if (fields.type !== 'terminal') return { ...fields, type: 'agent', methodId };
  const { env, ...rest } = fields;
  const variables = env && Object.entries(env).map(([name, value]) => ({ name, value }));
  return { ...rest, methodId, ...(variables && { env: variables }) };
}

/** The MCP servers of a request in version 1. The connection refuses types that the agent does not offer. */
export function mcpServersInVersion1(servers: readonly McpServer[] | undefined): V1McpServer[] {
  return (servers ?? []).map((server): V1McpServer => {
    const { type, ...fields } = server as McpServer & { readonly type: 'stdio' | 'http' };
    return (type === 'http'
      ? { headers: [], ...fields, type }
      : { args: [], env: [], ...fields }) as unknown as V1McpServer;
  });
}
