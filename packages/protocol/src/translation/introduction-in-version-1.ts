import type { AuthMethod, InitializeRequest, InitializeResponse, McpServer } from '../generated/types.ts';
import type {
  AuthMethod as V2AuthMethod,
  InitializeRequest as V2Request,
  InitializeResponse as V2Response,
  McpServer as V2McpServer,
} from '../generated/v2-types.ts';

/** The client in the fields of version 2. Agents of version 2 use their own files and terminals. */
export function clientInVersion2({
  clientInfo,
  clientCapabilities = {},
}: InitializeRequest): Omit<V2Request, 'protocolVersion'> {
  const { auth, elicitation, _meta } = clientCapabilities;
  const capabilities = {
    ...(auth?.terminal === true && { auth: { terminal: {} } }),
    ...(elicitation && { elicitation }),
    ...(_meta && { _meta }),
  } as V2Request['capabilities'];
  return { info: clientInfo ?? { name: 'unknown', version: 'unknown' }, capabilities };
}

/** The answer of an agent of version 2, as an agent of version 1 would give it. */
export function agentInVersion1({
  protocolVersion,
  info,
  capabilities,
  authMethods = [],
  _meta: extensions,
}: V2Response): InitializeResponse {
  const { session, _meta } = capabilities ?? {};
  return {
    protocolVersion,
    agentInfo: info,
    agentCapabilities: {
      ...(session && sessionCapabilities(session)),
      ...(authMethods.length > 0 && { auth: { logout: {} } }),
      ...(_meta && { _meta }),
    },
    authMethods: authMethods.filter(({ type }) => type === 'agent' || type === 'terminal').map(loginInVersion1),
    ...(extensions && { _meta: extensions }),
  };
}

type V2Session = NonNullable<NonNullable<V2Response['capabilities']>['session']>;

function sessionCapabilities(session: V2Session): InitializeResponse['agentCapabilities'] {
  const { prompt, mcp, additionalDirectories } = session;
  const { fork } = session as { readonly fork?: object | null };
  return {
    loadSession: true,
    promptCapabilities: {
      ...{ image: isMarked(prompt?.image), audio: isMarked(prompt?.audio) },
      embeddedContext: isMarked(prompt?.embeddedContext),
    },
    mcpCapabilities: { http: isMarked(mcp?.http), sse: false },
    sessionCapabilities: {
      ...{ list: {}, resume: {}, close: {} },
      ...(session.delete && { delete: {} }),
      ...(additionalDirectories && { additionalDirectories: {} }),
      // Unstable in both versions.
      ...(fork && { fork }),
    },
  };
}

function isMarked(marker: object | null | undefined): boolean {
  return marker !== undefined && marker !== null;
}

/** Variables are a list in version 2, and an object in version 1. */
function loginInVersion1({ methodId: id, ...method }: V2AuthMethod): AuthMethod {
  const { env, type, ...rest } = method as typeof method & {
    readonly env?: readonly { readonly name: string; readonly value: string }[];
  };
  const variables = env && { env: Object.fromEntries(env.map(({ name, value }) => [name, value])) };
  return { ...rest, ...(type !== 'agent' && { type }), ...variables, id } as AuthMethod;
}

/** In version 2 servers that are processes have a type too. */
export function mcpServersInVersion2(servers: readonly McpServer[] = []): readonly V2McpServer[] {
  return servers.map((server) => ('type' in server ? server : { ...server, type: 'stdio' }) as V2McpServer);
}
