import { type AuthMethod as V1AuthMethod, invalidParams, type McpServer as V1McpServer } from '@turnwire/protocol';
import type { AgentCapabilities, AuthMethod, McpServer } from '@turnwire/protocol/v2';
import type { AgentDefinition } from '../definition.ts';

/** The capabilities of an agent in version 2. New, list, resume, close and prompt come with every `session`. */
export function capabilitiesInV2<Memory>(definition: AgentDefinition<Memory>, offersForks: boolean): AgentCapabilities {
  const { promptCapabilities, mcpCapabilities, capabilitiesMeta, additionalDirectories, store } = definition;
  const { image, audio, embeddedContext } = promptCapabilities ?? {};
  const { session, ...unstable } = unstableCapabilities(definition);
  return {
    ...unstable,
    session: {
      ...(offersForks && { fork: { _meta: { turnwire: { withoutLast: true } } } }),
      ...session,
      prompt: {
        ...(image && { image: {} }),
        ...(audio && { audio: {} }),
        ...(embeddedContext && { embeddedContext: {} }),
      },
      mcp: { stdio: {}, ...(mcpCapabilities?.http && { http: {} }) },
      ...(store && { delete: {} }),
      ...(additionalDirectories && { additionalDirectories: {} }),
    },
    ...(capabilitiesMeta && { _meta: { ...capabilitiesMeta } }),
  };
}

/** A method of each capability of sessions that the stable types lack. */
const unstableMethods: ReadonlyMap<string, string> = new Map([
  ['fork', 'session/fork'],
  ['archive', 'session/archive'],
  ['status', 'session/status'],
  ['title', 'session/set_title'],
]);

/** The capabilities of the edition, which the stable types lack. */
function unstableCapabilities<Memory>({ editionV2, capabilities }: AgentDefinition<Memory>): {
  readonly session?: object;
  readonly [name: string]: unknown;
} {
  if (editionV2 === undefined) return {};
  type Unstable = { readonly [name: string]: unknown };
  const { sessionCapabilities, auth, providers } = (capabilities ?? {}) as {
    readonly sessionCapabilities?: Unstable;
    readonly auth?: Unstable;
    readonly providers?: unknown;
  };
  const has = (method: string): boolean => Object.hasOwn(editionV2.methods, method);
  const session = Object.entries({ ...sessionCapabilities }).filter(([name]) => has(unstableMethods.get(name) ?? ''));
  return {
    session: Object.fromEntries(session),
    ...(auth?.['status'] !== undefined && has('auth/status') && { auth: { status: auth['status'] } }),
    ...(providers !== undefined && has('providers/list') && { providers }),
  };
}

/** A login method of version 1. */
export function authMethodInV2(method: V1AuthMethod): AuthMethod {
  const { id: methodId, ...fields } = method;
  if (fields.type !== 'terminal') return { ...fields, type: 'agent', methodId };
  const { env, ...rest } = fields;
  const variables = env && Object.entries(env).map(([name, value]) => ({ name, value }));
  return { ...rest, methodId, ...(variables && { env: variables }) };
}

/**
 * The MCP servers of a request, in the form of version 1. The connection refuses types that the agent does not offer.
 * @throws ProtocolError -32602 if two servers have one name
 */
export function mcpServersInV1(servers: readonly McpServer[] = []): readonly V1McpServer[] {
  const names = servers.map((server) => (server as McpServer & { readonly name: string }).name);
  const repeated = names.findIndex((name, index) => names.indexOf(name) < index);
  if (repeated !== -1)
    throw invalidParams(`mcpServers[${repeated}]: another server has the name ${JSON.stringify(names[repeated])}`);
  return servers.map((server): V1McpServer => {
    const { type, ...fields } = server as McpServer & { readonly type: 'stdio' | 'http' };
    return (type === 'http'
      ? { headers: [], ...fields, type }
      : { args: [], env: [], ...fields }) as unknown as V1McpServer;
  });
}
